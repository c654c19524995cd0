// Divergent branches as compilers like them: an arm or two that load, nested, and a join each.
#include "linearize_device.h"

KERNEL_BODY(if_else) {
  unsigned x = lin_mix(thread);
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    if (in[x] & 1) {
      x += lin_mix(in[x >> 3]);
      if (in[x + 1] & 2)
        x ^= in[x >> 5] * 3;
    } else {
      x ^= in[x >> 7] * 5;
      x = lin_mix(x + in[x >> 2]);
    }
    x = lin_mix(x) + round;
  }
  return x;
}
