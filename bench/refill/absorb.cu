// A Markov chain with absorbing states: walks until it is absorbed.
#include "common.h"

__global__ void absorb(const float *row, const int *next, int states, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned s = i * 747796405u + 2891336453u;
  int at = i % (states - 8) + 8, steps = 0;
  while (at >= 8 && steps < 4000) {
    s = s * 1664525u + 1013904223u;
    float u = (s >> 8) / 16777216.f;
    int k = 0;
    while (k < 3 && row[at * 4 + k] < u)
      k++;
    at = next[at * 4 + k];
    steps++;
  }
  out[i] = steps * 16 + (at < 8 ? at : 15);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22, launches = argc > 2 ? atoi(argv[2]) : 24, states = 1024;
  unsigned long long state = 5;
  std::vector<float> row(states * 4);
  std::vector<int> next(states * 4);
  for (int i = 0; i < states; i++)
    for (int k = 0; k < 4; k++) {
      row[i * 4 + k] = (k + 1) / 4.f;
      next[i * 4 + k] = (int)(next_random(state) % (next_random(state) % 40 == 0 ? 8 : states));
    }
  int *out;
  CHECK(cudaMalloc(&out, n * sizeof(int)));
  const float *r = on_gpu(row);
  const int *x = on_gpu(next);
  report("absorb", out, n, launches, [&] { absorb<<<(n + 127) / 128, 128>>>(r, x, states, out, n); });
}
