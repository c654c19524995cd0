// What threads of either arm take where they are melded.
#include "state.h"

#include "merge.h"

static LLVMValueRef after_phis(LLVMBasicBlockRef block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  while (at != NULL && LLVMIsAPHINode(at) != NULL)
    at = LLVMGetNextInstruction(at);
  return at;
}

// An instruction at the top of a block that is replaced later.
static LLVMValueRef put_mark(melder *m, LLVMBasicBlockRef block, LLVMTypeRef type,
                             LLVMValueRef first, LLVMValueRef second) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
  LLVMValueRef at = after_phis(block);
  if (at == NULL)
    LLVMPositionBuilderAtEnd(builder, block);
  else
    LLVMPositionBuilderBefore(builder, at);
  LLVMValueRef made = LLVMBuildFreeze(builder, LLVMGetPoison(type), "");
  LLVMDisposeBuilder(builder);
  m->marks = LIN_ROOM(m->arena, m->marks, m->num_marks, &m->mark_capacity);
  m->marks[m->num_marks++] = (mark){{first, second}, made};
  return made;
}

static LLVMValueRef find_chosen(const melder *m, LLVMBasicBlockRef block, LLVMValueRef a,
                                LLVMValueRef b) {
  uint32_t at = lin_ir_meld_newest(&m->choosing, block);
  while (at != LIN_NONE && (m->choices[at].old[0] != a || m->choices[at].old[1] != b))
    at = m->choices[at].next;
  return at == LIN_NONE ? NULL : m->choices[at].value;
}

static LLVMValueRef keep_chosen(melder *m, LLVMBasicBlockRef block, LLVMValueRef a, LLVMValueRef b,
                                LLVMValueRef value) {
  m->choices = LIN_ROOM(m->arena, m->choices, m->num_choices, &m->choice_capacity);
  const uint32_t former = lin_ir_meld_push(m->arena, &m->choosing, block, m->num_choices);
  m->choices[m->num_choices++] = (chosen){{a, b}, value, former};
  return value;
}

LLVMValueRef lin_ir_meld_arm_at(melder *m, LLVMBasicBlockRef block) {
  if (m->condition != NULL)
    return m->condition;
  LLVMValueRef flag = find_chosen(m, block, NULL, NULL);
  if (flag != NULL)
    return flag;
  flag = put_mark(m, block, LLVMInt1TypeInContext(m->context), NULL, NULL);
  return keep_chosen(m, block, NULL, NULL, flag);
}

static bool is_outside(const melder *m, LLVMValueRef value) {
  return LLVMIsAInstruction(value) == NULL ||
         lin_numbers_find(&m->of_arms, LLVMGetInstructionParent(value)) == LIN_NONE;
}

static bool is_shared(const melder *m, LLVMValueRef value) {
  return LLVMIsAInstruction(value) != NULL &&
         lin_numbers_find(&m->shared, LLVMGetInstructionParent(value)) != LIN_NONE;
}

// Where there is nothing to choose. An undefined value may be any, but not poison, as the other may
// be.
static LLVMValueRef only_one(LLVMValueRef a, LLVMValueRef b) {
  if (a == b || LLVMIsPoison(b))
    return a;
  return LLVMIsPoison(a) ? b : NULL;
}

LLVMValueRef lin_ir_meld_choose_above(melder *m, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef value = only_one(a, b);
  if (value == NULL)
    value = find_chosen(m, m->branch, a, b);
  if (value != NULL)
    return value;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(m->branch));
  value = LLVMBuildSelect(builder, m->condition, a, b, "");
  LLVMDisposeBuilder(builder);
  return keep_chosen(m, m->branch, a, b, value);
}

LLVMValueRef lin_ir_meld_choose(melder *m, LLVMBasicBlockRef block, LLVMValueRef a,
                                LLVMValueRef b) {
  LLVMValueRef value = only_one(a, b);
  if (value == NULL)
    value = find_chosen(m, block, a, b);
  if (value != NULL)
    return value;
  const bool outside = is_outside(m, a) && is_outside(m, b);
  if (outside && m->repeats && m->condition != NULL)
    return lin_ir_meld_choose_above(m, a, b);
  if (!is_shared(m, a) && !is_shared(m, b) && (!outside || m->repeats || m->condition == NULL))
    value = put_mark(m, block, LLVMTypeOf(a), a, b);
  else
    value = LLVMBuildSelect(m->builder, lin_ir_meld_arm_at(m, block), a, b, "");
  return keep_chosen(m, block, a, b, value);
}

static void resolve_mark(const melder *m, const mark *is) {
  LLVMValueRef value[2] = {LLVMConstInt(LLVMInt1TypeInContext(m->context), 1, false),
                           LLVMConstInt(LLVMInt1TypeInContext(m->context), 0, false)};
  LLVMBasicBlockRef block[2] = {m->stub[0], m->stub[1]};
  for (uint32_t arm = 0; arm < 2 && is->old[0] != NULL; arm++) {
    value[arm] = is->old[arm];
    if (!is_outside(m, value[arm]))
      block[arm] = LLVMGetInstructionParent(value[arm]);
  }
  LLVMValueRef stands = lin_ir_value_at(LLVMGetInstructionParent(is->instruction), block, value, 2);
  LLVMReplaceAllUsesWith(is->instruction, stands);
  LLVMInstructionEraseFromParent(is->instruction);
}

void lin_ir_meld_resolve_marks(const melder *m) {
  for (uint32_t i = 0; i < m->num_marks; i++)
    resolve_mark(m, &m->marks[i]);
}
