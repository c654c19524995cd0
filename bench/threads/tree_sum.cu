// A sum by a tree, as it is first written: of a thread block's numbers, those at even places take
// in their neighbours, then every fourth, every eighth ... `rounds` sums. In each step fewer
// threads of each warp work.
//
// Takes no order: its threads have places, and barriers between the steps.
#include "thread.cuh"

#ifndef LIN_HOST
BLOCK_APPLICATION(tree_sum) {
  __shared__ unsigned parts[LIN_BLOCK];
  unsigned result = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    parts[lane] = in[first + lane + round] >> 8;
    __syncthreads();
#pragma unroll 1
    for (unsigned stride = 1; stride < LIN_BLOCK; stride *= 2) {
      if (lane % (2 * stride) == 0)
        parts[lane] += parts[lane + stride];
      __syncthreads();
    }
    result += lane == 0 ? parts[0] : parts[lane] & 1;
    __syncthreads();
  }
  return result;
}
#else
BLOCK_APPLICATION(tree_sum) {
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
    out[lane] = 0;
  for (unsigned round = 0; round < rounds; round++)
    for (unsigned lane = 0; lane < LIN_BLOCK; lane++) {
      // What lane ends with: as many numbers as the largest power of two that divides it.
      unsigned many = lane == 0 ? LIN_BLOCK : lane & (0u - lane), sum = 0;
      for (unsigned i = 0; i < many; i++)
        sum += in[first + lane + i + round] >> 8;
      out[lane] += lane == 0 ? sum : sum & 1;
    }
}
#endif
