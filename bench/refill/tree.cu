// Depth first through implicit trees of random shape, with a stack in local memory; cheap steps.
#include "common.h"

__global__ void tree(const unsigned *seeds, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned stack[48], sum = 0;
  int top = 0;
  stack[top++] = seeds[i & 0xffff] + i;
  while (top > 0) {
    unsigned node = stack[--top];
    node = node * 1664525u + 1013904223u;
    node ^= node >> 15;
    sum += node & 0xff;
    unsigned children = (node >> 8) % 64;
    if (children < 31 && top < 46) {
      stack[top++] = node;
      stack[top++] = node ^ 0x5bd1e995u;
    }
  }
  out[i] = sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned long long state = 42;
  std::vector<unsigned> seeds(1 << 16);
  for (unsigned &s : seeds)
    s = (unsigned)next_random(state);
  unsigned *out;
  CHECK(cudaMalloc(&out, n * sizeof(unsigned)));
  const unsigned *s = on_gpu(seeds);
  report("tree", out, n, launches, [&] { tree<<<(n + 127) / 128, 128>>>(s, out, n); });
}
