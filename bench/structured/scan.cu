// Prefix sums of a block's values, by Hillis and Steele: each step adds the value twice as far
// away.
#include "linearize_device.h"

#ifndef LIN_HOST
BLOCK_KERNEL(scan) {
  __shared__ unsigned sums[2][LIN_BLOCK];
  unsigned x = first + lane;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned from = 0;
    sums[0][lane] = in[x];
    __syncthreads();
#pragma unroll 1
    for (unsigned distance = 1; distance < LIN_BLOCK; distance *= 2) {
      unsigned sum = sums[from][lane];
      if (lane >= distance)
        sum += sums[from][lane - distance];
      from = 1 - from;
      sums[from][lane] = sum;
      __syncthreads();
    }
    x = lin_mix(x ^ sums[from][lane]) + round;
    __syncthreads();
  }
  return x;
}
#else
BLOCK_KERNEL(scan) {
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
    out[lane] = first + lane;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned sum = 0;
    for (unsigned lane = 0; lane < LIN_BLOCK; lane++) {
      sum += in[out[lane]];
      out[lane] = lin_mix(out[lane] ^ sum) + round;
    }
  }
}
#endif
