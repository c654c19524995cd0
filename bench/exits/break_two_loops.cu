// A pair whose product has a pattern is looked for in a small table; the search of a round ends in
// two loops at once, and the thread goes on with the next round.
#include "linearize_device.h"

KERNEL_BODY(break_two_loops) {
  unsigned x = lin_mix(thread), found = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned a = 0, b = 0, rows = 2 + (x & 7);
    for (a = 0; a < rows; a++)
      for (b = a; b < rows + 4; b++) {
        unsigned product = in[x + a * 5] * (in[x + b * 3 + 1] | 1);
        if ((product & 31) == 9)
          goto out;
      }
    found += 1000;
  out:
    found += a * 16 + b;
    x = lin_mix(x + found + round);
  }
  return found ^ x;
}
