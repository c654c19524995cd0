// A stream of bytes is checked: marks, lengths and sums of packets. What is wrong ends the packet,
// what is very wrong the stream.
#include "linearize_device.h"

LIN_FUNCTION unsigned char byte_at(lin_input in, unsigned i) {
  return ((const unsigned char *)in.words)[i & (in.mask * 4 + 3)];
}

KERNEL_BODY(bytes_checks) {
  unsigned good = 0, bad = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned at = thread * 256 + round * 4099, end = at + 200;
    while (at < end) {
      unsigned mark = byte_at(in, at++);
      if (mark == 0)
        break;
      if ((mark & 3) == 3) {
        bad++;
        continue;
      }
      unsigned length = byte_at(in, at++) & 15, sum = mark;
      for (unsigned i = 0; i < length; i++) {
        unsigned b = byte_at(in, at + i);
        if (b == 255) {
          bad += 16;
          goto resync;
        }
        if (b == 254)
          goto stream_lost;
        sum += b;
      }
      at += length;
      if ((sum & 7) == 0) {
        bad += 256;
        if (sum & 8)
          goto stream_lost;
        goto resync;
      }
      good += sum & 15;
      continue;
    resync:
      while (at < end && (byte_at(in, at) & 15) != 1)
        at++;
    }
    good ^= 0x5555;
    continue;
  stream_lost:
    bad = lin_mix(bad + at);
  }
  return good * 65537 + bad;
}
