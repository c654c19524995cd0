// What llc and ptxas do to a graph before lanes run through it.
#ifndef LIN_SIMT_RESHAPE_H
#define LIN_SIMT_RESHAPE_H

#include "graph/graph.h"

typedef struct simt_reshaped {
  const lin_graph *graph; // the given blocks, then copies and rests
  lin_block *origin;      // [graph->num_blocks] the given block
  uint32_t *peeled;       // [graph->num_blocks] the successor that a peeled switch tests first, for
                          // its rest, too; 0: not peeled
  bool *is_rest;          // [graph->num_blocks]
} simt_reshaped;

// 1. If `split`: ptxas copies the one block between the entries of a loop that has two, so that the
//    loop has one; a loop with more between its entries, or more entries, stays as it is.
//
//        begin ─▶ a ◀─┐            begin ─▶ b' ─▶ a ◀─┐
//          └────▶ b ──┘    ==>       └──────────▶ a ─▶ b
//
// 2. llc peels a switch of which one case stays in the loop while all other ways leave it: that
//    case has a branch of its own, so that lanes that leave meet before they part. (It does so for
//    a case that is taken with 66% or more, and holds a way back for 97%.)
//
//        loop ◀─┐          loop ◀─┐
//         ▼     │           ▼     │
//        switch ┘           test ─┘
//         ├─▶ a      ==>     └─▶ rest ─▶ a
//         └─▶ b                   └────▶ b
//
// Seen with LLVM 22 and ptxas 13.0. O(edges log blocks).
simt_reshaped *simt_reshape(lin_arena *arena, const lin_graph *graph, bool split);

#endif
