// A number-theoretic transform of 16 values modulo a prime, in registers: every sum, difference and
// product is reduced by conditions, the butterflies are unrolled.
#include "linearize_device.h"

static const unsigned prime = 0x78000001u; // 15 * 2^27 + 1

LIN_FUNCTION unsigned sum(unsigned a, unsigned b) {
  unsigned s = a + b;
  if (s < a || s >= prime)
    s -= prime;
  return s;
}
LIN_FUNCTION unsigned difference(unsigned a, unsigned b) {
  if (a >= b)
    return a - b;
  return a + prime - b;
}
LIN_FUNCTION unsigned product(unsigned a, unsigned b) {
  if (a == 0 || b == 0)
    return 0;
  if (a == 1)
    return b;
  if (b == 1)
    return a;
  unsigned result = 0;
  while (b != 0) {
    if (b & 1)
      result = sum(result, a);
    a = sum(a, a);
    b >>= 1;
  }
  return result;
}

KERNEL_BODY(ntt_steps) {
  unsigned value[8], checksum = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    for (unsigned i = 0; i < 8; i++)
      value[i] = in[thread * 8 + i + round] % prime & (i & 1 ? 0xffffffffu : 0xfff);
#pragma unroll
    for (unsigned half = 1; half < 8; half *= 2) {
      unsigned root = in[half + round] & 1023;
#pragma unroll
      for (unsigned i = 0; i < 8; i++) {
        if (i & half)
          continue;
        unsigned a = value[i], b = product(value[i | half], root & 255);
        value[i] = sum(a, b);
        value[i | half] = difference(a, b);
      }
    }
    for (unsigned i = 0; i < 8; i++)
      checksum = checksum * 31 + value[i];
  }
  return checksum;
}
