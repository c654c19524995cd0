// 1. A stub in front of each arm: who comes by it is of that arm.
// 2. Twins become one block, or several with guarded blocks between; phis first.
// 3. Terminators: where twins go on to twins, one edge; else a guard that asks for the arm.
// 4. Phis get what comes by the new edges; the old blocks go.
// 5. Values that meet are joined; uses that a definition no longer dominates are repaired.
//    Choices that don't hang on an iteration are made in front of its loop.
// 6. Without anything in the stubs, D leads straight to what is melded.
//
// While blocks are made, "the arm" and values that meet are marks: instructions without a meaning
// that step 5 replaces, for only then is it known which blocks lead where.
#include "rewrite.h"

#include "merge.h"
#include "state.h"
#include "llvm/ask/questions.h"
#include "llvm/edit/move.h"
#include "llvm/edit/records.h"
#include "llvm/edit/split.h"
#include "llvm/edit/undefined.h"

#include <llvm-c/DebugInfo.h>

// ---- blocks

static void add_staying(melder *m, LLVMBasicBlockRef block) {
  m->all = LIN_ROOM(m->arena, m->all, m->num_all, &m->all_capacity);
  m->all[m->num_all++] = block;
}

static void add_block(melder *m, LLVMBasicBlockRef block, bool shared) {
  if (lin_numbers_find(&m->of_arms, block) == LIN_NONE)
    lin_numbers_add(m->arena, &m->of_arms, block, m->num_all);
  if (shared)
    lin_numbers_add(m->arena, &m->shared, block, m->num_all);
  add_staying(m, block);
}

static LLVMBasicBlockRef new_block(melder *m, const char *name, bool shared) {
  LLVMBasicBlockRef made = LLVMAppendBasicBlockInContext(m->context, m->f->function, name);
  add_block(m, made, shared);
  return made;
}

// ---- step 1

static LLVMBasicBlockRef put_stub(melder *m, uint32_t arm) {
  LLVMBasicBlockRef block = lin_ir_meld_block(m, m->arms->arm[arm]);
  LLVMBasicBlockRef *from = NULL;
  lin_numbers seen = {0};
  uint32_t count = 0, capacity = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use != NULL;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
      continue;
    LLVMBasicBlockRef source = LLVMGetInstructionParent(user);
    if (lin_numbers_find(&m->of_arms, source) != LIN_NONE ||
        lin_numbers_find(&seen, source) != LIN_NONE)
      continue;
    lin_numbers_add(m->arena, &seen, source, count);
    from = LIN_ROOM(m->arena, from, count, &capacity);
    from[count++] = source;
  }
  LLVMBasicBlockRef stub = lin_ir_split_edges(block, from, count, "linearize.arm");
  add_block(m, stub, false);
  return stub;
}

// D's condition, if it has one that tells the arms apart by itself. The first arm's is true.
static LLVMValueRef find_condition(melder *m) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(m->branch);
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
      lin_ir_only_entry(m->stub[0]) != m->branch || lin_ir_only_entry(m->stub[1]) != m->branch)
    return NULL;
  LLVMValueRef condition = LLVMGetCondition(end);
  if (LLVMGetSuccessor(end, 0) == m->stub[0])
    return condition;
  LLVMPositionBuilderBefore(m->builder, end);
  return LLVMBuildNot(m->builder, condition, "");
}

// ---- step 2

static void add_phi(melder *m, lin_block block, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef made = LLVMBuildPhi(m->builder, LLVMTypeOf(a != NULL ? a : b), "");
  LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(a != NULL ? a : b));
  if (LLVMCanValueUseFastMathFlags(made))
    LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(a != NULL ? a : b) &
                                   LLVMGetFastMathFlags(b != NULL ? b : a));
  m->phis = LIN_ROOM(m->arena, m->phis, m->num_phis, &m->phi_capacity);
  m->phis[m->num_phis++] = (phi_pair){{a, b}, made, {block, m->melds->twin[block]}};
  if (a != NULL)
    LLVMReplaceAllUsesWith(a, made);
  if (b != NULL)
    LLVMReplaceAllUsesWith(b, made);
}

static void meld_phis(melder *m, lin_block block) {
  const lin_meld_code *code = &m->ops->code;
  lin_block twin = m->melds->twin[block];
  for (uint32_t i = code->first_op[block]; LLVMIsAPHINode(m->ops->llvm[i]) != NULL; i++) {
    uint32_t partner = m->melds->partner[i];
    add_phi(m, block, m->ops->llvm[i], partner == LIN_NONE ? NULL : m->ops->llvm[partner]);
  }
  for (uint32_t i = code->first_op[twin]; LLVMIsAPHINode(m->ops->llvm[i]) != NULL; i++)
    if (m->melds->partner[i] == LIN_NONE)
      add_phi(m, block, NULL, m->ops->llvm[i]);
}

