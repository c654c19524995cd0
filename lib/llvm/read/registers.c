#include "registers.h"

#include "llvm/ask/calls.h"
#include "llvm/ask/effects.h"
#include "llvm/ask/launch_bounds.h"
#include "llvm/ask/names.h"

static bool is_known(LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  return LLVMIsAInlineAsm(called) != NULL || LLVMGetIntrinsicID(called) != 0 ||
         lin_ir_called_by(call) != NULL || lin_ir_is_of_runtime(lin_ir_called_name(call));
}

static bool calls_known_alone(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (LLVMIsACallInst(at) != NULL && !is_known(at))
        return false;
  return true;
}

// Whether all that is called from the kernel stands in this module, or is of CUDA's runtime.
static bool is_whole(LLVMValueRef kernel) {
  lin_arena arena = {0};
  const lin_ir_called called = lin_ir_find_called(&arena, kernel);
  bool whole = true;
  for (uint32_t i = 0; i < called.count && whole; i++)
    whole = calls_known_alone(called.function[i]);
  lin_arena_release(&arena);
  return whole;
}

void lin_ir_limit_registers(LLVMValueRef function, uint32_t limit) {
  if (!lin_ir_is_bounded(function) && is_whole(function))
    lin_ir_bound_registers(function, limit);
}
