// y = a x + y, again and again: one load and two operations for each element, no branch.
#include "linearize_device.h"

KERNEL_BODY(saxpy) {
  const unsigned elements = 4;
  float y[elements];
  for (unsigned i = 0; i < elements; i++)
    y[i] = lin_unit(in[thread + i * 4096]);
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    float a = 0.5f * lin_unit(in[round]);
    for (unsigned i = 0; i < elements; i++)
      y[i] = a * lin_unit(in[thread + i * 4096 + round]) + 0.5f * y[i];
  }
  float sum = 0.0f;
  for (unsigned i = 0; i < elements; i++)
    sum += y[i];
  return lin_bits(sum);
}
