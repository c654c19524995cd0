// 1. A stub in front of each arm: who comes by it is of that arm.
// 2. Twins become one block, or several with guarded blocks between; phis first.
// 3. Terminators: where twins go on to twins, one edge; else a guard that asks for the arm.
// 4. Phis get what comes by the new edges; the old blocks go.
// 5. Values that meet are joined; uses that a definition no longer dominates are repaired.
// 6. Without anything in the stubs, D leads straight to what is melded.
//
// While blocks are made, "the arm" and values that meet are marks: instructions without a meaning
// that step 5 replaces, for only then is it known which blocks lead where.
#include "rewrite.h"

#include "merge.h"
#include "llvm/ask/questions.h"
#include "llvm/edit/move.h"
#include "llvm/edit/records.h"
#include "llvm/edit/split.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

// An edge from a new block.
typedef struct edge {
  LLVMBasicBlockRef from;
  LLVMBasicBlockRef to[2];   // of each arm's old blocks, where its threads go; NULL: it has none
  LLVMBasicBlockRef last[2]; // the old block that they come from
  uint32_t next;             // to the same place, or LIN_NONE
} edge;

// What a melded block has of two phis; one of them may be NULL.
typedef struct phi_pair {
  LLVMValueRef old[2], made;
  lin_block twins[2];
} phi_pair;

// Stands for a value that is chosen; old NULL: for the arm.
typedef struct mark {
  LLVMValueRef old[2], instruction;
} mark;

// What a block has chosen.
typedef struct chosen {
  LLVMValueRef old[2], value;
  uint32_t next; // of the same block, or LIN_NONE
} chosen;

typedef struct melder {
  lin_arena *arena;
  const lin_ir_function *f;
  const lin_ir_operations *ops;
  const lin_melds *melds;
  const lin_meld_arms *arms;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMBasicBlockRef branch, stub[2];
  LLVMValueRef condition;   // of D: true for the first arm; NULL: a phi says which arm it is
  LLVMBasicBlockRef *first; // [num_blocks] what a block of an arm is entered by now
  lin_numbers gone;         // old blocks that are melded
  lin_numbers shared;       // new ones
  lin_numbers of_arms;      // all blocks of the arms, old and new
  LLVMBasicBlockRef *all;   // [num_all] that stay
  uint32_t num_all, all_capacity;
  edge *edges;
  uint32_t num_edges, edge_capacity;
  lin_numbers targets;   // of edges: old blocks
  uint32_t *newest_edge; // [targets.count]
  uint32_t target_capacity;
  phi_pair *phis;
  uint32_t num_phis, phi_capacity;
  mark *marks;
  uint32_t num_marks, mark_capacity;
  chosen *choices;
  uint32_t num_choices, choice_capacity;
  lin_numbers choosing; // blocks that have chosen
  uint32_t *newest;     // [choosing.count] their last choices
  uint32_t newest_capacity;
  bool repeats; // the block at hand is in a loop that D is not in
} melder;

// ---- blocks

static void add_block(melder *m, LLVMBasicBlockRef block, bool shared) {
  m->all = LIN_ROOM(m->arena, m->all, m->num_all, &m->all_capacity);
  m->all[m->num_all] = block;
  if (lin_numbers_find(&m->of_arms, block) == LIN_NONE)
    lin_numbers_add(m->arena, &m->of_arms, block, m->num_all);
  if (shared)
    lin_numbers_add(m->arena, &m->shared, block, m->num_all);
  m->num_all++;
}

static LLVMBasicBlockRef new_block(melder *m, const char *name, bool shared) {
  LLVMBasicBlockRef made = LLVMAppendBasicBlockInContext(m->context, m->f->function, name);
  add_block(m, made, shared);
  return made;
}

static LLVMBasicBlockRef block_of(const melder *m, lin_block block) { return m->ops->block[block]; }

static bool is_melded(const melder *m, lin_block block) {
  return m->melds->twin[block] != LIN_NONE;
}

// ---- step 1

static LLVMBasicBlockRef put_stub(melder *m, uint32_t arm) {
  LLVMBasicBlockRef block = block_of(m, m->arms->arm[arm]);
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

// ---- choosing

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
  uint32_t number = lin_numbers_find(&m->choosing, block);
  uint32_t at = number == LIN_NONE ? LIN_NONE : m->newest[number];
  while (at != LIN_NONE && (m->choices[at].old[0] != a || m->choices[at].old[1] != b))
    at = m->choices[at].next;
  return at == LIN_NONE ? NULL : m->choices[at].value;
}

