// A walk through a medium in steps of random length, most of which end in nothing: a light
// `continue`, of which LLVM makes a loop inside the other.
#include "linearize_device.h"
KERNEL_BODY(walk_skip) {
  unsigned seed = lin_mix(thread + 1), tally = 0;
  for (unsigned walk = 0; walk < rounds; walk++) {
    unsigned where = in[thread + walk * 641] & 0xffff, way = 1, weight = 4096, steps = 0;
    unsigned here, angle, lost;
    while (true) {
      seed = seed * 1664525u + 1013904223u;
      where += way * (seed >> 22);
      steps++;
      if (where > 0x1ffff)
        break;
      here = in[where >> 3];
      if ((seed >> 9 & 255) < (here & 255))
        continue;
      seed = seed * 1664525u + 1013904223u;
      angle = lin_mix(seed ^ here);
      lost = (weight * (here >> 24)) >> 10;
      weight -= lost < weight ? lost : weight;
      tally += lost * (angle & 7) + (where >> 9);
      way = (angle & 0x300) == 0 ? 0u - way : way;
      if (weight < 64) {
        if ((angle >> 12 & 7) != 0)
          break;
        weight *= 8;
      }
      if (steps > 200)
        break;
    }
    tally = tally * 3 + where + steps;
  }
  return tally;
}
