#include "known.h"

#include "read.h"
#include "llvm/ask/operations.h"
#include "llvm/ask/questions.h"

enum { MOST_KNOWN = 8 }; // conditions of a block that are known

static const lin_known unknown = {0, false};

// `value`, where the block that joins it is entered from `from`.
static LLVMValueRef value_from(LLVMValueRef value, LLVMBasicBlockRef block,
                               LLVMBasicBlockRef from) {
  bool joined = LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == block;
  return joined ? lin_ir_incoming(value, from) : value;
}

// The conditions that are known in `block` for those who come from `from`.
typedef struct known {
  LLVMBasicBlockRef block, from;
  LLVMValueRef value[MOST_KNOWN];
  lin_known number[MOST_KNOWN];
  uint32_t count;
} known;

static lin_known recall(const known *k, LLVMValueRef value) {
  value = value_from(value, k->block, k->from);
  if (LLVMIsAConstantInt(value) && lin_ir_width(value) > 0)
    return lin_know(LLVMConstIntGetZExtValue(value), lin_ir_width(value));
  for (uint32_t i = 0; i < k->count; i++)
    if (k->value[i] == value)
      return k->number[i];
  return unknown;
}

static lin_known conclude(const known *k, LLVMValueRef at) {
  bool swaps;
  lin_op op = lin_ir_operation(at, &swaps);
  if (op == LIN_OP_FUNCTION)
    return unknown;
  lin_known of[3] = {unknown, unknown, unknown};
  for (int i = 0; i < LLVMGetNumOperands(at) && i < 3; i++)
    of[i] = recall(k, LLVMGetOperand(at, (unsigned)i));
  return lin_op_apply(op, lin_ir_width(at), lin_ir_width(LLVMGetOperand(at, 0)), of[swaps],
                      of[!swaps], of[2]);
}

// What `condition` of `block` is for those who come from `from`.
static lin_known ask(LLVMValueRef condition, LLVMBasicBlockRef block, LLVMBasicBlockRef from) {
  known k = {.block = block, .from = from};
  LLVMTypeRef flag = LLVMTypeOf(condition);
  for (LLVMValueRef at = LLVMGetFirstInstruction(block);
       !LLVMIsATerminatorInst(at) && k.count < MOST_KNOWN; at = LLVMGetNextInstruction(at)) {
    lin_known found = LLVMTypeOf(at) == flag && !LLVMIsAPHINode(at) ? conclude(&k, at) : unknown;
    if (!found.known)
      continue;
    k.value[k.count] = at;
    k.number[k.count++] = found;
  }
  return recall(&k, condition);
}

LLVMBasicBlockRef lin_ir_next_from(LLVMBasicBlockRef block, LLVMBasicBlockRef from) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
  LLVMValueRef condition = lin_ir_condition(block);
  if (condition != NULL) {
    lin_known taken = ask(condition, block, from);
    return taken.known ? LLVMGetSuccessor(terminator, taken.number == 0) : NULL;
  }
  if (!LLVMIsASwitchInst(terminator))
    return NULL;
  LLVMValueRef value = value_from(LLVMGetOperand(terminator, 0), block, from);
  if (!LLVMIsAConstantInt(value))
    return NULL;
  for (unsigned i = 1; i < LLVMGetNumSuccessors(terminator); i++)
    if (lin_ir_case(terminator, i) == value)
      return LLVMGetSuccessor(terminator, i);
  return LLVMGetSuccessor(terminator, 0);
}