static LLVMValueRef keep_chosen(melder *m, LLVMBasicBlockRef block, LLVMValueRef a, LLVMValueRef b,
                                LLVMValueRef value) {
  uint32_t number = lin_numbers_find(&m->choosing, block);
  if (number == LIN_NONE) {
    number = (uint32_t)m->choosing.count;
    lin_numbers_add(m->arena, &m->choosing, block, number);
    m->newest = LIN_ROOM(m->arena, m->newest, number, &m->newest_capacity);
    m->newest[number] = LIN_NONE;
  }
  m->choices = LIN_ROOM(m->arena, m->choices, m->num_choices, &m->choice_capacity);
  m->choices[m->num_choices] = (chosen){{a, b}, value, m->newest[number]};
  m->newest[number] = m->num_choices++;
  return value;
}

// Whether the arm is the first one, where `block` begins.
static LLVMValueRef arm_at(melder *m, LLVMBasicBlockRef block) {
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

static LLVMValueRef choose_above(melder *m, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef value = find_chosen(m, m->branch, a, b);
  if (value != NULL)
    return value;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(m->branch));
  value = LLVMBuildSelect(builder, m->condition, a, b, "");
  LLVMDisposeBuilder(builder);
  return keep_chosen(m, m->branch, a, b, value);
}

// `a` for threads of the first arm, `b` for those of the second, where the builder is, in `block`.
// Values of blocks of one arm alone meet in a phi.
static LLVMValueRef choose(melder *m, LLVMBasicBlockRef block, LLVMValueRef a, LLVMValueRef b) {
  if (a == b || LLVMIsUndef(b))
    return a;
  if (LLVMIsUndef(a))
    return b;
  LLVMValueRef value = find_chosen(m, block, a, b);
  if (value != NULL)
    return value;
  const bool outside = is_outside(m, a) && is_outside(m, b);
  if (outside && m->repeats && m->condition != NULL)
    return choose_above(m, a, b);
  if (!is_shared(m, a) && !is_shared(m, b) && (!outside || m->repeats))
    value = put_mark(m, block, LLVMTypeOf(a), a, b);
  else
    value = LLVMBuildSelect(m->builder, arm_at(m, block), a, b, "");
  return keep_chosen(m, block, a, b, value);
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
  LLVMValueRef a = m->ops->llvm[first], b = m->ops->llvm[second];
  bool turned = (m->ops->code.op[first].flags & LIN_MELD_COMMUTES) != 0 && is_better_turned(a, b);
  unsigned count = (unsigned)LLVMGetNumOperands(a);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef x = LLVMGetOperand(a, i), y = LLVMGetOperand(b, turned && i < 2 ? 1 - i : i);
    if (x != y)
      LLVMSetOperand(a, i, choose(m, block, x, y));
  }
  lin_ir_move_instruction(m->arena, m->builder, a);
  lin_ir_stand_for(a, b);
  LLVMReplaceAllUsesWith(b, a);
}

static void move_all(melder *m, uint32_t from, uint32_t to, bool guarded) {
  for (uint32_t i = from; i < to; i++) {
    if (LLVMIsAPHINode(m->ops->llvm[i]) != NULL)
      continue;
    lin_ir_move_instruction(m->arena, m->builder, m->ops->llvm[i]);
    if (!guarded)
      lin_ir_run_anywhere(m->ops->llvm[i]);
  }
}

// Instructions of either arm in blocks of their own; returns the block behind both.
static LLVMBasicBlockRef put_guarded(melder *m, LLVMBasicBlockRef block,
                                     const lin_meld_step *step) {
  LLVMValueRef flag = arm_at(m, block);
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

// Of both arms it is where the first one's old block was.
static void add_edge(melder *m, edge e) {
  LLVMBasicBlockRef to = e.to[0] != NULL ? e.to[0] : e.to[1];
  uint32_t number = lin_numbers_find(&m->targets, to);
  if (number == LIN_NONE) {
    number = (uint32_t)m->targets.count;
    lin_numbers_add(m->arena, &m->targets, to, number);
    m->newest_edge = LIN_ROOM(m->arena, m->newest_edge, number, &m->target_capacity);
    m->newest_edge[number] = LIN_NONE;
  }
  e.next = m->newest_edge[number];
  m->newest_edge[number] = m->num_edges;
  m->edges = LIN_ROOM(m->arena, m->edges, m->num_edges, &m->edge_capacity);
  m->edges[m->num_edges++] = e;
}

static uint32_t newest_edge(const melder *m, LLVMBasicBlockRef to) {
  uint32_t number = lin_numbers_find(&m->targets, to);
  return number == LIN_NONE ? LIN_NONE : m->newest_edge[number];
}

// ---- step 3

// Where who goes to an old block goes now.
static LLVMBasicBlockRef now(const melder *m, lin_block block) {
  return m->first[block] != NULL ? m->first[block] : block_of(m, block);
}

// A block ends: threads of each arm go on as its old block's terminator says.
static void part_again(melder *m, LLVMBasicBlockRef block, lin_block twins[2]) {
  const lin_meld_code *code = &m->ops->code;
  const lin_graph *graph = code->analysis->graph;
  LLVMBasicBlockRef way[2];
  for (uint32_t arm = 0; arm < 2; arm++)
    way[arm] = new_block(m, "linearize.one.arm", false);
  LLVMBuildCondBr(m->builder, arm_at(m, block), way[0], way[1]);
  for (uint32_t arm = 0; arm < 2; arm++) {
    LLVMValueRef end = m->ops->llvm[code->first_op[twins[arm] + 1] - 1];
    LLVMPositionBuilderAtEnd(m->builder, way[arm]);
    lin_ir_move_instruction(m->arena, m->builder, end);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
      lin_block to = graph->destination[graph->first_edge[twins[arm]] + i];
      LLVMSetSuccessor(end, i, now(m, to));
      edge e = {.from = way[arm]};
      e.to[arm] = block_of(m, to);
      e.last[arm] = block_of(m, twins[arm]);
      add_edge(m, e);
    }
  }
}

