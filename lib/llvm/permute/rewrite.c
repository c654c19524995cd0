// 1. The formula's steps, in front of the section.
// 2. What is needed behind the section of values in it, for the thread's own index: once more.
// 3. What the section needs of values before it, for the new index: once more.
// 4. The section's instructions take these; the branch of a formula by which some don't work asks
//    it.
// 5. What nobody asks for any more goes.
#include "rewrite.h"

#include "gpu/nvptx.h"
#include "llvm/ask/operations.h"
#include "llvm/edit/move.h"

#include <string.h>

typedef struct rewriter {
  lin_arena *arena;
  lin_ir_values *all;
  const lin_values *values;
  const lin_permutation *p;
  LLVMValueRef function;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMValueRef step[LIN_MOST_STEPS];
  LLVMValueRef *anew; // [values] for the new index; NULL: it is the same
  LLVMValueRef *kept; // [values] for the thread's own
} rewriter;

// ---- step 1

static LLVMTypeRef integer(const rewriter *w, unsigned width) {
  return LLVMIntTypeInContext(LLVMGetModuleContext(w->module), width);
}

static LLVMBuilderRef builder_of(const rewriter *w) {
  return LLVMCreateBuilderInContext(LLVMGetModuleContext(w->module));
}

// The special register of an axis, read where the function begins: all that is read later is the
// same.
static LLVMValueRef read_register(rewriter *w, lin_op op, uint64_t axis) {
  const lin_values *v = w->values;
  for (uint32_t value = v->first_value[0]; value < v->first_value[1]; value++)
    if (v->value[value].op == op && v->value[value].number == axis &&
        (w->p->section.start != 0 || value < w->p->section.first))
      return w->all->llvm[value];
  char text[LIN_NVPTX_NAME];
  const char *name =
      lin_nvptx_reads(op == LIN_OP_INDEX ? LIN_NVPTX_TID : LIN_NVPTX_NTID, (int)axis, text);
  LLVMValueRef callee =
      LLVMGetIntrinsicDeclaration(w->module, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
  LLVMBuilderRef builder = builder_of(w);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(w->function);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
  LLVMValueRef call = LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, NULL, 0, "");
  LLVMDisposeBuilder(builder);
  return call;
}

static LLVMValueRef build_step(rewriter *w, const lin_step *s) {
  LLVMTypeRef type = integer(w, s->width);
  const LLVMValueRef of[3] = {w->step[s->of[0]], w->step[s->of[1]], w->step[s->of[2]]};
  switch ((lin_op)s->op) {
  case LIN_OP_CONSTANT:
    return LLVMConstInt(type, s->number, false);
  case LIN_OP_INDEX:
  case LIN_OP_SIZE:
    return read_register(w, (lin_op)s->op, s->number);
  case LIN_OP_SAME:
    return w->all->llvm[s->number];
  default:
    return lin_ir_build_operation(w->builder, (lin_op)s->op, type, of);
  }
}

static void build_formula(rewriter *w) {
  for (unsigned i = 0; i < w->p->formula.count; i++)
    w->step[i] = build_step(w, &w->p->formula.step[i]);
  for (unsigned axis = 0; axis < 3; axis++)
    if (w->p->formula.index[axis] != LIN_NO_STEP)
      LLVMSetValueName2(w->step[w->p->formula.index[axis]], "linearize.index", 15);
}

// ---- steps 2 and 3

// A copy of an instruction, of which the operands are those of `of`, where it has any.
static LLVMValueRef copy_with(rewriter *w, uint32_t value, LLVMValueRef *of) {
  LLVMValueRef original = w->all->llvm[value], copy = LLVMInstructionClone(original);
  for (int i = 0; i < LLVMGetNumOperands(copy); i++) {
    uint32_t operand = lin_numbers_find(&w->all->numbers, LLVMGetOperand(original, (unsigned)i));
    if (operand != LIN_NONE && of[operand] != NULL)
      LLVMSetOperand(copy, (unsigned)i, of[operand]);
  }
  LLVMInsertIntoBuilder(w->builder, copy);
  return copy;
}

// A thread that went another way may need a value of this one, of which less is known there.
static void drop_promises(LLVMValueRef copy) {
  switch (LLVMGetInstructionOpcode(copy)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
    LLVMSetNUW(copy, false);
    LLVMSetNSW(copy, false);
    break;
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMLShr:
  case LLVMAShr:
    LLVMSetExact(copy, false);
    break;
  case LLVMZExt:
    LLVMSetNNeg(copy, false);
    break;
  case LLVMOr:
    LLVMSetIsDisjoint(copy, false);
    break;
  case LLVMGetElementPtr:
    LLVMGEPSetNoWrapFlags(copy, 0);
    break;
  default:
    break;
  }
}

