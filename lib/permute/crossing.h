// What becomes of values that cross the border of a section (section.h), and whether they can.
//
//     w = f(t)        outside, needed inside: computed again for the index P(p)       anew
//     A: section        x[P(p)] = w'
//     J: y = t + 1    inside, needed behind: computed for the thread's own, as well   kept
#ifndef LIN_PERMUTE_CROSSING_H
#define LIN_PERMUTE_CROSSING_H

#include "section.h"
#include "values/conjuncts.h"

// What becomes of values around a section.
typedef struct lin_crossing {
  bool *anew; // [values] outside: to be computed for the index; those that it is computed of, too
  bool *kept; // [values] inside: to be computed for the thread's own index as well
} lin_crossing;

// How a section is looked at. Of a section of which the branch at its start asks for `asked`
// instead of what it does now, that is needed; NULL: it doesn't. `force`: as memory.h has it.
typedef struct lin_asking {
  const lin_conjuncts *asked;
  bool force;
} lin_asking;

// What is in the way of giving the section to other threads; fills in `*crossing` if nothing is.
// O(values and touches, squares of those of the section).
lin_obstacle lin_section_check(lin_arena *arena, const lin_values *values,
                               const lin_together *together, const lin_section *section,
                               lin_asking asking, lin_crossing *crossing);

#endif
