// The control flow of a plan: a graph again, of original blocks and guard blocks.
//
// An if becomes one guard block, the if's condition; a loop with a guard becomes one guard block at
// its bottom; arms are entered straight from the branch:
//
//     if g n               loop g n             branch l a1 a2
//
//        guard               ┌─▶ n                   l
//        │    ╲ yes          │   │                 / | ╲
//     no │     n             └─ guard             a1 │  a2
//        ▼    ╱             yes  │ no              ╲ │ /
//        next ◀              next ◀                 next
//
// Edge 0 of a guard block is "yes". An original block keeps its edges in their order; several may
// now go to one place. An edge that leaves a leaf sets guards (algorithm1_plan.h): those in its
// list to the values there, all others to what they are otherwise.
#ifndef LIN_LINEARIZE_FLOW_H
#define LIN_LINEARIZE_FLOW_H

#include "algorithm1_plan.h"

// A list of assignments, shared between the edges that make the same ones.
typedef struct lin_assignment {
  uint32_t guard;
  uint32_t value;
  const struct lin_assignment *next;
} lin_assignment;

// The one to `guard`, or NULL. O(length of the list).
static inline const lin_assignment *lin_assignment_to(const lin_assignment *list, uint32_t guard) {
  while (list != NULL && list->guard != guard)
    list = list->next;
  return list;
}

typedef struct lin_flow {
  const lin_plan *plan;
  lin_graph *graph; // in loop-contiguous order
  lin_loops *loops;
  lin_tree *dominators;
  lin_block *original;     // [num_blocks] block of the plan's graph; LIN_NONE for a new block
  lin_edge *original_edge; // [num_edges] edge of the plan's graph; LIN_NONE if from a guard block
  const uint32_t *node;    // [num_blocks] the if or loop that a guard block tests, else LIN_NONE
  const lin_assignment **assigned; // [num_edges] what the edge sets
  bool *leaves;                    // [num_edges] the edge leaves a leaf or enters a region
  lin_block *header;   // [nodes of the plan] for a loop the block where it goes around to
  lin_block *place;    // [blocks of the plan's graph] their number here
  uint32_t num_guards; // guard blocks
} lin_flow;

// Lowers the plan. O(edges log blocks + blocks * nesting).
lin_flow *lin_flow_build(lin_arena *arena, const lin_plan *plan);

#endif
