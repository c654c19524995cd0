// The first entry of a cube that will do as a pivot: out of three loops at once.
#include "linearize_device.h"

KERNEL_BODY(pivot_search) {
  unsigned x = lin_mix(thread), sum = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned i, j = 0, k = 0, n = 2 + (x & 3);
    for (i = 0; i < n; i++) {
      if ((in[x + i] & 7) == 0)
        continue; // a row of zeros
      for (j = 0; j < n; j++)
        for (k = 0; k < n; k++) {
          unsigned entry = in[x + i * 97 + j * 31 + k];
          if ((entry & 63) > 59)
            goto found;
          sum += entry >> 28;
        }
    }
  found:
    sum = sum * 7 + i * 16 + j * 4 + k;
    x = lin_mix(x + sum);
  }
  return sum;
}
