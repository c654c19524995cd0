#include "function.h"

#include <assert.h>

lin_numbers lin_ir_number_blocks(lin_arena *arena, const lin_ir_function *f,
                                 const lin_order *order) {
  lin_numbers numbers = {0};
  for (lin_block block = 0; block < order->graph->num_blocks; block++)
    if (order->origin[block] < f->graph->num_blocks) // not where returns are united
      lin_numbers_add(arena, &numbers, lin_ir_block(f, order, block), block);
  return numbers;
}

// The uses of a user stand one behind the other, and a phi may have very many.
unsigned lin_ir_operand(LLVMUseRef use) {
  LLVMValueRef user = LLVMGetUser(use);
  uintptr_t first = (uintptr_t)LLVMGetOperandUse(user, 0);
  if ((uintptr_t)use == first)
    return 0;
  uintptr_t size = (uintptr_t)LLVMGetOperandUse(user, 1) - first;
  unsigned operand = (unsigned)(((uintptr_t)use - first) / size);
  assert(LLVMGetOperandUse(user, operand) == use);
  return operand;
}

void lin_ir_set_use(LLVMUseRef use, LLVMValueRef value) {
  LLVMSetOperand(LLVMGetUser(use), lin_ir_operand(use), value);
}

LLVMBasicBlockRef lin_ir_place_of(LLVMUseRef use) {
  LLVMValueRef user = LLVMGetUser(use);
  return LLVMIsAPHINode(user) ? LLVMGetIncomingBlock(user, lin_ir_operand(use))
                              : LLVMGetInstructionParent(user);
}

LLVMValueRef lin_ir_condition(LLVMBasicBlockRef block) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
  return LLVMIsABranchInst(branch) && LLVMIsConditional(branch) ? LLVMGetCondition(branch) : NULL;
}
