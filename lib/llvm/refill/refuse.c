// What a refilled kernel may have: the instructions of kernels whose threads are alone, slots of a
// size that is known in the entry, branches, switches, returns and ends that aren't reached.
#include "refill.h"

#include "llvm/ask/target.h"
#include "llvm/regroup/points.h"

enum { LANES_APART = 70 }; // from sm_70 on lanes of a warp reconverge where a vote asks for them

static const char *refuse_slot(LLVMValueRef at) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
  if (LLVMIsAConstantInt(LLVMGetOperand(at, 0)) != NULL &&
      block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block)))
    return NULL;
  return "it takes stack memory as it goes (alloca)";
}

static const char *refuse(LLVMValueRef at) {
  lin_ir_point point;
  if (LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMTokenTypeKind)
    return "it has tokens, which no variable can hold";
  if (lin_ir_is_point(at, &point))
    return "its threads are regrouped here (linearize_reorder)";
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMAlloca:
    return refuse_slot(at);
  case LLVMIndirectBr:
    return "it branches to an address";
  case LLVMInvoke:
  case LLVMCallBr:
  case LLVMResume:
  case LLVMCatchSwitch:
  case LLVMCatchRet:
  case LLVMCleanupRet:
    return "it has a branch that is none of CUDA's";
  default:
    return NULL;
  }
}

const char *lin_ir_refuse_refill(LLVMValueRef kernel, LLVMValueRef *where) {
  const char *why = NULL;
  *where = NULL;
  if (lin_ir_target(kernel)->sm < LANES_APART)
    return "lanes of GPUs below sm_70 can't reconverge wherever they are";
  if (lin_ir_is_regrouped(kernel))
    return "its threads are regrouped (linearize_reorder)";
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block != NULL && why == NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL && why == NULL;
         at = LLVMGetNextInstruction(at)) {
      why = refuse(at);
      *where = why == NULL ? NULL : at;
    }
  return why;
}
