// Blocks of a loop to which all threads come that come to the loop, and all as often. Who asks
// there for the threads of its warp need not ask each time who they are: they are those that were
// there when it entered the loop, as long as they come back together.
//
//     p ─▶ H ◀──────┐       C sends all threads the same way, D may part them. H, P and L are
//          ├─▶ D ─┐ │       whole, and so is c, if C's branch asks what is the same for all; b is
//          │   ▼  │ │       not. If L could part threads, by leaving the loop for some of them,
//          │   b  │ │       nothing in it were whole: others come to H once more.
//          │   ▼  ▼ │
//          └─▶ P ◀┘ │
//              C ─▶ L ─▶ end
//              └ c ─┘
//
// A block is not whole if whether it is run, or how often, hangs on a branch of the loop that may
// part threads, or on one in a block that is not whole itself (control dependence: Ferrante,
// Ottenstein and Warren, "The Program Dependence Graph and Its Use in Optimization", 1987).
#ifndef LIN_GPU_WHOLE_H
#define LIN_GPU_WHOLE_H

#include "graph/dominators.h"
#include "graph/loops.h"

// [num_blocks] true for these, blocks of the loops nested in `loop` included, false outside. It
// must be known which branches may part threads. O(edges log blocks).
bool *lin_whole_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                     const lin_postdominators *postdominators, uint32_t loop);

// The block through which all threads come to `loop` that come to it, and from which all go on to
// it; LIN_NONE if there is none. O(edges into the loop's header).
lin_block lin_whole_entry(const lin_graph *graph, const lin_loops *loops, uint32_t loop);

#endif
