// Answers about graphs straight from their definitions, by searching: slow, simple, and sharing no
// code with lib/graph but the arrays of the graph itself.
#ifndef LIN_TEST_BRUTE_FORCE_H
#define LIN_TEST_BRUTE_FORCE_H

#include "graph/graph.h"

// Marks the blocks that `from` reaches over blocks other than `without` (LIN_NONE: over any) and
// edges that are not `dropped` (NULL: over any). `from` == `without` reaches nothing.
bool *brute_reach(lin_arena *arena, const lin_graph *graph, lin_block from, lin_block without,
                  const bool *dropped);

// The reachable part of `graph`, blocks in the order they had.
lin_graph *brute_reachable_part(lin_arena *arena, const lin_graph *graph);

// 0 if a block reaches a return, else 1 if it reaches a trap, else 2.
uint8_t *brute_fates(lin_arena *arena, const lin_graph *graph);

// Where threads end their stay: returns, traps, and of each loop that can't be left the block with
// the highest number.
bool *brute_exits(lin_arena *arena, const lin_graph *graph, const uint8_t *fates);

// Preorder numbers of the depth-first walk from the entry that takes successors in order.
uint32_t *brute_preorder(lin_arena *arena, const lin_graph *graph);

// Loops are called by their headers; LIN_NONE is no loop.
typedef struct brute_loops {
  uint32_t count;
  lin_block *around; // [num_blocks] the innermost loop around a block
  lin_block *parent; // [num_blocks] for headers, the loop around the loop
  bool *irreducible; // [num_blocks] for headers
} brute_loops;

// All blocks are reachable.
brute_loops *brute_loops_of(lin_arena *arena, const lin_graph *graph);

bool brute_loop_contains(const brute_loops *loops, lin_block header, lin_block block);

#endif
