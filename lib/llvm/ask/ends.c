#include "ends.h"

#include "calls.h"
#include "effects.h"
#include "gpu/nvptx.h"
#include "names.h"

#include <string.h>

static const char *name_of(LLVMValueRef function) {
  size_t length;
  return LLVMGetValueName2(function, &length);
}

static bool is_volatile_copy(LLVMValueRef at, const char *name) {
  return lin_ir_begins_with(name, "llvm.mem") &&
         LLVMConstIntGetZExtValue(LLVMGetOperand(at, (unsigned)LLVMGetNumOperands(at) - 2)) != 0;
}

// Of NVPTX's own, what computes, and what threads of a block or of a warp wait at for each other.
static bool intrinsic_ends(LLVMValueRef at, LLVMValueRef called) {
  LLVMValueRef callee;
  const char *name = name_of(called);
  const uint32_t effects = lin_ir_own_effects(at, &callee);
  if ((effects & (LIN_POLLS | LIN_MAY_SPIN)) != 0 || is_volatile_copy(at, name))
    return false;
  return lin_nvptx_behind(name) == NULL || lin_ir_never_writes(called) ||
         (effects & (LIN_WAITS | LIN_CROSS_LANE)) != 0;
}

static bool call_ends(LLVMValueRef at) {
  LLVMValueRef called = LLVMGetCalledValue(at), callee = NULL;
  if (LLVMIsAInlineAsm(called) != NULL)
    return lin_ir_is_arithmetic(called) || (lin_ir_only_passes(at, &callee) && callee == NULL);
  if (LLVMIsAFunction(called) == NULL)
    return false;
  if (LLVMGetIntrinsicID(called) != 0)
    return intrinsic_ends(at, called);
  return lin_ir_called_by(at) != NULL || lin_nvptx_behind_libdevice(name_of(called)) != NULL;
}

static bool instruction_ends(LLVMValueRef at) {
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMLoad:
    return lin_ir_is_plain_load(at);
  case LLVMAtomicRMW:
    return LLVMGetFirstUse(at) == NULL;
  case LLVMCall:
    return call_ends(at);
  case LLVMAtomicCmpXchg:
  case LLVMFence:
  case LLVMInvoke:
  case LLVMCallBr:
  case LLVMIndirectBr:
    return false;
  default:
    return true;
  }
}

static bool function_ends(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (!instruction_ends(at))
        return false;
  return true;
}

bool lin_ir_ends(lin_arena *arena, LLVMValueRef kernel) {
  const lin_ir_called called = lin_ir_find_called(arena, kernel);
  bool ends = true;
  for (uint32_t i = 0; i < called.count && ends; i++)
    ends = function_ends(called.function[i]);
  return ends;
}
