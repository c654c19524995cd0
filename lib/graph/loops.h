// Loop forest, irreducible loops included.
//
// A loop is a maximal strongly connected set of blocks with an edge inside it; its header is the
// block of it that a depth-first walk from the entry meets first; the loops nested in it are those
// of the set without its header. Loop 0 is the whole function (its header is the entry block), so
// every block is in a loop and every loop but 0 has a parent.
#ifndef LIN_GRAPH_LOOPS_H
#define LIN_GRAPH_LOOPS_H

#include "tree.h"

typedef struct lin_loops {
  uint32_t num_loops; // at least 1
  uint32_t *loop_of;  // [num_blocks] the innermost loop of each block
  lin_block *header;  // [num_loops]
  bool *irreducible;  // [num_loops] entered at more than its header; false for loop 0
  lin_tree *tree;     // over loops, root 0
} lin_loops;

// All blocks of `graph` are reachable from block 0. Havlak's algorithm ("Nesting of Reducible and
// Irreducible Loops", 1997) with Ramalingam's correction ("Identifying Loops in Almost Linear
// Time", 1999): O(edges log blocks).
lin_loops *lin_loops_build(lin_arena *arena, const lin_graph *graph);

// Of each loop the last block that all its iterations come by, among those that dominate the
// sources of its edges back; LIN_NONE for loop 0. [num_loops], in the arena. O(edges log blocks).
lin_block *lin_loops_last(lin_arena *arena, const lin_loops *loops, const lin_graph *graph,
                          const lin_tree *dominators);

// True if `block` is in `loop` or in a loop nested in it. O(1).
static inline bool lin_loop_contains(const lin_loops *loops, uint32_t loop, lin_block block) {
  return lin_tree_contains(loops->tree, loop, loops->loop_of[block]);
}

// The loop that `edge` goes around, to its header; 0 if it goes around none. O(1).
static inline uint32_t lin_loop_around(const lin_loops *loops, const lin_graph *graph,
                                       lin_edge edge) {
  lin_block to = graph->destination[edge];
  uint32_t loop = loops->loop_of[to];
  bool around = loops->header[loop] == to && lin_loop_contains(loops, loop, graph->source[edge]);
  return around ? loop : 0;
}

// The outermost loop around `block`, or 0. O(log loops).
static inline uint32_t lin_loops_outermost(const lin_loops *loops, lin_block block) {
  const uint32_t loop = loops->loop_of[block];
  return loop == 0 ? 0 : lin_tree_ancestor(loops->tree, loop, 1);
}

// The innermost loop that contains both blocks. O(log loops).
static inline uint32_t lin_loops_common(const lin_loops *loops, lin_block a, lin_block b) {
  return lin_tree_meet(loops->tree, loops->loop_of[a], loops->loop_of[b]);
}

#endif