// The block to go to for successors `to` of both arms; a guard, if there is none.
static LLVMBasicBlockRef meet_at(melder *m, LLVMBasicBlockRef from, lin_block twins[2],
                                 lin_block to[2], LLVMValueRef flag) {
  edge e = {.from = from};
  for (uint32_t arm = 0; arm < 2; arm++) {
    e.to[arm] = block_of(m, to[arm]);
    e.last[arm] = block_of(m, twins[arm]);
  }
  if (now(m, to[0]) == now(m, to[1])) {
    add_edge(m, e);
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
    add_edge(m, one);
  }
  return guard;
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
  LLVMValueRef flag = same ? NULL : arm_at(m, block), made;
  if (count == 0) {
    made = LLVMBuildRetVoid(m->builder);
  } else if (count == 1) {
    LLVMBasicBlockRef next = meet_at(m, block, twins, to[0], flag);
    made = LLVMBuildBr(m->builder, next);
  } else {
    LLVMValueRef condition[2] = {LLVMGetCondition(end[0]), LLVMGetCondition(end[1])};
    if (turned)
      condition[1] = LLVMBuildNot(m->builder, condition[1], "");
    LLVMValueRef both = choose(m, block, condition[0], condition[1]);
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
    if (!step.is_last && LLVMIsAPHINode(m->ops->llvm[step.end[0]]) == NULL)
      meld_instructions(m, block, step.end[0]);
  }
  if (m->melds->partner[step.end[0]] == step.end[1])
    end_together(m, block, twins);
  else
    part_again(m, block, twins);
}

// ---- step 4

// Edges of blocks that stay go to what is melded.
static void enter_melded(melder *m, lin_block block, uint32_t arm) {
  LLVMBasicBlockRef old = block_of(m, block);
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(old)); use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
      continue;
    LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
    if (lin_numbers_find(&m->gone, from) != LIN_NONE)
      continue;
    edge e = {.from = from};
    e.to[arm] = old;
    e.last[arm] = from;
    add_edge(m, e);
    lin_ir_set_use(use, LLVMBasicBlockAsValue(m->first[block]));
  }
}

// What comes by an edge; for threads of both arms it is chosen at its end.
static LLVMValueRef value_on_edge(melder *m, const edge *e, const LLVMValueRef old[2],
                                  LLVMTypeRef type) {
  LLVMValueRef value[2];
  for (uint32_t arm = 0; arm < 2; arm++)
    value[arm] = e->to[arm] == NULL || old[arm] == NULL ? LLVMGetPoison(type)
                                                        : lin_ir_incoming(old[arm], e->last[arm]);
  if (LLVMIsPoison(value[0]) || LLVMIsPoison(value[1]))
    return value[LLVMIsPoison(value[0]) ? 1 : 0];
  m->repeats = false;
  LLVMPositionBuilderBefore(m->builder, LLVMGetBasicBlockTerminator(e->from));
  return choose(m, e->from, value[0], value[1]);
}

static void add_incoming(melder *m, LLVMValueRef phi, const LLVMValueRef old[2],
                         LLVMBasicBlockRef to) {
  for (uint32_t i = newest_edge(m, to); i != LIN_NONE; i = m->edges[i].next) {
    LLVMValueRef value = value_on_edge(m, &m->edges[i], old, LLVMTypeOf(phi));
    LLVMAddIncoming(phi, &value, &m->edges[i].from, 1);
  }
}

static void fill_melded(melder *m) {
  for (uint32_t i = 0; i < m->num_phis; i++) {
    const phi_pair *pair = &m->phis[i];
    for (uint32_t arm = 0; arm < 2; arm++)
      add_incoming(m, pair->made, pair->old, block_of(m, pair->twins[arm]));
  }
}

