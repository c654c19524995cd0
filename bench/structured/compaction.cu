// What a block keeps of its values moves to the front, in order: flags, their prefix sums in shared
// memory, and a divergent store.
#include "linearize_device.h"

#ifndef LIN_HOST
BLOCK_KERNEL(compaction) {
  __shared__ unsigned places[LIN_BLOCK], kept[LIN_BLOCK];
  unsigned x = first + lane;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned value = in[x], keep = value % 3 == 0;
    places[lane] = keep;
    kept[lane] = 0;
    __syncthreads();
#pragma unroll 1
    for (unsigned distance = 1; distance < LIN_BLOCK; distance *= 2) {
      unsigned before = lane >= distance ? places[lane - distance] : 0;
      __syncthreads();
      places[lane] += before;
      __syncthreads();
    }
    if (keep)
      kept[places[lane] - 1] = value;
    __syncthreads();
    x = lin_mix(x ^ kept[lane]) + round;
    __syncthreads();
  }
  return x;
}
#else
BLOCK_KERNEL(compaction) {
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
    out[lane] = first + lane;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned kept[LIN_BLOCK] = {}, count = 0;
    for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
      if (in[out[lane]] % 3 == 0)
        kept[count++] = in[out[lane]];
    for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
      out[lane] = lin_mix(out[lane] ^ kept[lane]) + round;
  }
}
#endif
