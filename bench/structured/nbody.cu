// Gravity: in each round a tile of bodies goes through shared memory, and every thread adds up
// their pull on its own.
#include "linearize_device.h"

struct body {
  float x, y, z;
};

LIN_FUNCTION body body_at(lin_input in, unsigned i) {
  return {lin_unit(in[3 * i]), lin_unit(in[3 * i + 1]), lin_unit(in[3 * i + 2])};
}
LIN_FUNCTION void pull(body from, body to, body *sum) {
  float x = to.x - from.x, y = to.y - from.y, z = to.z - from.z;
  float square = x * x + y * y + z * z + 0.01f;
  float weight = 1.0f / (square * lin_sqrt(square));
  sum->x += x * weight;
  sum->y += y * weight;
  sum->z += z * weight;
}
LIN_FUNCTION unsigned bits_of(body sum) {
  return lin_bits(sum.x) ^ lin_bits(sum.y) * 3 ^ lin_bits(sum.z) * 5;
}

#ifndef LIN_HOST
BLOCK_KERNEL(nbody) {
  __shared__ body tile[LIN_BLOCK];
  body mine = body_at(in, first + lane), sum = {0.0f, 0.0f, 0.0f};
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    tile[lane] = body_at(in, round * LIN_BLOCK + lane);
    __syncthreads();
#pragma unroll 4
    for (unsigned i = 0; i < LIN_BLOCK; i++)
      pull(mine, tile[i], &sum);
    __syncthreads();
  }
  return bits_of(sum);
}
#else
BLOCK_KERNEL(nbody) {
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++) {
    body mine = body_at(in, first + lane), sum = {0.0f, 0.0f, 0.0f};
    for (unsigned i = 0; i < rounds * LIN_BLOCK; i++)
      pull(mine, body_at(in, i), &sum);
    out[lane] = bits_of(sum);
  }
}
#endif
