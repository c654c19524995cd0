// Post-dominators as far as threads stay in an iteration of a loop: ways that leave the loop don't
// count, and neither do those that go around it.
//
//     O ◀──────┐    D's threads come together at J, in O's iteration: who leaves O by c is not
//     ├▶ c ──┐ │    waited for there. Without the loop they meet at P alone.
//     │  ▼   │ │
//     └▶ J ──┼─┘    (D is O here)
//        ▼   ▼
//        └─▶ P
#ifndef LIN_GRAPH_WITHIN_H
#define LIN_GRAPH_WITHIN_H

#include "dominators.h"
#include "loops.h"

typedef struct lin_within lin_within;

// Nothing is computed until it is asked for; what was given is kept by reference.
lin_within *lin_within_new(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                           const lin_postdominators *postdominators);

// Whether all threads that stand at `block`, in `loop` or in one inside, come to `at` before the
// iteration of `loop` ends, unless they leave it. Of loops nested deeper than anybody writes, the
// answer is that for the whole function. The first time at each depth of loops O(edges log blocks),
// then O(1).
bool lin_within_postdominates(lin_within *within, uint32_t loop, lin_block at, lin_block block);

// What has to come to `at` of the threads that stand at `dominator`: the header of the outermost
// loop that they leave on their way, of those inside the loop around `at`; else `dominator` itself.
lin_block lin_within_start(const lin_loops *loops, lin_block dominator, lin_block at);

#endif
