#include "known.h"

#include "read.h"
#include "llvm/ask/questions.h"

enum { MOST_KNOWN = 8 }; // conditions of a block that are known

typedef enum answer { NO, YES, UNKNOWN } answer;

static answer opposite(answer a) { return a == UNKNOWN ? UNKNOWN : a == YES ? NO : YES; }

// `value`, where the block that joins it is entered from `from`.
static LLVMValueRef value_from(LLVMValueRef value, LLVMBasicBlockRef block,
                               LLVMBasicBlockRef from) {
  bool joined = LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == block;
  return joined ? lin_ir_incoming(value, from) : value;
}

static answer compare(LLVMIntPredicate predicate, LLVMValueRef value, LLVMValueRef with) {
  if (!LLVMIsAConstantInt(value) || !LLVMIsAConstantInt(with) ||
      (predicate != LLVMIntEQ && predicate != LLVMIntNE))
    return UNKNOWN;
  return (value == with) == (predicate == LLVMIntEQ) ? YES : NO; // constants are unique
}

// Both are true, or one of them decides.
static answer combine(answer first, answer second, answer decides) {
  if (first == decides || second == decides)
    return decides;
  return first == UNKNOWN || second == UNKNOWN ? UNKNOWN : opposite(decides);
}

// What is known in `block` for those who come from `from`.
typedef struct known {
  LLVMBasicBlockRef block, from;
  LLVMValueRef value[MOST_KNOWN];
  answer answer[MOST_KNOWN];
  uint32_t count;
} known;

static answer recall(const known *k, LLVMValueRef value) {
  value = value_from(value, k->block, k->from);
  if (LLVMIsAConstantInt(value))
    return LLVMConstIntGetZExtValue(value) != 0 ? YES : NO;
  for (uint32_t i = 0; i < k->count; i++)
    if (k->value[i] == value)
      return k->answer[i];
  return UNKNOWN;
}

static answer conclude(const known *k, LLVMValueRef at) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
  if (opcode == LLVMICmp)
    return compare(LLVMGetICmpPredicate(at), value_from(LLVMGetOperand(at, 0), k->block, k->from),
                   LLVMGetOperand(at, 1));
  if (opcode != LLVMAnd && opcode != LLVMOr && opcode != LLVMXor && opcode != LLVMSelect)
    return UNKNOWN;
  answer first = recall(k, LLVMGetOperand(at, 0)), second = recall(k, LLVMGetOperand(at, 1));
  switch (opcode) {
  case LLVMAnd:
    return combine(first, second, NO);
  case LLVMOr:
    return combine(first, second, YES);
  case LLVMXor:
    return first == UNKNOWN ? UNKNOWN : first == YES ? opposite(second) : second;
  default: {
    answer third = recall(k, LLVMGetOperand(at, 2));
    return first == YES ? second : first == NO || second == third ? third : UNKNOWN;
  }
  }
}

// What `condition` of `block` is for those who come from `from`.
static answer ask(LLVMValueRef condition, LLVMBasicBlockRef block, LLVMBasicBlockRef from) {
  known k = {.block = block, .from = from};
  LLVMTypeRef flag = LLVMTypeOf(condition);
  for (LLVMValueRef at = LLVMGetFirstInstruction(block);
       !LLVMIsATerminatorInst(at) && k.count < MOST_KNOWN; at = LLVMGetNextInstruction(at)) {
    answer found = LLVMTypeOf(at) == flag && !LLVMIsAPHINode(at) ? conclude(&k, at) : UNKNOWN;
    if (found == UNKNOWN)
      continue;
    k.value[k.count] = at;
    k.answer[k.count++] = found;
  }
  return recall(&k, condition);
}

LLVMBasicBlockRef lin_ir_next_from(LLVMBasicBlockRef block, LLVMBasicBlockRef from) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
  LLVMValueRef condition = lin_ir_condition(block);
  if (condition != NULL) {
    answer taken = ask(condition, block, from);
    return taken == UNKNOWN ? NULL : LLVMGetSuccessor(terminator, taken == YES ? 0 : 1);
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
