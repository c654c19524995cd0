// The first place of a short word in a text, which ends the thread; a word that can't be there ends
// the round.
#include "linearize_device.h"

THREAD_KERNEL(substring) {
  unsigned x = lin_mix(thread), sum = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned word = in[x], length = 3 + (x >> 28 & 3), base = x >> 5;
    for (unsigned start = 0; start < 48; start++) {
      unsigned k;
      for (k = 0; k < length; k++) {
        unsigned letter = in[base + start + k] & 3;
        if (letter != (word >> 2 * k & 3))
          break;
        sum += letter;
      }
      if (k == length) {
        if (start > 40) {
          *result = sum;
          return;
        }
        goto next;
      }
      if ((in[base + start] & 0xf00) == 0)
        goto next;
    }
    sum ^= base;
  next:
    x = lin_mix(x + sum + round);
  }
  *result = sum;
}
