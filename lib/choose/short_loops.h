// Short loops that threads leave by several tests, of which all but the first need no more than a
// few instructions without effects: the tests become one, which all threads take in each iteration,
// and who leaves finds out behind the loop where to.
//
//     ┌─▶ h ──▶ x               ┌─▶ h, b ─┐
//     │   │                     │    │    ▼
//     │   ▼              ==>    └────┘    e ──▶ x        e: h's test again
//     └── b ──▶ y                         └───▶ y
//
// An iteration takes one branch, and nobody waits for others in it. Who leaves at h computes b's
// instructions for nothing, beside the others.
//
// Where all tests lead to one place, threads come together there anyway. Then a branch less is what
// is gained, and lost by the first value that has to be kept as it was in front of the iteration.
//
// A loop that is left for the loop around it by one test, and for a place outside of both by
// another, keeps its tests: a flag between them would have to live on around both loops.
#ifndef LIN_CHOOSE_SHORT_LOOPS_H
#define LIN_CHOOSE_SHORT_LOOPS_H

#include "front/edit.h"
#include "front/front.h"
#include "linearize/shape.h"

// Finds such loops, and has their tests folded. The shape is of the graph that `front` was asked to
// read. The edits live in the arena. O(edges, and questions for each block of such loops).
lin_edits *lin_short_loops_find(lin_arena *arena, const lin_front *front, const lin_shape *shape,
                                bool divergence_known);

#endif
