// A decision tree whose seven leaves end in three tails, joined by goto, as a compiler leaves them
// after merging equal code: tails run into one another, so no two of them nest.
//
//          a                   leaves      tails
//        /   \                 b1 ─▶ heavy ─▶ medium ─▶ light ─▶ end
//       b     c                b2 ─▶ medium
//      / \   / \               c1 ─▶ light     c2 ─▶ heavy, medium, or the end
#include "linearize_device.h"

KERNEL_BODY(shared_tails) {
  unsigned x = lin_mix(thread);
  for (unsigned round = 0; round < rounds; round++) {
    unsigned a = in[x];
    if (a & 1) {
      unsigned b = in[x ^ a];
      if (b & 2) {
        x += b;
        goto heavy;
      }
      if (b & 4) {
        x ^= in[b >> 3];
        goto medium;
      }
      x -= b;
      goto light;
    } else {
      unsigned c = in[x + a];
      if (c & 2) {
        x += in[c >> 5] * 5;
        goto light;
      }
      if (c & 4) {
        x ^= in[c >> 9] + c;
        goto heavy;
      }
      if (c & 8)
        goto medium;
      x -= in[c >> 11];
      goto end;
    }
  heavy:
    x = lin_mix(x + in[x >> 1]);
    x = lin_mix(x + in[x >> 2]);
    if (x & 16)
      goto light;
  medium:
    x = lin_mix(x ^ in[x >> 3]);
  light:
    x += in[x >> 4];
  end:
    x = lin_mix(x) + round;
  }
  return x;
}
