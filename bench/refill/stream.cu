// Rows of a sparse matrix of nearly equal length: bound by memory, where nothing is to be gained.
#include "common.h"

__global__ void stream(const int *first, const int *column, const float *value, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = first[i]; k < first[i + 1]; k++)
    sum += value[k] * x[column[k]];
  y[i] = sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 21, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned long long state = 11;
  std::vector<int> first(1, 0), column;
  std::vector<float> value, x(n);
  for (int i = 0; i < n; i++) {
    int length = 6 + (int)(next_random(state) % 5);
    for (int k = 0; k < length; k++) {
      column.push_back((int)(next_random(state) % n));
      value.push_back((next_random(state) & 255) / 256.f);
    }
    first.push_back((int)column.size());
    x[i] = (next_random(state) & 255) / 256.f;
  }
  float *y;
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  const int *f = on_gpu(first), *c = on_gpu(column);
  const float *v = on_gpu(value), *xs = on_gpu(x);
  report("stream", y, n, launches, [&] { stream<<<(n + 127) / 128, 128>>>(f, c, v, xs, y, n); });
}
