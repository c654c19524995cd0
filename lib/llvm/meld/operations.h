// The instructions of a function as melding sees them (meld/meld.h).
#ifndef LIN_LLVM_MELD_OPERATIONS_H
#define LIN_LLVM_MELD_OPERATIONS_H

#include "meld/meld.h"
#include "llvm/read/function.h"

typedef struct lin_ir_operations {
  lin_meld_code code;
  const lin_order *order;
  LLVMBasicBlockRef *block; // [num_blocks] of the ordered graph
  LLVMValueRef *llvm;       // [code.num_ops]
} lin_ir_operations;

// Reads nothing but LLVM's code and the function's graph. O(instructions and their operands, edges
// log blocks).
lin_ir_operations *lin_ir_operations_read(lin_arena *arena, const lin_ir_function *f);

// The places of blocks in blocks[count], which may be NULL or stand there twice. O(count).
lin_numbers lin_ir_meld_number(lin_arena *arena, LLVMBasicBlockRef const *blocks, uint32_t count);

// Whether a block still has the instructions that it was read with. O(instructions).
bool lin_ir_operations_hold(const lin_ir_operations *ops, lin_block block);

// Puts a new block on the edges to `to` from those of from[count] that have one, and returns it.
// O(edges of these), and what lin_ir_split_edges takes.
LLVMBasicBlockRef lin_ir_operations_split(lin_arena *arena, const lin_ir_operations *ops,
                                          const lin_block *from, uint32_t count, lin_block to,
                                          const char *name);

#endif
