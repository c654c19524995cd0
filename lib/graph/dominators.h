// Dominators and post-dominators.
//
// Post-dominance is dominance on the reversed graph with one virtual exit. Three kinds of blocks
// have to be told apart for it, by where their threads can end up (the block's fate):
//   LIN_RETURNS  a return can be reached
//   LIN_TRAPS    no return, but a trap can be reached
//   LIN_SPINS    neither: an infinite loop
// An edge to a block of a worse fate than its source is doomed: who takes it never comes back, so
// it must not make a region unstructured or wider, and post-dominance doesn't see it. Each fate has
// its own exits: returns; traps; for spinning blocks, of every loop that cannot be left, the block
// with the highest number: in an ordered graph, where an iteration ends.
#ifndef LIN_GRAPH_DOMINATORS_H
#define LIN_GRAPH_DOMINATORS_H

#include "tree.h"

enum { LIN_RETURNS, LIN_TRAPS, LIN_SPINS };

typedef struct lin_postdominators {
  lin_tree *tree; // over num_blocks + 1 nodes; its root is the virtual exit, number num_blocks
  uint8_t *fate;  // [num_blocks] LIN_RETURNS ...
  bool *doomed;   // [num_edges]
} lin_postdominators;

// The dominator tree of the blocks that `root` reaches; the others are not in the tree.
// Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979), with simple
// linking; O(edges log blocks).
lin_tree *lin_dominators_build(lin_arena *arena, const lin_graph *graph, lin_block root);

// Post-dominators, fates and doomed edges. `graph` has only reachable blocks, numbered so that 0
// reaches all. O(edges log blocks).
lin_postdominators *lin_postdominators_build(lin_arena *arena, const lin_graph *graph);

#endif
