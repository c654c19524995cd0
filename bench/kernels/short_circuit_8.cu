// A short circuit eight deep, || and && in turn: every test can decide for either arm, so both arms
// and each test but the first have several predecessors.
//
//     (((((((c1 || c2) && c3) || c4) && c5) || c6) && c7) || c8) ? S1 : S2
//
// Without reconvergence before the end a warp runs S1 and S2 once for each test that jumps there.
#include "linearize_device.h"

LIN_FUNCTION bool holds(lin_input in, unsigned x, unsigned bit) { return in[x + bit] >> bit & 1; }

KERNEL_BODY(short_circuit_8) {
  unsigned x = lin_mix(thread);
  for (unsigned round = 0; round < rounds; round++) {
    if (((((((holds(in, x, 1) || holds(in, x, 2)) && holds(in, x, 3)) || holds(in, x, 4)) &&
           holds(in, x, 5)) ||
          holds(in, x, 6)) &&
         holds(in, x, 7)) ||
        holds(in, x, 8))
      x += lin_mix(in[x]) ^ in[x >> 7];
    else
      x ^= lin_mix(in[x + thread] + x) * 3;
    x = lin_mix(x) + round;
  }
  return x;
}
