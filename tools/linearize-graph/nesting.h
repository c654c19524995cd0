// Where each block stands in a text of ifs, loops and gotos: in which other one's construct.
//
// A block stands in the construct of its immediate dominator: as an arm of that one's branch if
// nothing else leads to it, else behind the branch. What a loop dominates and doesn't contain
// stands behind the loop, all but what never comes back (a return on the way): that stays where
// it is reached. Only a loop with one entry is a loop in the text.
#ifndef LIN_TOOL_NESTING_H
#define LIN_TOOL_NESTING_H

#include "graph/order.h"

typedef enum { PLACE_INSIDE, PLACE_ARM, PLACE_BEHIND_LOOP } tool_place;

typedef struct tool_nesting {
  const lin_graph *graph;
  const lin_loops *loops;
  const uint32_t *set;     // [num_edges]
  lin_block *parent;       // [num_blocks] the block, or header, whose construct a block stands in
  tool_place *place;       // [num_blocks]
  lin_block *first_inside; // [num_blocks] of those that stand inside, not as arms, rising
  lin_block *first_behind; // [num_blocks] of those behind the loop of a header
  lin_block *next;         // [num_blocks] in these lists
  lin_block *loop;         // [num_blocks] header of the innermost loop of the text, or LIN_NONE
  bool *is_closed;         // [num_blocks] what it dominates is never left but by the function's end
} tool_nesting;

// Of a graph in loop-contiguous order, whose edges set what `set` says: an arm is led to by edges
// that set the same. O(edges log blocks + edges * depth of loops).
tool_nesting *tool_nesting_build(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                                 const uint32_t *set);

// True if a loop of the text begins at `block`.
bool tool_nesting_is_header(const tool_nesting *nesting, lin_block block);

#endif
