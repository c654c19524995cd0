// A tile of 16 x 8 elements of a matrix product, a thread each; in each round a tile of both
// factors goes through shared memory.
#include "linearize_device.h"

enum { PRODUCT_WIDTH = 16, PRODUCT_HEIGHT = LIN_BLOCK / PRODUCT_WIDTH, PRODUCT_DEPTH = 16 };

LIN_FUNCTION float left_factor(lin_input in, unsigned first, unsigned row, unsigned i) {
  return lin_unit(in[(first + row) * 1024 + i]);
}
LIN_FUNCTION float right_factor(lin_input in, unsigned first, unsigned i, unsigned column) {
  return lin_unit(in[i * 512 + first * 7 + column]);
}

#ifndef LIN_HOST
BLOCK_KERNEL(matrix_product) {
  __shared__ float left[PRODUCT_HEIGHT][PRODUCT_DEPTH], right[PRODUCT_DEPTH][PRODUCT_WIDTH];
  unsigned column = lane % PRODUCT_WIDTH, row = lane / PRODUCT_WIDTH;
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned at = round * PRODUCT_DEPTH;
    left[row][column] = left_factor(in, first, row, at + column);
    for (unsigned i = row; i < PRODUCT_DEPTH; i += PRODUCT_HEIGHT)
      right[i][column] = right_factor(in, first, at + i, column);
    __syncthreads();
    for (unsigned i = 0; i < PRODUCT_DEPTH; i++)
      sum += left[row][i] * right[i][column];
    __syncthreads();
  }
  return lin_bits(sum);
}
#else
BLOCK_KERNEL(matrix_product) {
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++) {
    unsigned column = lane % PRODUCT_WIDTH, row = lane / PRODUCT_WIDTH;
    float sum = 0.0f;
    for (unsigned i = 0; i < rounds * PRODUCT_DEPTH; i++)
      sum += left_factor(in, first, row, i) * right_factor(in, first, i, column);
    out[lane] = lin_bits(sum);
  }
}
#endif
