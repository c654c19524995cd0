// Eight short loops, each left by a flag that code behind them asks for.
#include "linearize_device.h"

KERNEL_BODY(flags_eight) {
  unsigned result = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned x = in[thread * 8 + round * 511];
    bool found[8];
#pragma unroll
    for (unsigned flag = 0; flag < 8; flag++) {
      found[flag] = false;
#pragma unroll 1
      for (unsigned i = 0; i < 6; i++) {
        x = x * 1664525u + 1013904223u;
        if ((x >> 24) == flag * 3) {
          found[flag] = true;
          break;
        }
        if ((in[x >> 8] & 7) == flag) {
          found[flag] = true;
          break;
        }
        result += i;
      }
    }
    if (found[0] && !found[1])
      result += in[x];
    if (found[2] || (found[3] && found[4]))
      result ^= lin_mix(x);
    if (found[5] != found[6] || found[7])
      result += in[result];
  }
  return result;
}
