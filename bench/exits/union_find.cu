// Roots of two nodes in a forest; paths that are too long are given up, roots that are the same end
// the round early.
#include "linearize_device.h"

THREAD_KERNEL(union_find) {
  unsigned x = lin_mix(thread), joined = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned a = in[x] & 4095, b = in[x + 1] & 4095, steps = 0;
    while ((in[a] & 3) != 0) {
      unsigned parent = in[a] >> 8 & 4095;
      if (parent == b)
        goto same;
      if (++steps > 20) {
        *result = joined;
        return;
      }
      a = parent;
    }
    while ((in[b] & 3) != 0) {
      b = in[b] >> 8 & 4095;
      if (b == a)
        goto same;
      if (++steps > 30)
        goto lost;
    }
    joined += lin_mix(a ^ b) & 15;
    goto lost;
  same:
    joined += 100;
  lost:
    x = lin_mix(x + joined + round);
  }
  *result = joined;
}