static bool is_better_turned(LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef x[2] = {LLVMGetOperand(a, 0), LLVMGetOperand(a, 1)};
  LLVMValueRef y[2] = {LLVMGetOperand(b, 0), LLVMGetOperand(b, 1)};
  return x[0] != y[0] && x[1] != y[1] && (x[0] == y[1] || x[1] == y[0]);
}

// The first one stays, for both.
static void meld_instructions(melder *m, LLVMBasicBlockRef block, uint32_t first) {
  uint32_t second = m->melds->partner[first];
  LLVMValueRef *at = m->ops->llvm;
  if (LLVMIsACallInst(at[first]) != NULL &&
      LLVMGetCalledValue(at[first]) != LLVMGetCalledValue(at[second])) {
    at[first] = lin_ir_show_assembly(at[first]);
    at[second] = lin_ir_show_assembly(at[second]);
  }
  LLVMValueRef a = at[first], b = at[second];
  bool turned = (m->ops->code.op[first].flags & LIN_MELD_COMMUTES) != 0 && is_better_turned(a, b);
  unsigned count = (unsigned)LLVMGetNumOperands(a);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef x = LLVMGetOperand(a, i), y = LLVMGetOperand(b, turned && i < 2 ? 1 - i : i);
    if (x != y)
      LLVMSetOperand(a, i, lin_ir_meld_choose(m, block, x, y));
  }
  lin_ir_move_instruction(m->arena, m->builder, a);
  const bool inverse = lin_ir_is_inverse(a, b);
  lin_ir_stand_for(a, b);
  LLVMReplaceAllUsesWith(b, inverse ? LLVMBuildNot(m->builder, a, "") : a);
}

static void move_all(melder *m, uint32_t from, uint32_t to, bool guarded) {
  for (uint32_t i = from; i < to; i++) {
    lin_ir_move_instruction(m->arena, m->builder, m->ops->llvm[i]);
    if (!guarded)
      lin_ir_run_anywhere(m->ops->llvm[i]);
  }
}

// Instructions of either arm in blocks of their own; returns the block behind both.
static LLVMBasicBlockRef put_guarded(melder *m, LLVMBasicBlockRef block,
                                     const lin_meld_step *step) {
  LLVMValueRef flag = lin_ir_meld_arm_at(m, block);
  LLVMBasicBlockRef next = new_block(m, "linearize.melded", true), way[2] = {next, next};
  for (uint32_t arm = 0; arm < 2; arm++)
    if (step->first[arm] < step->end[arm])
      way[arm] = new_block(m, "linearize.one.arm", false);
  LLVMBuildCondBr(m->builder, flag, way[0], way[1]);
  for (uint32_t arm = 0; arm < 2; arm++) {
    if (way[arm] == next)
      continue;
    LLVMPositionBuilderAtEnd(m->builder, way[arm]);
    move_all(m, step->first[arm], step->end[arm], true);
    LLVMBuildBr(m->builder, next);
  }
  LLVMPositionBuilderAtEnd(m->builder, next);
  return next;
}

// ---- step 3

// Where who goes to an old block goes now.
static LLVMBasicBlockRef now(const melder *m, lin_block block) {
  return m->first[block] != NULL ? m->first[block] : lin_ir_meld_block(m, block);
}

// A block ends: threads of each arm go on as its old block's terminator says.
static void part_again(melder *m, LLVMBasicBlockRef block, lin_block twins[2]) {
  const lin_meld_code *code = &m->ops->code;
  const lin_graph *graph = code->analysis->graph;
  LLVMBasicBlockRef way[2];
  for (uint32_t arm = 0; arm < 2; arm++)
    way[arm] = new_block(m, "linearize.one.arm", false);
  LLVMBuildCondBr(m->builder, lin_ir_meld_arm_at(m, block), way[0], way[1]);
  for (uint32_t arm = 0; arm < 2; arm++) {
    LLVMValueRef end = m->ops->llvm[code->first_op[twins[arm] + 1] - 1];
    LLVMPositionBuilderAtEnd(m->builder, way[arm]);
    lin_ir_move_instruction(m->arena, m->builder, end);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
      lin_block to = graph->destination[graph->first_edge[twins[arm]] + i];
      LLVMSetSuccessor(end, i, now(m, to));
      edge e = {.from = way[arm]};
      e.to[arm] = lin_ir_meld_block(m, to);
      e.last[arm] = lin_ir_meld_block(m, twins[arm]);
      lin_ir_meld_add_edge(m, e);
    }
  }
}

