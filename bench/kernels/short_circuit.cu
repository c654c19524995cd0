// Figure 1 of the paper: a short circuit whose two arms are shared.
//
//     if ((c1 || c2) && c3) S1; else S2;      c1 ──▶ c2 ──▶ S2      edges c1─▶c3, c2─▶S2 and
//     S3;                                      │      │      ▲       c3─▶S2 are unstructured: a
//     warp
//                                              └─▶ c3 ◀┘─────┘       can run c3 twice and S2 twice
//
// Every condition loads, and both arms load: nothing can be speculated into a select.
#include "linearize_device.h"

LIN_FUNCTION bool holds(lin_input in, unsigned x, unsigned bit) { return in[x + bit] >> bit & 1; }

KERNEL_BODY(short_circuit) {
  unsigned x = lin_mix(thread);
  for (unsigned round = 0; round < rounds; round++) {
    if ((holds(in, x, 1) || holds(in, x, 2)) && holds(in, x, 3))
      x += lin_mix(in[x]) ^ in[x >> 7];
    else
      x ^= lin_mix(in[x + thread] + x) * 3;
    x = lin_mix(x) + round;
  }
  return x;
}
