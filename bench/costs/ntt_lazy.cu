// The same transform with lazy reduction: values stay below four times the prime, and what has to
// be reduced is found by comparisons that share their ends.
#include "linearize_device.h"

static const unsigned q = 0x1c000001u;

LIN_FUNCTION unsigned reduce(unsigned x, unsigned *work) {
  if (x >= 2 * q) {
    x -= 2 * q;
    if (x < q)
      goto done;
    x -= q;
    *work += 2;
  } else if (x >= q) {
    x -= q;
    *work += 1;
    if ((x & 255) == 0)
      goto rare;
  }
done:
  return x;
rare:
  *work = lin_mix(*work);
  return x ^ (*work & 1);
}

LIN_FUNCTION unsigned times(unsigned a, unsigned b) {
  return (unsigned)((unsigned long long)a * b % q);
}

KERNEL_BODY(ntt_lazy) {
  unsigned checksum = 0, work = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned value[8];
    for (unsigned i = 0; i < 8; i++)
      value[i] = in[thread * 8 + i + round * 3] % (4 * q);
#pragma unroll
    for (unsigned half = 4; half >= 1; half /= 2) {
      unsigned root = in[half + round];
#pragma unroll
      for (unsigned i = 0; i < 8; i++) {
        if (i & half)
          continue;
        unsigned a = reduce(value[i], &work), b = reduce(value[i | half], &work);
        unsigned t = root & i ? times(b, root & 0xffff) : b;
        value[i] = a + t;
        if (a < t && (work & 1))
          value[i | half] = a + q - t;
        else if (a < t)
          value[i | half] = reduce(a + 2 * q - t, &work);
        else
          value[i | half] = a - t + q;
      }
    }
    for (unsigned i = 0; i < 8; i++)
      checksum = checksum * 31 + value[i];
  }
  return checksum ^ work;
}
