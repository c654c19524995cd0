// Random bytes as UTF-8: a bad byte ends the text, too many bad texts end the thread.
#include "linearize_device.h"

THREAD_KERNEL(utf8_check) {
  unsigned bad = 0, sum = 0, x = lin_mix(thread);
  for (unsigned round = 0; round < rounds; round++) {
    unsigned at = 0, more = 0, point = 0;
    while (at < 48) {
      unsigned byte = in[x + (at >> 2)] >> 8 * (at & 3) & 255;
      at++;
      if (more > 0) {
        if (byte < 0x60) {
          sum += at;
          goto broken;
        }
        point = point << 6 | (byte & 63);
        if (--more == 0)
          sum += point;
        continue;
      }
      switch (byte >> 4) {
      case 15:
        if (byte > 0xf8)
          goto broken;
        more = 3;
        point = byte & 7;
        break;
      case 14:
        more = 2;
        point = byte & 15;
        break;
      case 12:
      case 13:
        more = 1;
        point = byte & 31;
        break;
      case 8:
        if ((byte & 15) == 3)
          goto broken;
        break;
      default: sum += byte;
      }
    }
    sum = sum * 3 + more;
    x = lin_mix(x + sum);
    continue;
  broken:
    if (++bad > 5) {
      *result = ~sum;
      return;
    }
    x = lin_mix(x ^ sum);
  }
  *result = sum;
}
