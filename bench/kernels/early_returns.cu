// A validation routine full of returns, inlined where its result is tested: every `return` becomes
// a jump out of the middle of the checks, or of the loop, to one of the two places that follow.
//
//     check ─▶ check ─▶ loop ─▶ check ─▶ check
//       │ ╲      ╲       │╲       ╲       │ ╲        accept and reject have four
//       │  └──────┴──────┼─┴───────┴──────┼──┴▶ reject     predecessors each, none nested
//       └────────────────┴────────────────┴────▶ accept
#include "linearize_device.h"

LIN_FUNCTION bool valid(lin_input in, unsigned start) {
  unsigned header = in[start];
  if ((header & 7) == 0)
    return false;
  if ((header & 15) == 1)
    return true;
  unsigned sum = in[header];
  for (unsigned i = 1; i <= (header >> 4 & 15); i++) {
    unsigned field = in[start + i];
    if ((field & 31) == 3)
      return false;
    if ((field & 63) == 4)
      return true;
    sum = lin_mix(sum ^ field);
  }
  if ((in[sum] & 3) == 1)
    return true;
  if (in[sum >> 3] & 1)
    return false;
  return (in[sum >> 7] & 7) < 5;
}

KERNEL_BODY(early_returns) {
  unsigned x = lin_mix(thread), accepted = 0;
  for (unsigned round = 0; round < rounds; round++) {
    if (valid(in, x)) {
      accepted += in[accepted] & 15;
      x = lin_mix(x + in[x + 1]);
    } else {
      x ^= in[x >> 3] * 5;
      x = lin_mix(x + in[x >> 11]);
    }
    x = lin_mix(x) + round;
  }
  return x + accepted;
}
