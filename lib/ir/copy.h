// A copy of a block for some of the edges that lead to it:
//
//      a   b            a   b
//       ╲ ╱             │   │
//        m       ==>    m'  m          m' for what comes from a
//       ╱ ╲            ╱ ╲ ╱ ╲
//      c   d          c   ⋯   d
#ifndef LIN_IR_COPY_H
#define LIN_IR_COPY_H

#include "graph/arena.h"
#include "llvm_versions.h"

#include <stdbool.h>

typedef struct lin_ir_copying {
  LLVMBasicBlockRef block;
  LLVMBasicBlockRef only; // the successor of the copy, which asks nothing; NULL: those of the block
  LLVMBasicBlockRef exit; // behind the block, and nothing else leads there; or NULL
  const char *name;       // of the copy, and of what it computes

  // Whether edges from `from` lead to the copy, and whether `place`, neither the block nor the
  // copy, is behind `exit`. What the block computes is used in the block, in phis behind its edges,
  // behind `exit`, and where nobody comes from the copy but through the block.
  bool (*leads_to_copy)(const void *context, LLVMBasicBlockRef from);
  bool (*is_behind)(const void *context, LLVMBasicBlockRef place);
  const void *context;
} lin_ir_copying;

// Whether a copy of the instruction does what it does.
bool lin_ir_may_stand_twice(LLVMValueRef instruction);

// Makes the copy, which is put at the end of the function, and joins what both compute behind
// `exit`. Returns it. O(instructions of the block, and their uses).
LLVMBasicBlockRef lin_ir_copy_block(lin_arena *arena, const lin_ir_copying *copying);

#endif
