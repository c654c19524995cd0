// A loop with three entries and a short cut inside: three states that jump to one another, entered
// at any of them.
//
//     begin ─┬─▶ first ◀──┬──┐
//            ├─▶ second ──┘  │      first ─▶ second or third, second ─▶ third or first,
//            └─▶ third ──────┘      third ─▶ first or out
//
// ptxas gets the loop around it wrong unless this one is made reducible (scripts/check-ptxas): on
// an H200 it ends with results other than the host's.
#include "linearize_device.h"

KERNEL_BODY(irreducible_3) {
  unsigned x = lin_mix(thread);
  for (unsigned round = 0; round < rounds; round++) {
    unsigned fuel = in[x] & 31, start = in[x + 1] % 3;
    if (start == 1)
      goto second;
    if (start == 2)
      goto third;
  first:
    x = lin_mix(x + in[x >> 3]);
    if (fuel-- == 0)
      goto done;
    if (x & 4)
      goto third;
  second:
    x ^= in[x + fuel] * 9;
    if (fuel > 2 && (in[x >> 5] & 3) == 0) {
      fuel -= 2;
      goto first;
    }
  third:
    x += in[x >> 7] ^ fuel;
    if (in[x >> 9] & 7)
      goto first;
  done:
    x = lin_mix(x) + round;
  }
  return x;
}
