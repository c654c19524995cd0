// A search in a row of buckets; eight flags say what was seen, and short loops end by them.
#include "linearize_device.h"

KERNEL_BODY(flags_search) {
  unsigned result = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned key = in[thread + round * 257];
    bool empty = false, full = false, hit = false, old = false, odd = false, far = false;
    bool late = false, lost = false;
    for (unsigned i = 0; i < 16 && !hit && !lost; i++) {
      unsigned bucket = in[key + i * 13];
      for (unsigned j = 0; j < 4 && !full && !empty; j++) {
        unsigned slot = bucket >> (j * 8) & 255;
        if (slot < 6)
          empty = true;
        else if (slot > 250)
          full = true;
        else if ((slot & 31) == (key & 31))
          hit = true;
        if (hit)
          break;
      }
      for (unsigned j = 0; j < 3 && !old && !odd; j++) {
        unsigned slot = in[bucket + j];
        odd = (slot & 63) == 1;
        old = (slot & 63) == 2;
        far = far || (slot & 63) == 3;
      }
      late = i > 8 && far;
      lost = late && old;
      if (empty)
        break;
      full = false;
      key += bucket & 3;
    }
    result = result * 3 + empty + full * 2 + hit * 4 + old * 8 + odd * 16 + far * 32 + late * 64 +
             lost * 128 + key;
  }
  return result;
}
