// Joins at which ptxas has the threads of a warp wait for each other, besides the places where all
// threads of a branch meet: its immediate post-dominators.
//
// Seen in the machine code of ptxas 13.0 for sm_90, of random graphs and of bench/kernels: of the
// joins in front of one place P it looks at one. Where one of them leads to another, that is the
// later one; else it is the one from which the longest code leads to P. The others are run once for
// each way into them. So is that one, too, if it
//   - has less code up to P than 11 instructions, none of which touches memory, or
//   - is behind a break out of a loop (breaks.h).
//
//     D ─▶ c2 ──────┐           D ─▶ c2 ─▶ c3 ─▶ a ─▶ P      c2 may go on to a, too,
//     └─▶ c3 ◀┘──▶ J ─▶ P       └─────────▶└─▶ e ─────▶      c3 to e
//          └─▶ S ──────▶┘
//     c3 leads to J: it is J    neither a nor e leads to the other: it is the longer one
//
// What stands apart is asked apart: the blocks behind such a join, and blocks that all threads
// leave for P alone.
#ifndef LIN_GRAPH_MEETINGS_H
#define LIN_GRAPH_MEETINGS_H

#include "dominators.h"
#include "loops.h"

// [num_blocks] true for the chosen ones of those for which `is_join` is set: blocks to which
// several edges lead forward, and that don't post-dominate their immediate dominator. `graph` is in
// loop-contiguous order (order.h). O(edges * nesting * log blocks).
bool *lin_meetings_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                        const lin_tree *dominators, const lin_postdominators *postdominators,
                        const bool *is_join);

#endif
