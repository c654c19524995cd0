// A record is taken or left by eight checks, || and && in turn, each of a word of its own: a short circuit whose
// arms have many ways to them. `rounds` records, one after the other.
#include "linearize_device.h"

// A check of a word: a few steps of arithmetic, and one bit.
LIN_FUNCTION bool passes(lin_input in, unsigned x, unsigned which) {
  return lin_mix(in[x + which] + which) >> which & 1;
}

// What becomes of a record that is taken, or left.
LIN_FUNCTION unsigned digest(unsigned x) {
#pragma unroll
  for (unsigned i = 0; i < 12; i++)
    x = lin_mix(x + i);
  return x;
}

// `who`: whose records they are.
LIN_FUNCTION unsigned check_records(lin_input in, unsigned who, unsigned rounds) {
  unsigned x = lin_mix(who);
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    if (((((((passes(in, x, 1) || passes(in, x, 2)) && passes(in, x, 3)) || passes(in, x, 4)) &&
           passes(in, x, 5)) ||
          passes(in, x, 6)) &&
         passes(in, x, 7)) ||
        passes(in, x, 8))
      x += digest(in[x] ^ in[x >> 7]);
    else
      x ^= digest(in[x + who] + 3 * x);
    x = lin_mix(x) + round;
  }
  return x;
}

KERNEL_BODY(checks) { return check_records(in, thread, rounds); }
