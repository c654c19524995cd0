#include "coherent.h"

#include "effects.h"
#include "gpu/target.h"
#include "names.h"

#include <stdint.h>

enum { MOST_STEPS = 8, LOG_WARP = 5 };

// What a value is to the threads of a warp.
typedef enum kind {
  SAME,   // the same
  NUMBER, // rises by one from thread to thread
  RISING, // rises, or falls
  OTHER,
} kind;

static kind larger(kind a, kind b) {
  if (a > b)
    return a;
  return b;
}

static kind kind_of_call(LLVMValueRef call) {
  const lin_nvptx *read = lin_ir_register_read(call);
  if (lin_nvptx_is(read, LIN_NVPTX_TID)) // most warps are of one row
    return lin_nvptx_axis(read) == 0 ? NUMBER : SAME;
  return read != NULL && read->gives <= LIN_GIVES_WARP ? SAME : OTHER;
}

// A number over a constant: the same for all threads if that is 32 or more.
static kind kind_of_part(kind whole, LLVMValueRef divisor, uint64_t least) {
  if (whole == SAME)
    return SAME;
  if (LLVMIsAConstantInt(divisor) == NULL)
    return OTHER;
  return whole == NUMBER && LLVMConstIntGetZExtValue(divisor) >= least ? SAME : RISING;
}

// Where the number within a thread block is compared with less than 32, a warp parts in each block.
static bool is_of_one_warp(LLVMValueRef comparison) {
  LLVMValueRef bound = LLVMGetOperand(comparison, 1);
  return LLVMIsAConstantInt(bound) != NULL && LLVMGetIntTypeWidth(LLVMTypeOf(bound)) <= 64 &&
         LLVMConstIntGetZExtValue(bound) < LIN_WARP;
}

// The parameters of a kernel are the same for all of its threads, but where a thread has its copy.
static kind kind_of_parameter(LLVMValueRef parameter) {
  LLVMValueRef function = LLVMGetParamParent(parameter);
  const bool is_kernel = LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv;
  return is_kernel && !lin_ir_is_by_value(parameter) ? SAME : OTHER;
}

// What is known of a value by itself.
static kind kind_of_leaf(LLVMValueRef value) {
  if (LLVMIsConstant(value))
    return SAME;
  if (LLVMIsAArgument(value) != NULL)
    return kind_of_parameter(value);
  return LLVMIsACallInst(value) != NULL ? kind_of_call(value) : OTHER;
}

// By how many of its operands, the first ones, an instruction is known; 0: by none.
static unsigned num_asked(LLVMValueRef value) {
  if (LLVMIsAInstruction(value) == NULL)
    return 0;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMLoad:
  case LLVMIntToPtr:
  case LLVMPtrToInt:
  case LLVMAddrSpaceCast:
    return 1;
  case LLVMGetElementPtr:
    return (unsigned)LLVMGetNumOperands(value);
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMICmp:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMURem:
  case LLVMSRem:
    return 2;
  case LLVMSelect:
    return 3;
  default:
    return 0;
  }
}

// What an instruction computes of operands of which the largest kind is `all`.
static kind kind_of_result(LLVMValueRef value, kind all) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
  case LLVMAdd:
    return all;
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
    return all == NUMBER ? RISING : all;
  case LLVMLShr:
  case LLVMAShr:
    return kind_of_part(all, LLVMGetOperand(value, 1), LOG_WARP);
  case LLVMUDiv:
  case LLVMSDiv:
    return kind_of_part(all, LLVMGetOperand(value, 1), LIN_WARP);
  case LLVMICmp:
    return all == SAME || (all != OTHER && !is_of_one_warp(value)) ? SAME : OTHER;
  default: // a load from one place, too
    return all == SAME ? SAME : OTHER;
  }
}

typedef struct asked {
  LLVMValueRef value;
  unsigned next; // operand
  kind all;      // the largest of those before
} asked;

// An instruction that is MOST_STEPS behind is OTHER.
static kind kind_of(LLVMValueRef value) {
  asked stack[MOST_STEPS] = {{value, 0, SAME}};
  if (num_asked(value) == 0)
    return kind_of_leaf(value);
  for (unsigned depth = 1;;) {
    asked *top = &stack[depth - 1];
    if (top->next < num_asked(top->value)) {
      LLVMValueRef operand = LLVMGetOperand(top->value, top->next++);
      if (num_asked(operand) == 0)
        top->all = larger(top->all, kind_of_leaf(operand));
      else if (depth < MOST_STEPS)
        stack[depth++] = (asked){operand, 0, SAME};
      else
        top->all = OTHER;
      continue;
    }
    kind result = kind_of_result(top->value, top->all);
    if (--depth == 0)
      return result;
    stack[depth - 1].all = larger(stack[depth - 1].all, result);
  }
}

bool lin_ir_is_coherent(LLVMValueRef terminator) {
  return LLVMGetInstructionOpcode(terminator) == LLVMBr && LLVMIsConditional(terminator) &&
         kind_of(LLVMGetCondition(terminator)) == SAME;
}
