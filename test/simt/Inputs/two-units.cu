__global__ void short_arms(unsigned *values) {
  const unsigned i = threadIdx.x;
  if (i % 3 == 0 && values[i] < 40)
    values[i] = values[63 - i] * 5;
  else
    values[i] ^= i / 2;
}

int main() {
  short_arms<<<1, 64>>>(nullptr);
  return 0;
}
