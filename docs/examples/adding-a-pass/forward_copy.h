// Short blocks that an unstructured edge leads to: who comes by that edge gets a copy.
//
//     c1 ─▶ c2              c1 ─▶ c2
//      │    ╱╲               │    ╱ ╲
//      ▼   ▼  ▼       ==>    ▼   ▼   ▼         c3' is a copy of c3
//      c3 ◀   S2             c3  c3' S2
//
// ("Forward copy", Zhang and D'Hollander, "Using Hammock Graphs to Structure Programs", 2004: it
// needs no guards, and a warp runs the block once for each copy.)
#ifndef LIN_CHOOSE_FORWARD_COPY_H
#define LIN_CHOOSE_FORWARD_COPY_H

#include "front/edit.h"
#include "front/front.h"
#include "linearize/shape.h"

// Finds such blocks, one edge of each. The shape is of the graph that `front` was asked to read.
// The edits live in the arena. O(edges), and two questions for each edge.
lin_edits *lin_forward_copy_find(lin_arena *arena, const lin_front *front, const lin_shape *shape);

#endif