static void build_kept(rewriter *w) {
  const lin_values *v = w->values;
  for (uint32_t value = v->first_value[0]; value < v->count; value++)
    if (w->p->crossing.kept[value] && v->value[value].op != LIN_OP_INDEX &&
        lin_section_contains(v, &w->p->section, value)) {
      w->kept[value] = copy_with(w, value, w->kept);
      drop_promises(w->kept[value]);
    }
}

static void take_kept(rewriter *w) {
  const lin_values *v = w->values;
  for (uint32_t user = v->first_value[0]; user < v->count; user++) {
    if (lin_section_contains(v, &w->p->section, user) || w->all->llvm[user] == NULL)
      continue;
    for (int i = 0; i < LLVMGetNumOperands(w->all->llvm[user]); i++) {
      LLVMValueRef operand = LLVMGetOperand(w->all->llvm[user], (unsigned)i);
      uint32_t value = lin_numbers_find(&w->all->numbers, operand);
      if (value != LIN_NONE && w->kept[value] != NULL)
        LLVMSetOperand(w->all->llvm[user], (unsigned)i, w->kept[value]);
    }
  }
}

// The step that is the new index of an axis; NULL: threads keep it.
static LLVMValueRef new_index(const rewriter *w, uint64_t axis) {
  uint8_t step = w->p->formula.index[axis];
  return step == LIN_NO_STEP ? NULL : w->step[step];
}

static void add_index(rewriter *w) {
  const lin_values *v = w->values;
  for (uint32_t value = v->first_value[0]; value < v->count; value++)
    if (v->value[value].op == LIN_OP_INDEX)
      w->anew[value] = new_index(w, v->value[value].number);
}

// Copies of those of `wanted` that there is none of yet, with all that they are made of, in order.
static void build_anew(rewriter *w, bool *wanted) {
  const lin_values *v = w->values;
  for (uint32_t value = v->count; value-- > v->first_value[0];)
    for (uint32_t i = 0; wanted[value] && i < v->value[value].count; i++) {
      uint32_t operand = lin_operand(v, value, i);
      wanted[operand] |= w->p->crossing.anew[operand];
    }
  for (uint32_t value = v->first_value[0]; value < v->count; value++)
    if (wanted[value] && w->p->crossing.anew[value] && w->anew[value] == NULL &&
        v->value[value].op != LIN_OP_INDEX)
      w->anew[value] = copy_with(w, value, w->anew);
}

// ---- step 4

static bool is_of_section(const rewriter *w, uint32_t value) {
  bool replaced = w->p->formula.works != LIN_NO_STEP && value == w->p->section.first;
  return !replaced && lin_section_contains(w->values, &w->p->section, value);
}

static void take_anew(rewriter *w) {
  const lin_values *v = w->values;
  for (uint32_t user = v->first_value[0]; user < v->count; user++) {
    if (!is_of_section(w, user))
      continue;
    LLVMValueRef at = w->all->llvm[user];
    for (int i = 0; i < LLVMGetNumOperands(at); i++) {
      uint32_t value = lin_numbers_find(&w->all->numbers, LLVMGetOperand(at, (unsigned)i));
      if (value != LIN_NONE && w->anew[value] != NULL)
        LLVMSetOperand(at, (unsigned)i, w->anew[value]);
    }
  }
}

static void want_operands(const rewriter *w, bool *wanted) {
  const lin_values *v = w->values;
  for (uint32_t value = v->first_value[0]; value < v->count; value++)
    if (is_of_section(w, value))
      for (uint32_t i = 0; i < v->value[value].count; i++)
        wanted[lin_operand(v, value, i)] |= w->p->crossing.anew[lin_operand(v, value, i)];
}

