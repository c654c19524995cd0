// A block's values sorted in shared memory, by Batcher's bitonic network; one of each pair of
// threads compares, and divergent swaps exchange.
#include "linearize_device.h"

#ifndef LIN_HOST
BLOCK_KERNEL(bitonic_sort) {
  __shared__ unsigned values[LIN_BLOCK];
  unsigned x = first + lane;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    values[lane] = in[x];
    __syncthreads();
#pragma unroll 1
    for (unsigned size = 2; size <= LIN_BLOCK; size *= 2)
#pragma unroll 1
      for (unsigned distance = size / 2; distance > 0; distance /= 2) {
        unsigned other = lane ^ distance;
        if (other > lane) {
          unsigned mine = values[lane], theirs = values[other];
          if ((mine > theirs) == ((lane & size) == 0)) {
            values[lane] = theirs;
            values[other] = mine;
          }
        }
        __syncthreads();
      }
    x = lin_mix(x ^ values[lane]) + round;
    __syncthreads();
  }
  return x;
}
#else
BLOCK_KERNEL(bitonic_sort) {
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
    out[lane] = first + lane;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned values[LIN_BLOCK];
    for (unsigned lane = 0; lane < LIN_BLOCK; lane++) { // by insertion
      unsigned value = in[out[lane]], at = lane;
      for (; at > 0 && values[at - 1] > value; at--)
        values[at] = values[at - 1];
      values[at] = value;
    }
    for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
      out[lane] = lin_mix(out[lane] ^ values[lane]) + round;
  }
}
#endif
