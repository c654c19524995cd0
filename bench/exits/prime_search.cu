// The next prime after a random number, by trial division: a divisor ends the inner loop, a prime
// both.
#include "linearize_device.h"

KERNEL_BODY(prime_search) {
  unsigned sum = 0, x = lin_mix(thread);
  for (unsigned round = 0; round < rounds; round++) {
    unsigned n = (in[x] & 1023) | 1, tries = 0;
    for (;; n += 2, tries++) {
      for (unsigned d = 3; d * d <= n; d += 2)
        if (n % d == 0)
          goto composite;
      break;
    composite:
      if (tries == 5)
        break;
    }
    sum = sum * 3 + n;
    x = lin_mix(x + sum);
  }
  return sum;
}