// The block to go to for successors `to` of both arms; a guard, if there is none.
static LLVMBasicBlockRef meet_at(melder *m, LLVMBasicBlockRef from, lin_block twins[2],
                                 lin_block to[2], LLVMValueRef flag) {
  edge e = {.from = from};
  for (uint32_t arm = 0; arm < 2; arm++) {
    e.to[arm] = lin_ir_meld_block(m, to[arm]);
    e.last[arm] = lin_ir_meld_block(m, twins[arm]);
  }
  if (now(m, to[0]) == now(m, to[1])) {
    lin_ir_meld_add_edge(m, e);
    return now(m, to[0]);
  }
  LLVMBasicBlockRef guard = new_block(m, "linearize.guard", false);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
  LLVMPositionBuilderAtEnd(builder, guard);
  LLVMBuildCondBr(builder, flag, now(m, to[0]), now(m, to[1]));
  LLVMDisposeBuilder(builder);
  for (uint32_t arm = 0; arm < 2; arm++) {
    edge one = {.from = guard};
    one.to[arm] = e.to[arm];
    one.last[arm] = e.last[arm];
    lin_ir_meld_add_edge(m, one);
  }
  return guard;
}

static LLVMValueRef inverse_of(melder *m, LLVMValueRef condition) {
  bool is_not = LLVMIsABinaryOperator(condition) != NULL &&
                LLVMGetInstructionOpcode(condition) == LLVMXor &&
                LLVMIsAConstantInt(LLVMGetOperand(condition, 1)) != NULL &&
                LLVMConstIntGetZExtValue(LLVMGetOperand(condition, 1)) == 1;
  return is_not ? LLVMGetOperand(condition, 0) : LLVMBuildNot(m->builder, condition, "");
}

static void end_together(melder *m, LLVMBasicBlockRef block, lin_block twins[2]) {
  const lin_meld_code *code = &m->ops->code;
  const lin_graph *graph = code->analysis->graph;
  uint32_t last = code->first_op[twins[0] + 1] - 1, count = lin_out_degree(graph, twins[0]);
  LLVMValueRef end[2] = {m->ops->llvm[last], m->ops->llvm[m->melds->partner[last]]};
  bool turned = lin_meld_is_turned(code, m->melds, twins[0]);
  lin_block to[2][2] = {{LIN_NONE}};
  bool same = true;
  for (uint32_t i = 0; i < count; i++) {
    to[i][0] = graph->destination[graph->first_edge[twins[0]] + i];
    to[i][1] = graph->destination[graph->first_edge[twins[1]] + (turned ? 1 - i : i)];
    same &= now(m, to[i][0]) == now(m, to[i][1]);
  }
  LLVMValueRef flag = same ? NULL : lin_ir_meld_arm_at(m, block), made;
  if (count == 0) {
    made = LLVMBuildRetVoid(m->builder);
  } else if (count == 1) {
    LLVMBasicBlockRef next = meet_at(m, block, twins, to[0], flag);
    made = LLVMBuildBr(m->builder, next);
  } else {
    LLVMValueRef condition[2] = {LLVMGetCondition(end[0]), LLVMGetCondition(end[1])};
    if (turned)
      condition[1] = inverse_of(m, condition[1]);
    LLVMValueRef both = lin_ir_meld_choose(m, block, condition[0], condition[1]);
    LLVMBasicBlockRef yes = meet_at(m, block, twins, to[0], flag);
    LLVMBasicBlockRef no = meet_at(m, block, twins, to[1], flag);
    made = LLVMBuildCondBr(m->builder, both, yes, no);
  }
  lin_ir_end_for(made, end[0], end[1]);
}

// ---- twins, whole

static bool is_in_own_loop(const melder *m, lin_block block) {
  const lin_loops *loops = m->ops->code.analysis->loops;
  return loops->loop_of[block] != loops->loop_of[m->arms->branch];
}

static void meld_twins(melder *m, lin_block first) {
  const lin_meld_code *code = &m->ops->code;
  lin_block twins[2] = {first, m->melds->twin[first]};
  LLVMBasicBlockRef block = m->first[first];
  m->repeats = is_in_own_loop(m, first);
  LLVMPositionBuilderAtEnd(m->builder, block);
  lin_meld_step step = {.is_last = false};
  while (lin_meld_next(code, m->melds, first, &step)) {
    if (step.guarded)
      block = put_guarded(m, block, &step);
    for (uint32_t arm = 0; arm < 2 && !step.guarded; arm++)
      move_all(m, step.first[arm], step.end[arm], false);
    if (!step.is_last)
      meld_instructions(m, block, step.end[0]);
  }
  if (m->melds->partner[step.end[0]] == step.end[1])
    end_together(m, block, twins);
  else
    part_again(m, block, twins);
}

