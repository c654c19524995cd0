// How often a block saw each of 64 values, counted by atomic additions in shared memory.
#include "linearize_device.h"

enum { BINS = 64 };

#ifndef LIN_HOST
BLOCK_KERNEL(histogram) {
  __shared__ unsigned counts[BINS];
  if (lane < BINS)
    counts[lane] = 0;
  __syncthreads();
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++)
    atomicAdd(&counts[in[first + round * LIN_BLOCK + lane] % BINS], 1u);
  __syncthreads();
  return counts[lane % BINS] * LIN_BLOCK + lane;
}
#else
BLOCK_KERNEL(histogram) {
  unsigned counts[BINS] = {};
  for (unsigned i = 0; i < rounds * LIN_BLOCK; i++)
    counts[in[first + i] % BINS]++;
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
    out[lane] = counts[lane % BINS] * LIN_BLOCK + lane;
}
#endif
