// Thermal simulation of a chip, after the paper's hotspot: a thread integrates the temperature of a
// strip of cells over time, with heat from its power map and losses to its four neighbours.
//
// Unstructured: the test whether a cell is updated is a short circuit over its position and state,
// shared by the border case and the sink case; the strip is left early on an alarm (goto out of
// both loops) and the simulation when it has settled (break).
//
//     step ─▶ cell ─▶ inside? ─▶ on? ──▶ update ─▶ alarm ─────▶ out of both loops
//       ▲      ▲         └──▶ border? ──▶ hold ─┐    │
//       │      └────────────────────────────────┴────┘
//       └── settled? ─▶ out
#include "linearize_device.h"

KERNEL_BODY(hotspot) {
  const unsigned side = 64, cells = 6;
  const float ambient = 80.0f, melting = 112.0f, capacity = 0.21f;
  float strip[6];
  unsigned row = thread / side % side, column = thread * cells % side;
  unsigned home = thread * 61, alarm = 0;

  for (unsigned i = 0; i < cells; i++)
    strip[i] = ambient + 40.0f * lin_unit(in[home + i]);

  unsigned step;
#pragma unroll 1
  for (step = 0; step < rounds; step++) {
    float largest = 0.0f;
#pragma unroll 1
    for (unsigned i = 0; i < cells; i++) {
      float here = strip[i];
      unsigned state = in[home + step * side + i];
      bool inside = row > 0 && row < side - 1 && column + i > 0 && column + i < side - 1;
      float power;
      if ((inside && (state & 3)) || (here < ambient && (in[state] & 1))) {
        power = 9.0f * lin_unit(in[state + i]);
        if ((state & 28) == 4)
          power = power * 1.5f + lin_unit(in[state >> 5]) / (1.0f + lin_abs(here - ambient));
      } else if (here > ambient + 30.0f || (in[state >> 3] & 7) == 0) {
        power = -0.2f * (here - ambient);
      } else {
        continue;
      }
      float north = ambient + 40.0f * lin_unit(in[home + i - side]);
      float south = ambient + 40.0f * lin_unit(in[home + i + side]);
      float west = i > 0 ? strip[i - 1] : here;
      float east = i + 1 < cells ? strip[i + 1] : here;
      float change = capacity * (power + (north + south - 2.0f * here) * 0.1f +
                                 (east + west - 2.0f * here) * 0.1f + (ambient - here) * 0.0125f);
      here += change;
      strip[i] = here;
      if (here > melting) {
        alarm = in[state] | 1;
        goto out;
      }
      largest = lin_max(largest, lin_abs(change));
    }
    if (largest < 0.01f)
      break;
  }
out:
  float sum = 0.0f;
  for (unsigned i = 0; i < cells; i++)
    sum += strip[i];
  return lin_bits(sum) ^ alarm ^ step;
}
