// The first element not below a key, in a table whose order is its arithmetic: a fixed number of
// halvings, each with a load and a divergent choice.
#include "linearize_device.h"

KERNEL_BODY(binary_search) {
  unsigned key = lin_mix(thread), found = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned first = 0;
#pragma unroll 1
    for (unsigned half = 1 << 11; half > 0; half >>= 1) {
      unsigned element = (first + half) << 20 | in[first + half] >> 12;
      if (element < key)
        first += half;
    }
    found = found * 31 + first;
    key = lin_mix(key + first) + round;
  }
  return found;
}
