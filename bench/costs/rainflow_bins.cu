// Cycles again, of four points, into bins by size and mean: nested if-else-if whose arms break,
// continue, or go on.
#include "linearize_device.h"

KERNEL_BODY(rainflow_bins) {
  unsigned bins = 0, open = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    float a = 0, b = 0, c = 0, d = 0;
    unsigned held = 0, at = thread * 24 + round * 499;
    for (unsigned i = 0; i < 64; i++) {
      float x = lin_unit(in[at + i]) - 0.5f;
      if (held < 4) {
        a = b;
        b = c;
        c = d;
        d = x;
        held++;
        if (held < 4)
          continue;
      }
      float inner = lin_abs(c - b), left = lin_abs(b - a), right = lin_abs(d - c);
      if (inner <= left && inner <= right) {
        float mean = 0.5f * (b + c);
        if (inner > 0.6f) {
          if (mean > 0.1f)
            bins += 1u << 24;
          else if (mean < -0.1f)
            bins += 1u << 16;
          else
            break;
        } else if (inner > 0.3f) {
          bins += mean > 0 ? 1u << 8 : 3u << 8;
          if (in[bins] % 61 == 0)
            break;
        } else if (inner > 0.02f) {
          bins += 1;
        } else if (mean > 0.3f) {
          open++;
          break;
        }
        b = a;
        c = d;
        held = 2;
        d = c;
        c = b;
      } else if (left < right) {
        if (left > 0.8f) {
          open += 3;
          continue;
        }
        a = b;
        held = 3;
      } else if (right < 0.001f) {
        break;
      } else {
        open += left > 0.5f ? 2 : 1;
        a = b;
        b = c;
        c = d;
        held = 3;
      }
    }
    bins = lin_mix(bins + held);
  }
  return bins ^ open;
}
