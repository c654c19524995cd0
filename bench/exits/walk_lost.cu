// The walk of walk_skip, of which some end the thread's work, and some by one of two accidents.
#include "linearize_device.h"

KERNEL_BODY(walk_lost) {
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
      angle = lin_mix(seed ^ here);
      lost = (weight * (here >> 24)) >> 10;
      if ((angle >> 20 & 63) == 1)
        goto accident;
      weight -= lost < weight ? lost : weight;
      tally += lost * (angle & 7) + (where >> 9);
      way = (angle & 0x300) == 0 ? 0u - way : way;
      if (weight < 64 || (angle & 0x7e000000) == 0x20000000)
        goto accident;
    }
    tally = tally * 3 + steps;
    continue;
  accident:
    tally = lin_mix(tally + where) + lin_mix(tally ^ steps) * 5;
  }
  return tally;
}
