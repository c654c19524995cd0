// The sum of a block's values by a tree in shared memory: half of the threads drop out at each
// step.
#include "linearize_device.h"

#ifndef LIN_HOST
BLOCK_KERNEL(reduction) {
  __shared__ unsigned sums[LIN_BLOCK];
  unsigned x = first + lane;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    sums[lane] = in[x];
    __syncthreads();
#pragma unroll 1
    for (unsigned half = LIN_BLOCK / 2; half > 0; half /= 2) {
      if (lane < half)
        sums[lane] += sums[lane + half];
      __syncthreads();
    }
    x = lin_mix(x ^ sums[0]) + round;
    __syncthreads();
  }
  return x;
}
#else
BLOCK_KERNEL(reduction) {
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
    out[lane] = first + lane;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned sum = 0;
    for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
      sum += in[out[lane]];
    for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
      out[lane] = lin_mix(out[lane] ^ sum) + round;
  }
}
#endif
