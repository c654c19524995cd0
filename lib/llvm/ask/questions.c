#include "questions.h"

#include "effects.h"

#include <assert.h>
#include <string.h>

LLVMValueRef lin_ir_incoming(LLVMValueRef phi, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == block)
      return LLVMGetIncomingValue(phi, i);
  assert(false && "a phi has a value for each edge");
  return NULL;
}

bool lin_ir_is_cheap(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFNeg:
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMSelect:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMBitCast:
  case LLVMGetElementPtr:
  case LLVMExtractElement:
    return LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVectorTypeKind;
  default:
    return false;
  }
}

LLVMValueRef lin_ir_only_reader(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use != NULL && LLVMGetNextUse(use) == NULL ? LLVMGetUser(use) : NULL;
}

LLVMBasicBlockRef lin_ir_only_entry(LLVMBasicBlockRef block) {
  LLVMValueRef branch = lin_ir_only_reader(LLVMBasicBlockAsValue(block));
  return branch == NULL ? NULL : LLVMGetInstructionParent(branch);
}

bool lin_ir_is_flag(LLVMValueRef value, bool wanted) {
  return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 1 &&
         (LLVMConstIntGetZExtValue(value) != 0) == wanted;
}

static bool has_attribute(LLVMValueRef call, LLVMValueRef callee, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return lin_ir_attribute(callee, name) != NULL ||
         LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) !=
             NULL;
}

bool lin_ir_may_stand_twice(LLVMValueRef instruction) {
  bool is_call = LLVMIsACallInst(instruction) != NULL;
  LLVMValueRef callee = is_call ? LLVMGetCalledValue(instruction) : NULL;
  if (LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMTokenTypeKind ||
      LLVMIsAAllocaInst(instruction) != NULL)
    return false;
  return callee == NULL ||
         (LLVMIsAFunction(callee) != NULL && !has_attribute(instruction, callee, "convergent") &&
          !has_attribute(instruction, callee, "noduplicate"));
}

LLVMValueRef lin_ir_added_to(LLVMValueRef value, LLVMValueRef next) {
  if (LLVMIsABinaryOperator(next) == NULL || LLVMGetInstructionOpcode(next) != LLVMAdd ||
      LLVMGetOperand(next, 0) != value)
    return NULL;
  return LLVMIsAConstantInt(LLVMGetOperand(next, 1));
}

LLVMOpcode lin_ir_opcode(LLVMValueRef value) {
  if (LLVMIsAInstruction(value) != NULL)
    return LLVMGetInstructionOpcode(value);
  return LLVMIsAConstantExpr(value) != NULL ? LLVMGetConstOpcode(value) : LLVMUnreachable;
}

bool lin_ir_is_kernel_parameter(LLVMValueRef value) {
  return LLVMIsAArgument(value) != NULL &&
         LLVMGetFunctionCallConv(LLVMGetParamParent(value)) == LLVMPTXKernelCallConv;
}

// The one pointer that a sum of integers is made of, or NULL.
//
//     (i32)@table + 4 * i - 8   is @table;   p - q + r   may be any
static LLVMValueRef pointer_in_sum(LLVMValueRef sum) {
  enum { MOST = 32 };
  struct {
    LLVMValueRef value;
    bool is_subtracted;
  } pending[MOST] = {{sum, false}}, at;
  LLVMValueRef found = NULL;
  for (uint32_t count = 1; count > 0;) {
    at = pending[--count];
    switch (lin_ir_opcode(at.value)) {
    case LLVMPtrToInt:
      if (found != NULL || at.is_subtracted)
        return NULL;
      found = LLVMGetOperand(at.value, 0);
      break;
    case LLVMAdd:
    case LLVMSub:
      if (count + 2 > MOST)
        return NULL;
      pending[count].value = LLVMGetOperand(at.value, 0);
      pending[count++].is_subtracted = at.is_subtracted;
      pending[count].value = LLVMGetOperand(at.value, 1);
      pending[count++].is_subtracted = at.is_subtracted || lin_ir_opcode(at.value) == LLVMSub;
      break;
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
      pending[count].value = LLVMGetOperand(at.value, 0);
      pending[count++].is_subtracted = at.is_subtracted;
      break;
    default:
      break;
    }
  }
  return found;
}

static LLVMValueRef pointer_of_integer(LLVMValueRef integer) {
  return lin_ir_is_kernel_parameter(integer) ? integer : pointer_in_sum(integer);
}

LLVMValueRef lin_ir_base(LLVMValueRef pointer) {
  for (;;)
    switch (lin_ir_opcode(pointer)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
      pointer = LLVMGetOperand(pointer, 0);
      break;
    case LLVMIntToPtr: {
      LLVMValueRef of = pointer_of_integer(LLVMGetOperand(pointer, 0));
      if (of == NULL)
        return pointer;
      pointer = of;
      break;
    }
    default:
      return pointer;
    }
}

bool lin_ir_is_of_any_order(LLVMAtomicRMWBinOp operation) {
  switch (operation) {
  case LLVMAtomicRMWBinOpAdd:
  case LLVMAtomicRMWBinOpSub:
  case LLVMAtomicRMWBinOpAnd:
  case LLVMAtomicRMWBinOpOr:
  case LLVMAtomicRMWBinOpXor:
  case LLVMAtomicRMWBinOpMax:
  case LLVMAtomicRMWBinOpMin:
  case LLVMAtomicRMWBinOpUMax:
  case LLVMAtomicRMWBinOpUMin:
    return true;
  default:
    return false;
  }
}
