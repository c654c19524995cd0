#include "cost.h"

#include "gpu/costs.h"

#include <stdbool.h>
#include <string.h>

static uint32_t cost_of_call(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  if (LLVMIsAInlineAsm(callee) != NULL)
    return *LLVMGetInlineAsmAsmString(callee, &length) == '\0' ? 0 : LIN_COST_FEW;
  if (LLVMIsAFunction(callee) == NULL)
    return LIN_COST_MANY;
  unsigned id = LLVMGetIntrinsicID(callee);
  const char *name = LLVMGetValueName2(callee, &length);
  if (id == 0)
    return LIN_COST_MANY;
  bool is_nothing = strncmp(name, "llvm.lifetime.", 14) == 0 ||
                    strncmp(name, "llvm.dbg.", 9) == 0 || strncmp(name, "llvm.assume", 11) == 0;
  bool is_root = strncmp(name, "llvm.sqrt.", 10) == 0; // rounded, as a division is
  return is_nothing ? 0 : is_root ? LIN_COST_MANY : LIN_COST_FEW;
}

static uint32_t cost_of_scalar(LLVMValueRef at) {
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMPHI:
  case LLVMBitCast:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMFreeze:
  case LLVMBr:
  case LLVMSwitch:
  case LLVMRet:
  case LLVMUnreachable:
  case LLVMAlloca:
    return 0;
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return LIN_COST_FEW;
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
  case LLVMFDiv:
  case LLVMFRem:
    return LIN_COST_MANY;
  case LLVMCall:
    return cost_of_call(at);
  default:
    return LIN_COST_SIMPLE;
  }
}

uint32_t lin_ir_cost(LLVMValueRef at) {
  LLVMTypeRef type = LLVMTypeOf(at);
  uint32_t lanes = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
  return lanes * cost_of_scalar(at);
}