// Phis of a block that stays, to which melded ones lead.
static void fill_staying(melder *m, LLVMBasicBlockRef block) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi) != NULL;
       phi = LLVMGetNextInstruction(phi)) {
    unsigned count = LLVMCountIncoming(phi), num_gone = 0;
    LLVMBasicBlockRef *gone = LIN_ARRAY(m->arena, LLVMBasicBlockRef, count);
    for (unsigned i = 0; i < count; i++)
      if (lin_numbers_find(&m->gone, LLVMGetIncomingBlock(phi, i)) != LIN_NONE)
        gone[num_gone++] = LLVMGetIncomingBlock(phi, i);
    add_incoming(m, phi, (LLVMValueRef[2]){phi, phi}, block);
    for (unsigned i = 0; i < num_gone; i++)
      lin_ir_remove_incoming(phi, gone[i]);
  }
}

static void erase_instructions(LLVMBasicBlockRef block) {
  LLVMValueRef at;
  while ((at = LLVMGetLastInstruction(block)) != NULL) {
    if (LLVMGetFirstUse(at) != NULL)
      LLVMReplaceAllUsesWith(at, LLVMGetPoison(LLVMTypeOf(at)));
    LLVMInstructionEraseFromParent(at);
  }
}

static void reconnect(melder *m) {
  uint32_t staying = (uint32_t)m->targets.count;
  LLVMBasicBlockRef *target = LIN_ARRAY(m->arena, LLVMBasicBlockRef, staying);
  for (uint32_t i = 0; i < m->num_edges; i++) {
    LLVMBasicBlockRef to = m->edges[i].to[m->edges[i].to[0] != NULL ? 0 : 1];
    target[lin_numbers_find(&m->targets, to)] = to;
  }
  for (uint32_t i = 0; i < staying; i++)
    if (lin_numbers_find(&m->gone, target[i]) == LIN_NONE)
      fill_staying(m, target[i]);
  uint32_t count = m->arms->count[0] + m->arms->count[1];
  for (uint32_t i = 0; i < count; i++)
    if (is_melded(m, m->arms->block[i]))
      enter_melded(m, m->arms->block[i], i < m->arms->count[0] ? 0 : 1);
  fill_melded(m);
  for (uint32_t i = 0; i < count; i++)
    if (is_melded(m, m->arms->block[i]))
      erase_instructions(block_of(m, m->arms->block[i]));
  for (uint32_t i = 0; i < count; i++)
    if (is_melded(m, m->arms->block[i]))
      lin_ir_delete_block(block_of(m, m->arms->block[i]));
}

// ---- step 5

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
    LLVMValueRef both = LLVMIsUndef(value[0])   ? value[1]
                        : LLVMIsUndef(value[1]) ? value[0]
                        : value[0] == value[1]  ? value[0]
                                                : choose_above(m, value[0], value[1]);
    LLVMAddIncoming(phi, &both, &m->branch, 1);
  }
  lin_ir_replace_branch(end, LLVMBuildBr(m->builder, next));
  lin_ir_delete_block(m->stub[0]);
  lin_ir_delete_block(m->stub[1]);
  lin_ir_merge_into_former(next);
}

// ---- all

static void number_blocks(melder *m) {
  for (uint32_t i = 0; i < m->arms->count[0] + m->arms->count[1]; i++) {
    lin_block number = m->arms->block[i];
    LLVMBasicBlockRef block = block_of(m, number);
    if (is_melded(m, number)) {
      lin_numbers_add(m->arena, &m->gone, block, number);
      lin_numbers_add(m->arena, &m->of_arms, block, number);
    } else {
      add_block(m, block, false);
    }
  }
}

void lin_ir_meld_arms(lin_arena *arena, const lin_ir_function *f, const lin_ir_operations *ops,
                      const lin_melds *melds, const lin_meld_arms *arms) {
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
    if (!is_melded(&m, block))
      continue;
    m.first[block] = m.first[melds->twin[block]] = new_block(&m, "linearize.melded", true);
    LLVMPositionBuilderAtEnd(m.builder, m.first[block]);
    meld_phis(&m, block);
    lin_ir_forget_variables(m.first[block], block_of(&m, block));
    lin_ir_forget_variables(m.first[block], block_of(&m, melds->twin[block]));
  }
  for (uint32_t i = 0; i < arms->count[0]; i++)
    if (is_melded(&m, arms->block[i]))
      meld_twins(&m, arms->block[i]);
  reconnect(&m);
  for (uint32_t i = 0; i < m.num_marks; i++)
    resolve_mark(&m, &m.marks[i]);
  lin_ir_repair_uses(m.all, m.num_all);
  drop_stubs(&m);
  LLVMDisposeBuilder(m.builder);
}
