// A loop with two entries: half of the threads begin in its middle.
//
//     begin ─▶ first ◀─┐       neither first nor second dominates the other: a loop without a
//       └────▶ second ─┘       header
#include "linearize_device.h"

KERNEL_BODY(irreducible_2) {
  unsigned x = lin_mix(thread);
  for (unsigned round = 0; round < rounds; round++) {
    unsigned fuel = in[x] & 31;
    if (in[x + 1] & 1)
      goto second;
  first:
    x = lin_mix(x + in[x >> 3]);
    if (fuel-- == 0)
      goto done;
  second:
    x ^= in[x + fuel] * 9;
    if (in[x >> 5] & 7)
      goto first;
  done:
    x = lin_mix(x) + round;
  }
  return x;
}
