// A function before and after, as graphs to be written as pseudo-code: which original block each
// block is, what edges set for the guards, and which edges are unstructured.
#ifndef LIN_TOOL_SIDES_H
#define LIN_TOOL_SIDES_H

#include "steps.h"

typedef struct tool_side {
  lin_order *order;       // of the graph; all below is of order->graph
  lin_block *original;    // [num_blocks] block of the function; LIN_NONE: a guard, the united exit
  const lin_node **guard; // [num_blocks] what a guard tests, else NULL
  uint32_t *set;          // [num_edges] the original block that is next, where guards ask for it
                          // (num_blocks of the function: a return); LIN_NONE: they don't
  uint8_t *kinds;         // [num_edges] LIN_BRANCH | ...
  uint8_t *returning;     // [num_blocks] the same of the block's return
  uint32_t num_unstructured;
} tool_side;

// The kinds of the edges of `graph`, [num_edges], of which the shape is, and of its blocks'
// returns, [num_blocks]; all are 0 at first.
void tool_find_kinds(const lin_graph *graph, const lin_shape *shape, uint8_t *kinds,
                     uint8_t *returning);

tool_side *tool_side_before(const tool_work *work);

// Of a function of which something is linearized.
tool_side *tool_side_after(const tool_work *work);

#endif
