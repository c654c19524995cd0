// A histogram of a picture's brightness: a thread block counts 256 bins in shared memory, of
// `rounds` pixels for each thread; black pixels, of which there are many, are counted by each
// thread for itself.
//
// Takes no order: its threads share their bins.
#include "thread.cuh"

enum { BINS = 256 };

LIN_FUNCTION unsigned brightness(unsigned word) { return word & 0x100 ? 0 : word >> 24; }

#ifndef LIN_HOST
BLOCK_APPLICATION(bin_counts) {
  __shared__ unsigned bins[BINS];
  bins[lane] = bins[lane + LIN_BLOCK] = 0;
  __syncthreads();
  unsigned black = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned bin = brightness(in[first * 3 + round * LIN_BLOCK + lane]);
    if (bin == 0)
      black++;
    else
      atomicAdd(&bins[bin], 1u);
  }
  if (black > 0)
    atomicAdd(&bins[0], black);
  __syncthreads();
  return bins[lane] << 16 | bins[lane + LIN_BLOCK];
}
#else
BLOCK_APPLICATION(bin_counts) {
  unsigned bins[BINS] = {};
  for (unsigned i = 0; i < rounds * LIN_BLOCK; i++)
    bins[brightness(in[first * 3 + i])]++;
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
    out[lane] = bins[lane] << 16 | bins[lane + LIN_BLOCK];
}
#endif
