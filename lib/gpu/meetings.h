// Places at which ptxas has the threads of a warp wait for each other, besides those where all
// threads of a branch meet: its immediate post-dominators.
//
// Threads come to a block at different times where several edges lead to it, and where it stands
// behind a loop that they leave in different iterations; unless it post-dominates its dominator,
// where all come.
//
// Seen in the machine code of ptxas 13.0 for sm_90, of random graphs and of bench/kernels:
//
// 1. Inside a loop, ways that leave the loop don't count, returns included: threads wait at each
//    block to which, but for these ways, all come. (Who takes one leaves by BREAK, or ends.) Where
//    the loop is left together with those around it, at each block to which all come that stay in
//    the outermost of them.
//
//     O ◀──────┐         J: all that stay in O's iteration come to it
//     ├▶ c ──┐ │
//     │  ▼   ▼ │
//     └▶ J   P ┘ goes on from J, not from P
//
// 2. Of the others in front of one place P it looks at one. Where one of them leads to another,
//    that is the later one; else it is the one from which the longest code leads to P. The others
//    are run once for each way into them. (A block of 1. is one of them.) That one is, too, if it
//      - has less code up to P than LIN_WORTH_WAITING (costs.h), none of which touches memory, or
//      - is behind a break out of a loop (breaks.h), and P is not the end of the function.
//
//     D ─▶ c2 ──────┐           D ─▶ c2 ─▶ c3 ─▶ a ─▶ P      c2 may go on to a, too,
//     └─▶ c3 ◀┘──▶ J ─▶ P       └─────────▶└─▶ e ─────▶      c3 to e
//          └─▶ S ──────▶┘
//     c3 leads to J: it is J    neither a nor e leads to the other: it is the longer one
//
//    Of blocks that end threads, and of which none post-dominates another, P is the end.
//
// 3. Where several edges go back to the header of a loop, or one from an inner loop, threads wait
//    there for all that stay, unless the loop is left together with the one around it.
//
// What stands apart is asked apart: the blocks behind such a join, and blocks that all threads
// leave for P alone.
#ifndef LIN_GPU_MEETINGS_H
#define LIN_GPU_MEETINGS_H

#include "graph/dominators.h"
#include "graph/loops.h"

// Whether threads come to `block` at different times. O(edges into it).
bool lin_meetings_is_late(const lin_graph *graph, const lin_loops *loops,
                          const lin_tree *dominators, const lin_postdominators *postdominators,
                          lin_block block);

// [num_loops] true for the loops that some threads leave together with the one around.
// O(edges * nesting).
bool *lin_meetings_left_with_others(lin_arena *arena, const lin_graph *graph,
                                    const lin_loops *loops,
                                    const lin_postdominators *postdominators);

// [num_blocks] true for those at which they wait, of the late blocks for which `is_join` is set.
// `graph` is in loop-contiguous order (order.h). O(edges * nesting * log blocks).
bool *lin_meetings_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                        const lin_tree *dominators, const lin_postdominators *postdominators,
                        const bool *is_join);

#endif
