// A row of a triangular product: threads of a warp go round the inner loop differently often, and
// all leave it at its end.
#include "linearize_device.h"

KERNEL_BODY(triangle) {
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned row = in[thread + round] & 63;
#pragma unroll 1
    for (unsigned column = 0; column <= row; column++)
      sum += lin_unit(in[row * 64 + column]) * lin_unit(in[thread + column]);
    sum *= 0.5f;
  }
  return lin_bits(sum);
}
