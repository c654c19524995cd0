#include "gather.h"

#include "merge.h"
#include "llvm/edit/move.h"
#include "llvm/edit/split.h"

static bool leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (LLVMGetSuccessor(end, i) == to)
      return true;
  return false;
}

// Edges to `way`, and its phis, become those of the block of `flag`, which is `value` for them.
static void move_way(lin_arena *arena, LLVMBuilderRef builder, LLVMBasicBlockRef way,
                     LLVMValueRef flag, bool value) {
  LLVMValueRef set = LLVMConstInt(LLVMTypeOf(flag), value, false), at, next;
  LLVMPositionBuilderBefore(builder, flag);
  for (at = LLVMGetFirstInstruction(way); LLVMIsAPHINode(at) != NULL; at = next) {
    next = LLVMGetNextInstruction(at);
    lin_ir_move_instruction(arena, builder, at);
  }
  LLVMUseRef use;
  while ((use = LLVMGetFirstUse(LLVMBasicBlockAsValue(way))) != NULL) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(LLVMGetUser(use));
    lin_ir_set_use(use, LLVMBasicBlockAsValue(LLVMGetInstructionParent(flag)));
    LLVMAddIncoming(flag, &set, &from, 1);
  }
}

// Nobody reads a phi who comes by an edge that it doesn't know.
static void complete(LLVMValueRef phi, LLVMValueRef flag) {
  LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(phi));
  const unsigned known = LLVMCountIncoming(phi);
  for (unsigned i = 0; i < LLVMCountIncoming(flag); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(flag, i);
    unsigned k = 0;
    while (k < known && LLVMGetIncomingBlock(phi, k) != from)
      k++;
    if (k == known)
      LLVMAddIncoming(phi, &none, &from, 1);
  }
}

void lin_ir_meld_gather(lin_arena *arena, const lin_ir_operations *ops, const lin_gathering *g) {
  LLVMBasicBlockRef run =
      lin_ir_operations_split(arena, ops, g->before, g->num_before, g->block, "linearize.way");
  LLVMBasicBlockRef around =
      lin_ir_operations_split(arena, ops, g->before, g->num_before, g->meeting, "linearize.way");
  LLVMBasicBlockRef *before = LIN_ARRAY(arena, LLVMBasicBlockRef, g->num_before);
  for (uint32_t i = 0; i < g->num_before; i++) {
    before[i] = ops->block[g->before[i]];
    if (leads_to(before[i], run) && leads_to(before[i], around))
      (void)lin_ir_split_edges(run, &before[i], 1, "linearize.way");
  }
  LLVMValueRef function = LLVMGetBasicBlockParent(run);
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMBasicBlockRef gate = LLVMInsertBasicBlockInContext(context, run, "linearize.gate");
  LLVMPositionBuilderAtEnd(builder, gate);
  LLVMValueRef flag = LLVMBuildPhi(builder, LLVMInt1TypeInContext(context), "");
  move_way(arena, builder, run, flag, true);
  move_way(arena, builder, around, flag, false);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(gate); phi != flag;
       phi = LLVMGetNextInstruction(phi))
    complete(phi, flag);
  LLVMPositionBuilderAtEnd(builder, gate);
  LLVMBuildCondBr(builder, flag, run, around);
  LLVMDisposeBuilder(builder);
  lin_ir_repair_uses(before, g->num_before);
}
