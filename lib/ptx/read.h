// The graph of a function.
//
// A block begins at a label that a branch names, and behind whatever may branch; blocks keep the
// order of the text. Two instructions are one branch, as compilers write it:
//
//     @%p1 bra $L1;          edges: $L1, $L2
//     bra.uni  $L2;
//
// A return under a predicate leads to a block of its own, which has no text; these come last:
//
//     @%p1 ret;              edges: the return, what follows
#ifndef LIN_PTX_READ_H
#define LIN_PTX_READ_H

#include "body.h"

typedef struct lin_ptx_block {
  uint32_t first, behind; // its instructions
  uint32_t label;         // at its beginning, or LIN_NONE
  uint32_t branch;        // its last instruction, if that may branch; else LIN_NONE: it goes on
  uint32_t second;        // the `bra` behind a `bra` under a predicate, or LIN_NONE
  lin_block returns;      // where its return under a predicate leads, or LIN_NONE
  uint32_t line;          // of the input
  uint32_t start;         // its place in the text, from its label on
} lin_ptx_block;

typedef struct lin_ptx_function {
  const lin_ptx_body *body;
  lin_graph *graph;
  lin_ptx_block *block; // [graph->num_blocks]
  uint32_t num_written; // blocks that have text; the returns under predicates follow
} lin_ptx_function;

// Reads the graph of a body that isn't refused. Lives in the arena. O(length of the body).
lin_ptx_function *lin_ptx_read(lin_arena *arena, const lin_ptx_body *body);

#endif
