// Partition, then merge: threads of even number merge with the right neighbour, of odd number with the left one.
#include "../refill/common.h"

enum { RUN = 8, THREADS = 64 };

__global__ void pcm(const unsigned *keys, unsigned *out, int rounds) {
  __shared__ unsigned kept[THREADS * RUN];
  const int t = threadIdx.x;
  unsigned mine[RUN];
  for (int k = 0; k < RUN; k++)
    kept[t * RUN + k] = keys[((size_t)blockIdx.x * THREADS + t) * RUN + k];
  __syncthreads();
  for (int round = 0; round < rounds; round++) {
    int other = (t ^ 1) - (round & 1 ? 2 * (t & 1) - 1 : 0) * 2;
    if (other < 0 || other >= THREADS)
      other = t;
#ifdef BY_HAND
    const bool low = t < other;
    int a = t * RUN + (low ? 0 : RUN - 1), b = other * RUN + (low ? 0 : RUN - 1), step = low ? 1 : -1;
    for (int k = 0; k < RUN; k++) {
      unsigned x = kept[a], y = kept[b];
      bool first = low ? x <= y : x >= y;
      mine[k] = first ? x : y;
      a += first ? step : 0;
      b += first ? 0 : step;
    }
#else
    if (t < other) {
      int a = t * RUN, b = other * RUN;
      for (int k = 0; k < RUN; k++) {
        if (kept[a] <= kept[b])
          mine[k] = kept[a++];
        else
          mine[k] = kept[b++];
      }
    } else {
      int a = t * RUN + RUN - 1, b = other * RUN + RUN - 1;
      for (int k = 0; k < RUN; k++) {
        if (kept[a] >= kept[b])
          mine[k] = kept[a--];
        else
          mine[k] = kept[b--];
      }
    }
#endif
    __syncthreads();
    for (int k = 0; k < RUN; k++)
      kept[t * RUN + (t < other || other == t ? k : RUN - 1 - k)] = mine[other == t ? RUN - 1 - k : k];
    __syncthreads();
  }
  for (int k = 0; k < RUN; k++)
    out[((size_t)blockIdx.x * THREADS + t) * RUN + k] = kept[t * RUN + k];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned *out;
  CHECK(cudaMalloc(&out, n * sizeof *out));
  const unsigned *in = on_gpu(sorted_runs(n, RUN));
  report("pcm", out, n, launches, [&] { pcm<<<n / (THREADS * RUN), THREADS>>>(in, out, THREADS); });
}
