// The dot product of two vectors: each thread adds up its elements, then the block its threads, by
// halves as in reduction.cu; sums of floats want the same order on the CPU.
#include "linearize_device.h"

LIN_FUNCTION float products(lin_input in, unsigned thread, unsigned rounds) {
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++)
    for (unsigned i = 0; i < 4; i++) {
      unsigned at = thread + (round * 4 + i) * 1024;
      sum += lin_unit(in[at]) * lin_unit(in[at + 509]);
    }
  return sum;
}

#ifndef LIN_HOST
BLOCK_KERNEL(dot_product) {
  __shared__ float sums[LIN_BLOCK];
  sums[lane] = products(in, first + lane, rounds);
  __syncthreads();
#pragma unroll 1
  for (unsigned half = LIN_BLOCK / 2; half > 0; half /= 2) {
    if (lane < half)
      sums[lane] += sums[lane + half];
    __syncthreads();
  }
  return lin_bits(sums[0]) + lane;
}
#else
BLOCK_KERNEL(dot_product) {
  float sums[LIN_BLOCK];
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
    sums[lane] = products(in, first + lane, rounds);
  for (unsigned half = LIN_BLOCK / 2; half > 0; half /= 2)
    for (unsigned lane = 0; lane < half; lane++)
      sums[lane] += sums[lane + half];
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
    out[lane] = lin_bits(sums[0]) + lane;
}
#endif
