// A short circuit, a tail that both arms share and a loop with two exits, whose conditions are the
// same for all threads: unstructured, but nothing ever parts a warp.
#include "linearize_device.h"

KERNEL_BODY(uniform_goto) {
  unsigned x = lin_mix(thread);
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned chance = lin_mix(round);
    if ((chance & 1 || round > 40) && chance & 2) {
      x += lin_mix(in[x]);
      if (chance & 4)
        goto tail;
    } else {
      x ^= in[x >> 7] * 3;
      if (chance & 8)
        goto tail;
    }
    if (x == 0x12345678 * rounds)
      x++;
    continue;
  tail:
    x = lin_mix(x ^ in[x >> 6]);
    if (chance >> 4 == round * 5)
      break;
  }
  return x;
}
