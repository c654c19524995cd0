// Which loop a lane works on, item by item, and where an item begins and ends.
//
//     entry ─▶ a ─▶ H ◀─┐ ─▶ x ─▶ ret      init: what a thread runs before the loop (entry, a)
//              │    └▶ b┘    ▲             loop: H, b
//              └─────────────┘             finish: what it runs behind it (x); x is in both
//
// Init may end the item, by a return or by blocks of finish.
#ifndef LIN_REFILL_PLAN_H
#define LIN_REFILL_PLAN_H

#include "graph/loops.h"

typedef struct lin_refill_plan {
  uint32_t loop;
  lin_block *exit;     // [num_exits] where threads go on behind the loop, in the order of its edges
  uint32_t num_exits;  // at least 1
  uint32_t *number;    // [num_blocks] of each exit; LIN_NONE: it is none
  bool *is_init;       // [num_blocks]
  bool *is_finish;     // [num_blocks]
  uint32_t idle_lanes; // so many lanes of a warp wait before they fetch
  uint32_t steps;      // of the loop between two looks at the lanes
  const char *why;     // NULL, or why there is no plan: a clause
} lin_refill_plan;

// Of a function of which all blocks are reachable. Of its outermost loops it takes the one with
// most work, if items are in it differently long: branches that aren't LIN_COHERENT or LIN_UNIFORM
// leave it or lead by it; or else, too, if `regardless`. In the arena. O(edges log blocks).
lin_refill_plan lin_refill_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                                bool regardless);

#endif
