// A condition as what all has to hold for it.
#ifndef LIN_VALUES_CONJUNCTS_H
#define LIN_VALUES_CONJUNCTS_H

#include "values.h"

enum { LIN_MOST_CONJUNCTS = 8 };

// A condition, which holds where all of these do: of each, whether it has to hold or must not.
typedef struct lin_conjuncts {
  uint32_t value[LIN_MOST_CONJUNCTS];
  bool holds[LIN_MOST_CONJUNCTS];
  uint32_t count;
} lin_conjuncts;

// Takes the flag `value`, which has to hold or must not, apart. O(conjuncts).
lin_conjuncts lin_conjuncts_of(const lin_values *values, uint32_t value, bool holds);

#endif
