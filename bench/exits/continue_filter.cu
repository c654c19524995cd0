// Records that are skipped for one reason or another, each a little later than the one before.
#include "linearize_device.h"

KERNEL_BODY(continue_filter) {
  unsigned sum = 0, x = lin_mix(thread);
  for (unsigned i = 0; i < rounds; i++) {
    unsigned record = in[x + i];
    if ((record & 3) == 0)
      continue;
    unsigned price = in[record] >> 20;
    if (price < 900)
      continue;
    if ((record >> 8 & 7) == 3) {
      sum += price;
      if (sum & 1)
        continue;
      sum ^= record;
    }
    unsigned rate = lin_mix(record + price);
    while (rate > 0x20000000u) {
      rate >>= 1;
      if ((rate & 0xff) == 0x11)
        goto skip;
      sum += 3;
    }
    if (rate & 1)
      continue;
    sum = sum * 17 + rate;
  skip:;
  }
  return sum;
}
