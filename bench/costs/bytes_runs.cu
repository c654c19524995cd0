// Tests of random bytes: runs, a poker test, and a gap test, each of which may fail early.
#include "linearize_device.h"

LIN_FUNCTION unsigned byte_of(lin_input in, unsigned i) {
  return ((const unsigned char *)in.words)[i & (in.mask * 4 + 3)];
}

LIN_FUNCTION unsigned test(lin_input in, unsigned at) {
  unsigned run = 0, longest = 0, ups = 0, last = 256;
  for (unsigned i = 0; i < 48; i++) {
    unsigned b = byte_of(in, at + i);
    if (b == last)
      return 1;
    if (b > last) {
      if (++run > 5)
        return 2;
      ups++;
    } else {
      longest = run > longest ? run : longest;
      run = 0;
    }
    last = b;
  }
  unsigned pairs = 0;
  for (unsigned i = 0; i < 40; i += 5) {
    unsigned seen = 0;
    for (unsigned j = 0; j < 5; j++)
      seen |= 1u << (byte_of(in, at + i + j) & 15);
    unsigned kinds = (unsigned)__builtin_popcount(seen);
    if (kinds < 2)
      return 3;
    if (kinds == 4 && ++pairs > 6)
      return 4;
  }
  unsigned gap = 0;
  for (unsigned i = 0; i < 64; i++) {
    if ((byte_of(in, at + i) & 31) == 7)
      gap = 0;
    else if (++gap > 56)
      return 5;
  }
  return 8 + longest + ups * 16;
}

KERNEL_BODY(bytes_runs) {
  unsigned result = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++)
    result = result * 5 + test(in, thread * 64 + round * 8191);
  return result;
}
