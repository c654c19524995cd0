// Where threads come to that leave a loop before its end: by one of several ways, and on these ways
// they don't all come together in the loop around it.
//
//     H ◀───┐    J is behind a break: threads come there in the iteration in which they leave the
//     ├▶ L ─┘    loop, those that leave it by L come to P alone
//     │  ├───▶ P
//     └▶ J ───▶┘
//
// An exit of the loop around counts for that one, not for the one inside.
#ifndef LIN_GPU_BREAKS_H
#define LIN_GPU_BREAKS_H

#include "graph/within.h"

// [num_blocks] true for the blocks behind a break that threads take on a way from the block's
// immediate dominator. `graph` is in loop-contiguous order (order.h). O(edges * nesting * log
// blocks).
bool *lin_breaks_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                      const lin_tree *dominators, const lin_postdominators *postdominators,
                      const bool *left_with_others, lin_within *within);

#endif
