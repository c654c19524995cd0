// n-queens by a stack in shared memory: a thread places a queen or takes one back, as DARM's paper has it.
#include "../refill/common.h"

enum { SIZE = 11, THREADS = 96 };

__global__ void queens(const unsigned *columns, const unsigned *left, const unsigned *right, unsigned *out, int rows, int n) {
  __shared__ unsigned column[THREADS][SIZE], l[THREADS][SIZE], r[THREADS][SIZE], open[THREADS][SIZE];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  const unsigned mask = (1u << SIZE) - 1;
  if (i >= n)
    return;
  int depth = 0;
  unsigned solutions = 0;
  column[t][0] = columns[i];
  l[t][0] = left[i];
  r[t][0] = right[i];
  open[t][0] = columns[i] | left[i] | right[i];
  while (depth >= 0) {
    if ((open[t][depth] & mask) == mask) {
      depth--;
    } else {
      const unsigned place = ~open[t][depth] & (open[t][depth] + 1);
      open[t][depth] |= place;
      if ((place & mask) != 0) {
        if (depth + 1 == rows) {
          solutions++;
          depth--;
        } else {
          column[t][depth + 1] = column[t][depth] | place;
          l[t][depth + 1] = (l[t][depth] | place) << 1;
          r[t][depth + 1] = (r[t][depth] | place) >> 1;
          open[t][depth + 1] = column[t][depth + 1] | l[t][depth + 1] | r[t][depth + 1];
          depth++;
        }
      } else {
        depth--;
      }
    }
  }
  out[i] = solutions;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) / 32 : 1 << 15, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned long long state = 88172645463325252ull;
  std::vector<unsigned> start[3];
  for (int i = 0; i < n; i++) {
    const unsigned a = 1u << next_random(state) % SIZE, b = 1u << next_random(state) % SIZE;
    start[0].push_back(a | b);
    start[1].push_back(a << 2 | b << 1);
    start[2].push_back(a >> 2 | b >> 1);
  }
  unsigned *out;
  CHECK(cudaMalloc(&out, n * sizeof *out));
  const unsigned *c = on_gpu(start[0]), *l = on_gpu(start[1]), *r = on_gpu(start[2]);
  report("queens", out, n, launches, [&] { queens<<<(n + THREADS - 1) / THREADS, THREADS>>>(c, l, r, out, SIZE - 2, n); });
}
