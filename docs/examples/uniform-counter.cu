// The best of a few turns, around loops that threads leave at different times. `counted` counts the
// turns as anybody would; `counted_apart` begins at a zero that ptxas can't take to be the same in
// all threads, and so has a counter for each thread.
#include "linearize_device.h"

static __device__ __forceinline__ unsigned opaque_zero() {
  unsigned lower;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower));
  return lower >> 31; // no lane has 32 others below it
}

static __device__ __forceinline__ unsigned best_turn(const unsigned *in, unsigned turn,
                                                     unsigned turns, unsigned length, unsigned x) {
  unsigned best = 0, where = 0;
  for (; turn < turns; turn++) {
    for (unsigned i = 0; i < length; i++) {
      if (in[(x + i) & 1023] > 5)
        x = lin_mix(x + in[i]);
      if (x & 64)
        x += in[x & 255] * i;
    }
    for (unsigned fuel = in[x & 1023] & 31; fuel; fuel--) {
      x = lin_mix(x + in[(x >> 3) & 1023]);
      if (x & 4)
        x ^= in[x & 511];
    }
    if (x > best) {
      best = x;
      where = turn;
    }
  }
  return where;
}

extern "C" __global__ void counted(const unsigned *in, unsigned *out, unsigned turns,
                                   unsigned length) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[thread] = best_turn(in, 0, turns, length, thread);
}

extern "C" __global__ void counted_apart(const unsigned *in, unsigned *out, unsigned turns,
                                         unsigned length) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[thread] = best_turn(in, opaque_zero(), turns, length, thread);
}
