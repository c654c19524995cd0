// A sum by a tree: of a thread block's numbers, those at even places take in their neighbours, then every
// fourth, every eighth ... `rounds` sums; each thread goes on with what the sum says.
//
//   as written     thread t adds at place t, if t % (2 * stride) is 0
//   BY_HAND 1      the first threads add, at the same places: the contiguous form
//   BY_HAND 2      the first threads add, halves of what is left: the sequential form, without conflicts
//                  of banks; other places, so that only the sum is the same
//   BY_HAND 3      as 1, with the places in another order of banks
#include "linearize_device.h"

#ifndef LIN_HOST
#if BY_HAND == 3
#define PLACE(i) ((i) ^ ((i) / 32 & 31))
#else
#define PLACE(i) (i)
#endif

BLOCK_KERNEL(tree) {
  __shared__ unsigned parts[LIN_BLOCK];
  unsigned x = first + lane;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    parts[PLACE(lane)] = in[x];
    __syncthreads();
#if BY_HAND == 2
#pragma unroll 1
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
      if (lane < stride)
        parts[lane] += parts[lane + stride];
      __syncthreads();
    }
#else
#pragma unroll 1
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
#if BY_HAND
      unsigned at = 2 * stride * lane;
      if (at < blockDim.x)
#else
      unsigned at = lane;
      if (lane % (2 * stride) == 0)
#endif
        parts[PLACE(at)] += parts[PLACE(at + stride)];
      __syncthreads();
    }
#endif
    x = lin_mix(x ^ parts[0]) + round;
    __syncthreads();
  }
  return x;
}
#else
BLOCK_KERNEL(tree) {
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
