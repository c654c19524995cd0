// A 32 x 32 tile is read by rows and written by columns, through shared memory whose rows are one
// word longer than the banks are many; a thread moves eight elements.
#include "linearize_device.h"

enum { TRANSPOSE_SIDE = 32, TRANSPOSE_ROWS = LIN_BLOCK / TRANSPOSE_SIDE };

#ifndef LIN_HOST
BLOCK_KERNEL(transpose) {
  __shared__ unsigned tile[TRANSPOSE_SIDE][TRANSPOSE_SIDE + 1];
  unsigned column = lane % TRANSPOSE_SIDE, row = lane / TRANSPOSE_SIDE, result = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    for (unsigned i = 0; i < TRANSPOSE_SIDE; i += TRANSPOSE_ROWS)
      tile[row + i][column] = in[(first + round + row + i) * TRANSPOSE_SIDE + column];
    __syncthreads();
    for (unsigned i = 0; i < TRANSPOSE_SIDE; i += TRANSPOSE_ROWS)
      result = result * 5 + tile[column][row + i];
    __syncthreads();
  }
  return result;
}
#else
BLOCK_KERNEL(transpose) {
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++) {
    unsigned column = lane % TRANSPOSE_SIDE, row = lane / TRANSPOSE_SIDE, result = 0;
    for (unsigned round = 0; round < rounds; round++)
      for (unsigned i = 0; i < TRANSPOSE_SIDE; i += TRANSPOSE_ROWS)
        result = result * 5 + in[(first + round + column) * TRANSPOSE_SIDE + row + i];
    out[lane] = result;
  }
}
#endif
