// A search in chunks, of which each has its own number of starts and each start its own chain of
// random numbers: what is found ends the thread, from three loops at once.
#include "linearize_device.h"

THREAD_KERNEL(search_three_deep) {
  unsigned key = in[thread];
  for (unsigned chunk = 0; chunk < rounds; chunk++) {
    unsigned left = in[4096 + thread * 7 + chunk] & 7;
    do {
      unsigned x = in[key + left * 37], i = 0;
      do {
        x = x * 1664525u + 1013904223u;
        x ^= x >> 13;
        if ((x & 0xfff) == 7) {
          *result = chunk * 64 + i;
          return;
        }
        i++;
      } while (x & 3);
      key += x;
    } while (left--);
  }
  *result = key;
}
