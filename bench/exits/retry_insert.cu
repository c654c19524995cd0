// Inserting into a table of its own that fills up: a taken slot is tried elsewhere, up to a limit,
// and then the table is thinned out and everything is tried again; too many times, and it is over.
#include "linearize_device.h"

THREAD_KERNEL(retry_insert) {
  unsigned used = 0, x = lin_mix(thread), thinned = 0, sum = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned key = in[x + round], attempt;
    for (unsigned again = 0;; again++) {
      for (attempt = 0; attempt < 6; attempt++) {
        unsigned slot = lin_mix(key + attempt * 77) & 31;
        if (!(used >> slot & 1)) {
          used |= 1u << slot;
          sum += slot;
          goto inserted;
        }
        if ((in[slot + key] & 15) == (key & 15)) // it is there already
          goto inserted;
      }
      used &= in[key + again];
      if (++thinned > 10) {
        *result = sum | 0x80000000u;
        return;
      }
    }
  inserted:
    sum = sum * 5 + attempt;
    x = lin_mix(x ^ sum);
  }
  *result = sum;
}
