// Scans the rows of a table, each up to its first gap; a rare cell ends the scan of all of them.
#include "linearize_device.h"

KERNEL_BODY(row_scan) {
  unsigned best = 0, sum = 0;
  for (unsigned table = 0; table < rounds; table++) {
    unsigned base = in[thread + table * 331], found = 0;
    for (unsigned row = 0; row < 12; row++) {
      unsigned run = 0;
      for (unsigned column = 0; column < 20; column++) {
        unsigned cell = in[base + row * 20 + column];
        if ((cell & 15) == 0)
          break;
        if ((cell >> 4 & 1023) == 5) {
          found = cell;
          goto out;
        }
        run += cell >> 16 & 15;
      }
      if (run > best) {
        best = run;
        sum += lin_mix(best + row);
      }
      sum += run * row;
    }
    sum ^= best;
  out:
    sum = sum * 5 + found;
  }
  return sum + best;
}
