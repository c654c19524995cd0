// A copy of a block for some of the edges that lead to it:
//
//      a   b            a   b
//       ╲ ╱             │   │
//        m       ==>    m'  m          m' for what comes from a
//       ╱ ╲            ╱ ╲ ╱ ╲
//      c   d          c   ⋯   d
#ifndef LIN_LLVM_EDIT_COPY_H
#define LIN_LLVM_EDIT_COPY_H

#include "graph/loops.h"
#include "llvm/ask/numbers.h"
#include "llvm/ask/versions.h"

// A loop of the ordered graph, for LLVM's blocks.
typedef struct lin_ir_loop {
  const lin_numbers *number; // of the blocks (lin_ir_number_blocks)
  const lin_loops *loops;
  uint32_t loop;
} lin_ir_loop;

// Also of blocks that are new. O(1).
static inline bool lin_ir_is_outside(const lin_ir_loop *l, LLVMBasicBlockRef block) {
  lin_block number = lin_numbers_find(l->number, block);
  return number == LIN_NONE || !lin_loop_contains(l->loops, l->loop, number);
}

// What the block computes is used in it, in phis behind its edges, behind `exit`, and in those
// blocks of the loop that all ways from the copy reach through the block.
typedef struct lin_ir_copying {
  LLVMBasicBlockRef block;
  lin_ir_loop loop;        // that it is in
  const lin_numbers *from; // the blocks of which the edges lead to the copy
  LLVMBasicBlockRef only;  // the successor of the copy, which asks nothing; NULL: the block's
  LLVMBasicBlockRef exit;  // outside of the loop, where nothing but the block leads; or NULL
  const char *name;        // of the copy, and of what it computes
} lin_ir_copying;

// Makes the copy, which is put at the end of the function, and joins what both compute behind
// `exit`. Returns it. O(instructions of the block, and their uses).
LLVMBasicBlockRef lin_ir_copy_block(lin_arena *arena, const lin_ir_copying *copying);

#endif
