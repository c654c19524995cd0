// Points are given to the nearest of eight components, or to none; log likelihoods, with early
// ways out of the loop over components.
#include "linearize_device.h"

KERNEL_BODY(mixture_nearest) {
  float sum = 0;
  unsigned counts = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    for (unsigned i = 0; i < 8; i++) {
      float x = lin_unit(in[thread * 8 + i + round * 97]),
            y = lin_unit(in[thread + i * 31 + round]);
      float best = -1e9f;
      unsigned chosen = 8;
#pragma unroll 1
      for (unsigned k = 0; k < 8; k++) {
        unsigned packed = in[k * 5 + round];
        float cx = lin_unit(packed << 8), cy = lin_unit(packed << 16);
        float dx = x - cx, dy = y - cy, d = dx * dx + dy * dy;
        if (d > 0.5f)
          continue;
        if (d < 0.001f) {
          chosen = k;
          goto settled;
        }
        float likelihood = lin_log(0.1f + lin_unit(packed)) - 8.0f * d;
        if (likelihood < -6.0f)
          continue;
        if (likelihood > best) {
          best = likelihood;
          chosen = k;
          if (best > -0.3f)
            goto settled;
        } else if (likelihood > best - 0.01f) {
          chosen = 9;
          break;
        }
      }
      if (chosen >= 8) {
        counts += 1u << 16;
        continue;
      }
    settled:
      counts += chosen;
      sum += lin_exp(best < -20.0f ? -20.0f : best);
    }
  }
  return lin_bits(sum) ^ counts;
}
