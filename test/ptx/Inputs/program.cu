// A program with a kernel that is worth linearizing: threads leave the search for one of two reasons.
#include <cstdio>

__global__ void search(unsigned *data, unsigned n) {
  unsigned i = threadIdx.x, x = data[i], steps = 0;
  while (true) {
    if (x % 7 == i % 5)
      goto found;
    x = x * 1664525u + 1013904223u;
    if (++steps > n)
      goto lost;
    if (x % 11 == 3 && x / 16 % 3 == 1)
      goto found;
  }
lost:
  x = steps * 3 + 1;
  for (unsigned k = 0; k < n; k++)
    x = x / 3 + data[(x + k) % n];
found:
  for (unsigned k = 0; k < n; k++)
    x = x / 5 + data[(x * 7 + k) % n];
  data[i] = x;
}

int main() {
  unsigned *data;
  if (cudaMallocManaged(&data, 1024 * sizeof *data) != cudaSuccess)
    return 1;
  search<<<1, 32>>>(data, 1024);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
