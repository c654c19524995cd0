// A step of expectation maximisation for a mixture of four Gaussians: points far from a component
// are left out early, and components that have nothing are skipped.
#include "linearize_device.h"

KERNEL_BODY(mixture_step) {
  float weight[4] = {0.25f, 0.25f, 0.25f, 0.25f};
  float mean[4] = {-2.0f, -0.5f, 0.75f, 2.0f}, variance[4] = {1.0f, 0.5f, 0.5f, 1.0f};
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    float total[4] = {0, 0, 0, 0}, first[4] = {0, 0, 0, 0};
#pragma unroll 1
    for (unsigned i = 0; i < 16; i++) {
      float x = 6.0f * lin_unit(in[thread * 16 + i + round * 71]) - 3.0f, all = 0, part[4];
#pragma unroll
      for (unsigned k = 0; k < 4; k++) {
        part[k] = 0;
        if (weight[k] < 0.01f)
          continue;
        float off = x - mean[k], square = off * off / variance[k];
        if (square > 9.0f || (square > 4.0f && weight[k] < 0.1f))
          continue;
        part[k] = weight[k] * lin_exp(-0.5f * square) / lin_sqrt(variance[k]);
        all += part[k];
      }
      if (all < 1e-6f)
        continue;
#pragma unroll
      for (unsigned k = 0; k < 4; k++) {
        float share = part[k] / all;
        if (share < 1e-3f)
          continue;
        total[k] += share;
        first[k] += share * x;
      }
    }
#pragma unroll
    for (unsigned k = 0; k < 4; k++) {
      if (total[k] < 0.1f) {
        variance[k] = 1.0f;
        continue;
      }
      mean[k] = first[k] / total[k];
      weight[k] = total[k] * (1.0f / 16.0f);
      if (weight[k] > 0.6f || variance[k] < 0.1f)
        variance[k] = variance[k] * 1.5f;
    }
  }
  return lin_bits(mean[0]) ^ lin_bits(mean[1]) * 3 ^ lin_bits(mean[2]) * 5 ^ lin_bits(mean[3]) * 7;
}
