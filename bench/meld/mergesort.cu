// Each thread merges two sorted runs of its own: the smaller key is taken from the left or from the right.
#include "../refill/common.h"

enum { RUN = 32 };

__global__ void mergesort(const unsigned *keys, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / (2 * RUN))
    return;
  const unsigned *left = keys + (size_t)i * 2 * RUN, *right = left + RUN;
  unsigned *to = out + (size_t)i * 2 * RUN;
  int l = 0, r = 0;
  for (int k = 0; k < 2 * RUN; k++) {
#ifdef BY_HAND
    bool is_left = l < RUN && (r >= RUN || left[l] <= right[r]);
    const unsigned *from = is_left ? left : right;
    int at = is_left ? l : r;
    to[k] = from[at] ^ (from[at] >> 7);
    l += is_left;
    r += !is_left;
#else
    if (l < RUN && (r >= RUN || left[l] <= right[r])) {
      to[k] = left[l] ^ (left[l] >> 7);
      l++;
    } else {
      to[k] = right[r] ^ (right[r] >> 7);
      r++;
    }
#endif
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned *out;
  CHECK(cudaMalloc(&out, n * sizeof *out));
  const unsigned *in = on_gpu(sorted_runs(n, RUN));
  report("mergesort", out, n, launches, [&] { mergesort<<<(n / (2 * RUN) + 127) / 128, 128>>>(in, out, n); });
}
