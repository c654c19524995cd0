// Unstructured edges: Definition 1 of the paper, each edge with its kinds.
//
//   branch     neither end dominates or post-dominates the other (the paper's first condition; that
//              the source branches and the destination joins follows from it)
//   jump in    the destination is in a loop that doesn't contain the source and can be entered
//              elsewhere too: an irreducible loop
//   jump out   the source is in a loop that doesn't contain the destination and can be left
//              elsewhere too
//
//     ┌─ 1 ─┐       1 ──▶ 2        ┌──────────┐
//     ▼     ▼       │    ▲│        ▼          │      left:   2->3 branch
//     2 ──▶ 3       │    │▼        1 ──▶ 2 ───┘      middle: 1->2, 1->3 jump in
//     └▶ 4 ◀┘       └──▶ 3         └▶ 3 ◀┘           right:  1->3, 2->3 jump out
//
// Doomed edges (dominators.h) are unstructured only where they jump into a loop.
#ifndef LIN_LINEARIZE_DEFINITION1_EDGES_H
#define LIN_LINEARIZE_DEFINITION1_EDGES_H

#include "graph/dominators.h"
#include "graph/order.h"

enum { LIN_BRANCH = 1, LIN_JUMP_IN = 2, LIN_JUMP_OUT = 4 };

// Everything the later steps ask about a function's graph.
typedef struct lin_analysis {
  const lin_graph *graph; // in loop-contiguous order
  const lin_loops *loops;
  lin_tree *dominators;
  lin_postdominators *postdominators;
  lin_block *loop_exit; // [num_loops] the deepest block that post-dominates the whole loop
  uint8_t *kinds;       // [num_edges] LIN_BRANCH | ...; 0 for a structured edge
  uint32_t num_unstructured;
} lin_analysis;

// Analyses an ordered graph; keeps `graph` and `loops`. O(edges log blocks).
lin_analysis *lin_analysis_build(lin_arena *arena, const lin_graph *graph, const lin_loops *loops);

// The name of one kind: "branch", "jump in", "jump out".
const char *lin_edge_kind_name(unsigned kind);

#endif
