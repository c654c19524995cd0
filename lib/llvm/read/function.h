// A function of LLVM beside its graph: which block is which, and small questions of its
// instructions.
#ifndef LIN_LLVM_READ_FUNCTION_H
#define LIN_LLVM_READ_FUNCTION_H

#include "graph/graph.h"
#include "graph/order.h"
#include "llvm/ask/numbers.h"
#include "llvm/ask/versions.h"

typedef struct lin_ir_function {
  LLVMValueRef function;
  lin_graph *graph;         // blocks in the function's order, names as LLVM prints them
  LLVMBasicBlockRef *block; // [graph->num_blocks]
  const char *refused;      // why the function as a whole is refused, or NULL
  lin_block refused_at;     // the block at fault, LIN_NONE for the function itself
} lin_ir_function;

// LLVM's block of the number that `order`, of the function's graph with its returns united, gives
// it. O(1).
static inline LLVMBasicBlockRef lin_ir_block(const lin_ir_function *f, const lin_order *order,
                                             lin_block ordered) {
  return f->block[order->origin[ordered]];
}

// These numbers, of all blocks that the function has and can reach. O(blocks).
lin_numbers lin_ir_number_blocks(lin_arena *arena, const lin_ir_function *f,
                                 const lin_order *order);

// Which operand of its user a use is. O(operands).
unsigned lin_ir_operand(LLVMUseRef use);

// Has the user of a use read `value` instead. The use is none of the former value any more.
// O(operands).
void lin_ir_set_use(LLVMUseRef use, LLVMValueRef value);

// The block in which a use reads: a phi reads an operand at the end of the block that it comes
// from. O(operands).
LLVMBasicBlockRef lin_ir_place_of(LLVMUseRef use);

// What the branch at the end of a block asks, or NULL if it has no condition or is another
// terminator. O(1).
LLVMValueRef lin_ir_condition(LLVMBasicBlockRef block);

#endif
