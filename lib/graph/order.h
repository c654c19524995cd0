// Loop-contiguous reverse post-order: every edge goes forward but those to the header of a loop
// that contains its source, and the blocks of each loop stand together, its header first.
//
// A plain depth-first order can put a loop's exit between its blocks, and then the back edge
// carries threads through guards of code that isn't in the loop:
//
//     0 ─▶ 1 ◀────────┐      plain:            0 1 3 4 2   (2 -> 1 goes around the exit 4)
//          ├─▶ 3 ─────┤      loop-contiguous:  0 1 3 2 4
//          └─▶ 2 ─────┘
//              └─▶ 4
#ifndef LIN_GRAPH_ORDER_H
#define LIN_GRAPH_ORDER_H

#include "loops.h"

typedef struct lin_order {
  lin_graph *graph;   // the reachable blocks, renumbered in order
  lin_loops *loops;   // of that graph
  lin_block *origin;  // [graph->num_blocks] number in the input graph
  lin_block *number;  // [input->num_blocks] number in the order, LIN_NONE if unreachable
  lin_edge *old_edge; // [graph->num_edges] number in the input graph
} lin_order;

// Drops unreachable blocks and renumbers the rest. `input` is not changed. Of units that could come
// next, the one that became ready last does, so that an arm of a branch is finished before the
// other one begins. O(edges log blocks).
lin_order *lin_order_build(lin_arena *arena, const lin_graph *input);

// Has the graph of `order`, made of `input` before more was known of its blocks and edges, know
// that, too. O(edges).
void lin_order_update(lin_arena *arena, const lin_graph *input, lin_order *order);

#endif
