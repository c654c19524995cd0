// Which values are powers of two, whatever they are: the strides of loops like
//
//     for (s = 1; s < n; s *= 2)        s = phi(1, s << 1)      a power, or 0 once it overflows
//       if (t % (2 * s) == 0)           t & (2 * s - 1)         a mask of the lowest bits
//
// A phi of powers is one; so all are taken for powers that may be, until one isn't.
#ifndef LIN_VALUES_POWERS_H
#define LIN_VALUES_POWERS_H

#include "values.h"

typedef struct lin_powers {
  bool *is_power; // [values] 0, or a power of two
  uint8_t
      *mask_bits; // [values] in so many of its lowest bits it is 2^k - 1; LLVM makes masks that are
                  // none in the bits that an index doesn't have
} lin_powers;

// O(values and operands) for each loop that phis of powers are nested in; what isn't clear after a
// few is taken for no power.
lin_powers *lin_powers_find(lin_arena *arena, const lin_values *values);

#endif
