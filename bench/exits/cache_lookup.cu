// A cache of four ways behind a small one: a hit in either ends the look-up, a miss walks a chain
// of pages, and one that is not there ends the thread.
#include "linearize_device.h"

THREAD_KERNEL(cache_lookup) {
  unsigned x = lin_mix(thread), sum = 0, last = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned key = in[x] & 255, value, way;
    if (key == last)
      goto known;
    for (way = 0; way < 4; way++) {
      value = in[key * 4 + way];
      if ((value & 7) == (key & 7))
        goto hit;
    }
    value = in[key + 5000];
    for (unsigned depth = 0; (value & 3) != 0; depth++) {
      if (depth == 9) {
        *result = sum;
        return;
      }
      value = lin_mix(value + in[value]);
    }
    sum += 100;
  hit:
    sum = sum * 3 + (value >> 8);
    last = key;
  known:
    x = lin_mix(x + sum + round);
  }
  *result = sum;
}
