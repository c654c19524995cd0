// A 1-D convolution with nine taps: the window slides along in registers.
#include "linearize_device.h"

KERNEL_BODY(convolution) {
  const unsigned taps = 9;
  float filter[taps], window[taps], sum = 0.0f;
  for (unsigned i = 0; i < taps; i++) {
    filter[i] = 0.25f * lin_unit(in[i]);
    window[i] = lin_unit(in[thread * 16 + i]);
  }
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    float value = 0.0f;
    for (unsigned i = 0; i < taps; i++)
      value += filter[i] * window[i];
    sum = 0.5f * sum + value;
    for (unsigned i = 0; i + 1 < taps; i++)
      window[i] = window[i + 1];
    window[taps - 1] = lin_unit(in[thread * 16 + taps + round]);
  }
  return lin_bits(sum);
}
