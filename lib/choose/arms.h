// The other arms of the branch that enters a region.
//
//        D            D leads into the region {a, b, j} and past it, to z. The threads
//      ┌─┼──────┐     of a and b meet at j, those of z only at P: so the region would
//      ▼ ▼      ▼     be entered at one place, a and b behind guards.
//      a b      z
//      │╲│      │     With z in the region all threads of D meet at the guard of j,
//      │ j      │     and a, b and z are arms of D's branch, without guards.
//      └─┴─▶ P ◀┘
#ifndef LIN_CHOOSE_ARMS_H
#define LIN_CHOOSE_ARMS_H

#include "linearize/algorithm2_regions.h"

// Takes them into each region that may have them: P is where all threads of D meet, between the two
// there is no other way in or out, none of D's edges leads to P itself, the threads of other arms
// don't meet before P, nothing there waits, polls or is refused, and it saves several guards. The
// region has at most `most_blocks` blocks then; those for which `left[r]` is set (NULL: none) stay
// as they are. Another region of the same D becomes part of the one that takes it.
// O((edges + blocks) * nesting).
void lin_arms_take(lin_arena *arena, const lin_analysis *analysis, lin_regions *regions,
                   const bool *left, uint32_t most_blocks);

#endif
