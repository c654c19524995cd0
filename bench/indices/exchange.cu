// Bitonic sorting of a thread block's numbers, in shared memory: of each two that are compared, the thread of
// the lower place works. `rounds` sorts.
//
//   as written     thread t compares places t and t ^ distance, if that is larger
//   BY_HAND 1      half of the threads compare, the first ones
#include "linearize_device.h"

#ifndef LIN_HOST
BLOCK_KERNEL(exchange) {
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
#if BY_HAND
        unsigned at = lane + (lane & -distance);
        if (lane < LIN_BLOCK / 2) {
#else
        unsigned at = lane;
        if ((lane ^ distance) > lane) {
#endif
          unsigned mine = values[at], theirs = values[at ^ distance];
          if ((mine > theirs) == ((at & size) == 0)) {
            values[at] = theirs;
            values[at ^ distance] = mine;
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
BLOCK_KERNEL(exchange) {
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
