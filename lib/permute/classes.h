// Conditions that hold for every so many threads: which ones, exactly.
//
//     t % 4 == 1              runs of 1, from the first of each period of 4 on: 1, 5, 9, ...
//     (t & 6) == 2            runs of 2, from the second of each period of 8 on: 2, 3, 10, 11, ...
//     (t & (2 * s - 1)) == 0  by a mask that is known at the time: t % (2 * s) == 0, if s isn't 0
//     (t ^ j) > t             by a bit that is known at the time: those that haven't got it
//
// What is said holds for every index that a thread can have, whatever the values are that aren't
// known.
#ifndef LIN_PERMUTE_CLASSES_H
#define LIN_PERMUTE_CLASSES_H

#include "values/conjuncts.h"
#include "values/powers.h"
#include "values/ranges.h"

typedef enum lin_class_form {
  LIN_CLASS_RUNS,        // offset <= t % period < offset + run
  LIN_CLASS_MASK,        // ((t + shift) & value) == offset, `value` 2^k - 1
  LIN_CLASS_REST,        // t % value == offset
  LIN_CLASS_SIGNED_REST, // the same, the value as a signed number
  LIN_CLASS_BIT,         // (t & value) != 0, or == 0, for an offset of 1 or 0; `value` 2^k or 0
} lin_class_form;

// What else has to hold of a bit that isn't set for the class to have anyone.
typedef enum lin_bit_sign {
  LIN_BIT_ANY,
  LIN_BIT_UNSIGNED, // value != 0
  LIN_BIT_SIGNED,   // value > 0, as a signed number
} lin_bit_sign;

typedef struct lin_class {
  unsigned axis;
  lin_class_form form;
  uint32_t value; // that is the same for all threads
  uint32_t period, run, offset;
  uint64_t shift;  // of a mask
  unsigned bits;   // of a mask: in so many it is one
  lin_range range; // of the value
  lin_bit_sign sign;
} lin_class;

// What is known of values: which are the same for all threads, which are powers of two, how large
// they are.
typedef struct lin_facts {
  const lin_values *values;
  const bool *same;
  const lin_powers *powers;
  const lin_range *ranges;
} lin_facts;

// Whether threads for which the flag `value` holds (or doesn't) are a class, and which. O(1).
bool lin_class_of(const lin_facts *facts, uint32_t value, bool holds, lin_class *class);

#endif
