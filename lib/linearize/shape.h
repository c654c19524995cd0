// A function's graph as all later steps want it: with one exit, in loop-contiguous order, its edges
// by their kinds. The shape depends on edges, returns and traps alone: what is found out later of
// blocks and edges doesn't change it.
//
//     input ── unite returns ──▶ united ── order ──▶ order->graph ── Definition 1 ──▶ analysis
//       │                                                ▲
//       └── flags, weights, trips, sharing, visits ──────┘  lin_shape_update
#ifndef LIN_LINEARIZE_SHAPE_H
#define LIN_LINEARIZE_SHAPE_H

#include "definition1_edges.h"

// Each points to those before it.
typedef struct lin_shape {
  const lin_graph *input;
  lin_graph *united; // with all returns leading to one exit
  lin_order *order;
  lin_analysis *analysis;
} lin_shape;

// The shape of a graph that lin_graph_check finds nothing wrong with. It keeps `input`, which isn't
// changed, and lives in the arena. O(edges log blocks).
lin_shape lin_shape_build(lin_arena *arena, const lin_graph *input);

// The same of a graph whose returns stay as they are, as one has that was united before. O(edges
// log blocks).
lin_shape lin_shape_of_united(lin_arena *arena, lin_graph *united);

// Has all graphs of a shape know what its input knows now. O(edges).
void lin_shape_update(lin_arena *arena, const lin_shape *shape);

#endif