// ---- step 6

static bool is_empty(LLVMBasicBlockRef block) {
  return LLVMIsATerminatorInst(LLVMGetFirstInstruction(block)) != NULL;
}

static void drop_stubs(melder *m) {
  LLVMBasicBlockRef next = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(m->stub[0]), 0);
  if (m->condition == NULL || !is_empty(m->stub[0]) || !is_empty(m->stub[1]) ||
      LLVMGetSuccessor(LLVMGetBasicBlockTerminator(m->stub[1]), 0) != next)
    return;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(m->branch);
  LLVMPositionBuilderBefore(m->builder, end);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(next); LLVMIsAPHINode(phi) != NULL;
       phi = LLVMGetNextInstruction(phi)) {
    LLVMValueRef value[2];
    for (uint32_t arm = 0; arm < 2; arm++) {
      value[arm] = lin_ir_incoming(phi, m->stub[arm]);
      lin_ir_remove_incoming(phi, m->stub[arm]);
    }
    LLVMValueRef both = lin_ir_meld_choose_above(m, value[0], value[1]);
    LLVMAddIncoming(phi, &both, &m->branch, 1);
  }
  lin_ir_replace_branch(end, LLVMBuildBr(m->builder, next));
  lin_ir_delete_block(m->stub[0]);
  lin_ir_delete_block(m->stub[1]);
  lin_ir_merge_into_former(next);
  for (uint32_t i = 0; i < m->arms->count[0] + m->arms->count[1]; i++)
    if (m->first[m->arms->block[i]] == next)
      m->first[m->arms->block[i]] = NULL;
}

// ---- all

static void number_blocks(melder *m) {
  for (uint32_t i = 0; i < m->arms->count[0] + m->arms->count[1]; i++) {
    lin_block number = m->arms->block[i];
    LLVMBasicBlockRef block = lin_ir_meld_block(m, number);
    if (lin_ir_meld_is_melded(m, number)) {
      lin_numbers_add(m->arena, &m->gone, block, number);
      lin_numbers_add(m->arena, &m->of_arms, block, number);
    } else {
      add_block(m, block, false);
    }
  }
  const lin_tree *dominators = m->ops->code.analysis->dominators;
  for (uint32_t arm = 0; arm < 2; arm++)
    for (lin_block at = m->arms->arm[arm]; (at = dominators->parent[at]) != m->arms->branch;)
      add_staying(m, lin_ir_meld_block(m, at)); // what it computes is known in one arm only
}

LLVMBasicBlockRef *lin_ir_meld_arms(lin_arena *arena, const lin_ir_function *f,
                                    const lin_ir_operations *ops, const lin_melds *melds,
                                    const lin_meld_arms *arms) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
  melder m = {.arena = arena,
              .f = f,
              .ops = ops,
              .melds = melds,
              .arms = arms,
              .context = context,
              .builder = LLVMCreateBuilderInContext(context),
              .branch = ops->block[arms->branch],
              .first = LIN_ARRAY(arena, LLVMBasicBlockRef, ops->code.analysis->graph->num_blocks)};
  number_blocks(&m);
  for (uint32_t arm = 0; arm < 2; arm++)
    m.stub[arm] = put_stub(&m, arm);
  m.condition = find_condition(&m);
  for (uint32_t i = 0; i < arms->count[0]; i++) {
    lin_block block = arms->block[i];
    if (!lin_ir_meld_is_melded(&m, block))
      continue;
    m.first[block] = m.first[melds->twin[block]] = new_block(&m, "linearize.melded", true);
    LLVMPositionBuilderAtEnd(m.builder, m.first[block]);
    meld_phis(&m, block);
    lin_ir_forget_variables(m.first[block], lin_ir_meld_block(&m, block));
    lin_ir_forget_variables(m.first[block], lin_ir_meld_block(&m, melds->twin[block]));
  }
  for (uint32_t i = 0; i < arms->count[0]; i++)
    if (lin_ir_meld_is_melded(&m, arms->block[i]))
      meld_twins(&m, arms->block[i]);
  lin_ir_meld_reconnect(&m);
  lin_ir_meld_resolve_marks(&m);
  lin_ir_repair_uses(m.all, m.num_all);
  lin_ir_hoist_selects(m.all, m.num_all, m.branch);
  drop_stubs(&m);
  lin_ir_drop_undefined(f->function);
  LLVMDisposeBuilder(m.builder);
  return m.first;
}
