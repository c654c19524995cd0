// Heat on a 16 x 8 tile: five points, a step a round; the border around the tile stays as it is.
// The first lanes fetch two cells of the tile with its border.
#include "linearize_device.h"

enum { STENCIL_WIDTH = 16 + 2, STENCIL_CELLS = STENCIL_WIDTH * (LIN_BLOCK / 16 + 2) };

LIN_FUNCTION unsigned stencil_cell(unsigned lane) {
  return (lane / 16 + 1) * STENCIL_WIDTH + lane % 16 + 1;
}
LIN_FUNCTION float stencil_step(const float *cell) {
  return cell[0] +
         0.2f * (cell[-1] + cell[1] + cell[-STENCIL_WIDTH] + cell[STENCIL_WIDTH] - 4.0f * cell[0]);
}

#ifndef LIN_HOST
BLOCK_KERNEL(stencil) {
  __shared__ float tile[STENCIL_CELLS];
#pragma unroll 1
  for (unsigned i = lane; i < STENCIL_CELLS; i += LIN_BLOCK)
    tile[i] = lin_unit(in[first * 2 + i]);
  __syncthreads();
  float *cell = tile + stencil_cell(lane);
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    float next = stencil_step(cell);
    __syncthreads();
    *cell = next;
    __syncthreads();
  }
  return lin_bits(*cell);
}
#else
BLOCK_KERNEL(stencil) {
  float tile[STENCIL_CELLS], next[LIN_BLOCK];
  for (unsigned i = 0; i < STENCIL_CELLS; i++)
    tile[i] = lin_unit(in[first * 2 + i]);
  for (unsigned round = 0; round < rounds; round++) {
    for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
      next[lane] = stencil_step(tile + stencil_cell(lane));
    for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
      tile[stencil_cell(lane)] = next[lane];
  }
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
    out[lane] = lin_bits(tile[stencil_cell(lane)]);
}
#endif
