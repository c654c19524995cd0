// An interpreter's switch with fall-through: the higher operations start with extra work and then
// share the lower ones' code; some stop half-way, and one jumps over the next.
//
//     switch ─▶ 5 ─▶ 4 ─▶ 3 ──────▶ 1 ─▶ 0 ─▶ end       5 and 1 may leave, 4 may skip 3,
//        └──────▶ each ───▶ 2 ─▶ end                    3 runs into 1 past 2
#include "linearize_device.h"

KERNEL_BODY(switch_fallthrough) {
  unsigned x = lin_mix(thread), accumulator = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned word = in[x];
    switch (word % 7) {
    case 5:
      accumulator += in[word >> 3];
      x = lin_mix(x + accumulator);
      if (x & 32)
        break;
      // fall through
    case 4:
      accumulator ^= in[word >> 5] * 7;
      if (accumulator & 3)
        goto one;
      // fall through
    case 3:
      x += in[accumulator];
      goto one;
    case 2:
      accumulator -= in[x >> 4];
      break;
    one:
    case 1:
      accumulator = lin_mix(accumulator ^ in[x >> 7]);
      if (accumulator & 64)
        break;
      // fall through
    case 0:
      accumulator += lin_mix(in[accumulator >> 9]);
      break;
    default:
      x ^= word;
    }
    x = lin_mix(x + accumulator) + round;
  }
  return x ^ accumulator;
}
