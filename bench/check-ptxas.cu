// Two kernels for scripts/check-ptxas: an outer loop, the same number of turns for all threads,
// around an inner loop that threads of a warp enter at different places and leave at different
// times.
//
// `irreducible` enters a loop of three blocks at any of the three. ptxas has no reconvergence for
// such a loop; if it trusts the outer loop's counter to be uniform all the same, each part of the
// diverged warp counts once. (Around a loop of two blocks it puts BSSY and BSYNC, and all is well.)
// `reducible` is the same loop with a header that chooses the entry.
#include "linearize_device.h"

KERNEL_BODY(irreducible) {
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
    if ((in[x >> 5] & 3) == 0)
      goto first;
  third:
    x += in[x >> 7] ^ fuel;
    if (in[x >> 9] & 7)
      goto first;
  done:
    x = lin_mix(x) + round;
  }
  return x;
}

KERNEL_BODY(reducible) {
  unsigned x = lin_mix(thread);
  for (unsigned round = 0; round < rounds; round++) {
    unsigned fuel = in[x] & 31, next = in[x + 1] % 3;
    do {
      if (next == 0) {
        x = lin_mix(x + in[x >> 3]);
        next = fuel-- == 0 ? 3 : x & 4 ? 2 : 1;
      }
      if (next == 1) {
        x ^= in[x + fuel] * 9;
        next = (in[x >> 5] & 3) == 0 ? 0 : 2;
      }
      if (next == 2) {
        x += in[x >> 7] ^ fuel;
        next = in[x >> 9] & 7 ? 0 : 3;
      }
    } while (next != 3);
    x = lin_mix(x) + round;
  }
  return x;
}
