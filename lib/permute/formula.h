// Which work a thread does, as a formula: of its own index, called its position here, makes the
// index whose work it does. The threads of a block then do the work of all indices, each once.
//
//     split, period 2     position  0 1 2 3 4 5 6 7        threads whose index is even come first,
//                         index     0 2 4 6 1 3 5 7        then the others
//
//     pack, t % 4 == 0    position  0 1 2 3 4 5 6 7        those at positions 0 and 1 work, the
//                         index     0 4 - - - - - -        others have nothing to do
//
//     board, 4 by 4       position  0 1 2 3   index  00 20 01... of (x, y), where x + y is even for
//     (x right, y down)             4 5 6 7   the upper half of the positions: a checkerboard's
//                                   8 9 ...   white squares, then its black ones
//
// A formula is a row of steps, each of steps before it, so that it is written down once: it is
// evaluated, counted and tested here, and front ends make code of it.
#ifndef LIN_PERMUTE_FORMULA_H
#define LIN_PERMUTE_FORMULA_H

#include "classes.h"

enum { LIN_MOST_STEPS = 64, LIN_NO_STEP = 255 };

typedef struct lin_step {
  uint8_t op;    // a lin_op: of steps; INDEX is the position, SAME the value `number`
  uint8_t width; // bits; indices have 32
  uint8_t of[3]; // steps
  uint64_t number;
} lin_step;

typedef struct lin_formula {
  const char *name; // "split", ...
  lin_step step[LIN_MOST_STEPS];
  unsigned count;
  uint8_t index[3]; // step: the index of each axis; LIN_NO_STEP: its position
  uint8_t works;    // step: whether there is anything to do; LIN_NO_STEP: there is
  bool keeps_first; // who has index 0 along x does its work, if anybody does, and
                    // no other axis changes
} lin_formula;

// Positions in the order of the runs that they are of: with `period` 8 and `run` 2, the first two
// of every eight indices, then the third and fourth of every eight ... `run` divides `period`.
// Indices behind the last whole period stay. `size`: of a block, 0 for an axis where it isn't
// known. O(period / run).
lin_formula lin_formula_split(unsigned axis, uint32_t period, uint32_t run, const uint32_t size[3]);

// Threads for which x + y * tilt is even, then the others; tilt is 0 or 1. All stay where the
// block's extent is odd along x or y.
lin_formula lin_formula_board(uint32_t tilt, const uint32_t size[3]);

// The threads of a class, from position 0 on, in their order; the others don't work.
lin_formula lin_formula_pack(const lin_values *values, const lin_class *class);

// Evaluates: `index[]` for a thread at `position[]` of a block of `size[]`; whether it works.
// `same` has the values that steps are of, by number; may be NULL if there are none. O(steps).
bool lin_formula_apply(const lin_formula *formula, const uint32_t position[3],
                       const uint32_t size[3], const lin_known *same, uint32_t index[3]);

// How many of the steps have to be computed by each thread, as they depend on its position.
unsigned lin_formula_cost(const lin_formula *formula);

#endif