// Whether a thread works: by the formula, and by what else the branch asked, of its new index. That
// may be of an index that there isn't, and then isn't asked.
static LLVMValueRef build_works(rewriter *w) {
  const lin_conjuncts *rest = &w->p->rest;
  bool *wanted = LIN_ARRAY(w->arena, bool, w->values->count);
  for (uint32_t i = 0; i < rest->count; i++)
    wanted[rest->value[i]] = true;
  build_anew(w, wanted);
  LLVMValueRef works = w->step[w->p->formula.works];
  for (uint32_t i = 0; i < rest->count; i++) {
    uint32_t value = rest->value[i];
    LLVMValueRef holds = w->anew[value] != NULL ? w->anew[value] : w->all->llvm[value];
    if (!rest->holds[i])
      holds = LLVMBuildNot(w->builder, holds, "");
    works = LLVMBuildSelect(w->builder, works, holds, LLVMConstInt(integer(w, 1), 0, false), "");
  }
  return works;
}

static LLVMBasicBlockRef block_of(const rewriter *w, lin_block block) {
  const lin_values *v = w->values;
  return LLVMGetInstructionParent(w->all->llvm[v->first_value[block + 1] - 1]);
}

// Moving what comes in by phis makes new ones of them.
static void find_phis_again(rewriter *w, lin_block block, LLVMBasicBlockRef at) {
  const lin_values *v = w->values;
  LLVMValueRef phi = LLVMGetFirstInstruction(at);
  for (uint32_t value = v->first_value[block]; v->value[value].op == LIN_OP_PHI; value++) {
    w->all->llvm[value] = phi;
    lin_numbers_add(w->arena, &w->all->numbers, phi, value);
    phi = LLVMGetNextInstruction(phi);
  }
}

// The block N. The builder stands in it.
static void branch_to_work(rewriter *w, LLVMValueRef works) {
  const lin_graph *graph = w->values->analysis->graph;
  LLVMBasicBlockRef start = block_of(w, w->p->section.start);
  LLVMBasicBlockRef arm = block_of(w, graph->destination[w->p->edge]);
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(start);
  unsigned successor = w->p->edge - graph->first_edge[w->p->section.start];
  LLVMBasicBlockRef other = LLVMGetSuccessor(branch, 1 - successor);
  LLVMBasicBlockRef work =
      LLVMInsertBasicBlockInContext(LLVMGetModuleContext(w->module), arm, "linearize.work");
  lin_ir_replace_branch(branch, LLVMBuildCondBr(w->builder, works, work, other));
  lin_ir_move_incoming(w->arena, arm, start, work);
  find_phis_again(w, graph->destination[w->p->edge], arm);
  LLVMPositionBuilderAtEnd(w->builder, work);
  LLVMPositionBuilderBefore(w->builder, LLVMBuildBr(w->builder, arm));
}

// ---- step 5

static bool is_unused(const rewriter *w, uint32_t value) {
  bool is_pure = lin_is_computed(w->values, value) || w->values->value[value].op == LIN_OP_INDEX;
  return is_pure && w->all->llvm[value] != NULL && LLVMGetFirstUse(w->all->llvm[value]) == NULL;
}

// `was`: those that were unused before aren't our business.
static void drop_unused(rewriter *w, const bool *was) {
  for (uint32_t value = w->values->count; value-- > w->values->first_value[0];)
    if (!was[value] && is_unused(w, value)) {
      LLVMInstructionEraseFromParent(w->all->llvm[value]);
      w->all->llvm[value] = NULL;
    }
}

static bool *find_unused(rewriter *w) {
  bool *unused = LIN_ARRAY(w->arena, bool, w->values->count);
  for (uint32_t value = w->values->first_value[0]; value < w->values->count; value++)
    unused[value] = is_unused(w, value);
  return unused;
}

void lin_ir_permute_section(lin_arena *arena, lin_ir_values *all, const lin_permutation *p) {
  const lin_values *v = all->values;
  LLVMValueRef first = all->llvm[p->section.first];
  rewriter w = {.arena = arena,
                .all = all,
                .values = v,
                .p = p,
                .function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(first)),
                .anew = LIN_ARRAY(arena, LLVMValueRef, v->count),
                .kept = LIN_ARRAY(arena, LLVMValueRef, v->count)};
  w.module = LLVMGetGlobalParent(w.function);
  w.builder = builder_of(&w);
  bool *unused = find_unused(&w);
  LLVMPositionBuilderBefore(w.builder, first);
  build_formula(&w);
  build_kept(&w);
  take_kept(&w);
  add_index(&w);
  bool *wanted = LIN_ARRAY(arena, bool, v->count);
  want_operands(&w, wanted);
  if (p->formula.works != LIN_NO_STEP)
    branch_to_work(&w, build_works(&w));
  build_anew(&w, wanted);
  take_anew(&w);
  LLVMDisposeBuilder(w.builder);
  drop_unused(&w, unused);
}
