// Depth first through implicit trees of random shape, with a stack in local memory; cheap steps.
#include "common.h"
#ifdef BY_HAND
#include "by_hand.h"
#endif

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

#ifdef BY_HAND
struct by_hand_tree {
  const unsigned *seeds; unsigned *out;
  unsigned stack[48], sum;
  int i, top;
  __device__ bool init(int item) {
    i = item;
    sum = 0;
    top = 0;
    stack[top++] = seeds[i & 0xffff] + i;
    return true;
  }
  __device__ bool step() {
    unsigned node = stack[--top];
    node = node * 1664525u + 1013904223u;
    node ^= node >> 15;
    sum += node & 0xff;
    unsigned children = (node >> 8) % 64;
    if (children < 31 && top < 46) {
      stack[top++] = node;
      stack[top++] = node ^ 0x5bd1e995u;
    }
    if (top > 0)
      return true;
    out[i] = sum;
    return false;
  }
};
#endif

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
#ifdef BY_HAND
  report_all_by_hand(out, n, launches, by_hand_tree{s, out});
#endif
}
