// Switches of which little is left. Cases that led to different leaves now lead to one guard, and
// of the targets that remain, each may be told by a comparison or a few:
//
//     switch %s, default %d                 br (%s == 5), %a, %n1
//       5: %a                         n1:   br (%s > 5),  %d, %g
//       0, 1, 2, 3, 4: %g
//
// llc would look the case up in a table, by a branch to an address, or make a tree of comparisons
// in which threads meet late: where %a goes on to %g, the test that chooses between these two must
// be the last. A default that can't be reached is anything.
#include "writer.h"
#include "llvm/edit/records.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

// What a switch may have, to become comparisons, and how many of these may tell one target. Bounds:
// work grows with the square of the targets, and with the cases of each; and many comparisons would
// take longer than llc's table. On the kernels of bench/ warps run alike with 2 to 8 targets, 4 to
// 256 cases and 0 to 8 tests, within 0.1% (`scripts/calibrate MOST_TARGETS MOST_CASES MOST_TESTS`,
// 2026-11-24).
enum { MOST_TARGETS = 4, MOST_CASES = 64, MOST_TESTS = 3 };

// A target and the cases that lead to it; values are offsets from the lowest one.
typedef struct target {
  LLVMBasicBlockRef block;
  uint64_t low, high, count;
  uint64_t weight; // how often it is taken, among the others
  lin_block place;
  bool is_default;
} target;

typedef struct few {
  LLVMValueRef terminator, selector;
  LLVMBasicBlockRef from;
  target target[MOST_TARGETS];
  unsigned num_targets;
  uint64_t low, high, count; // of all cases
  uint64_t value[MOST_CASES];
  LLVMBasicBlockRef to[MOST_CASES];
} few;

static bool is_unreachable(LLVMBasicBlockRef block) {
  return LLVMIsAUnreachableInst(LLVMGetFirstInstruction(block)) != NULL;
}

static target *target_of(const writer *w, few *f, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < f->num_targets; i++)
    if (f->target[i].block == block)
      return &f->target[i];
  if (f->num_targets == MOST_TARGETS)
    return NULL;
  f->target[f->num_targets] =
      (target){.block = block, .place = lin_writer_place(w, block), .low = UINT64_MAX};
  return &f->target[f->num_targets++];
}

static void add_case(uint64_t *low, uint64_t *high, uint64_t *count, uint64_t value) {
  *low = value < *low ? value : *low;
  *high = value > *high ? value : *high;
  ++*count;
}

static bool find_targets(const writer *w, LLVMBasicBlockRef from, few *f) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(from);
  *f = (few){.terminator = terminator, .from = from, .low = UINT64_MAX};
  if (!LLVMIsASwitchInst(terminator) || LLVMGetNumSuccessors(terminator) > MOST_CASES)
    return false;
  const uint32_t *weights = lin_writer_weights(w, lin_writer_place(w, from));
  f->selector = LLVMGetOperand(terminator, 0);
  if (LLVMGetIntTypeWidth(LLVMTypeOf(f->selector)) > 64)
    return false;
  for (unsigned i = 1; i < LLVMGetNumSuccessors(terminator); i++) {
    target *t = target_of(w, f, LLVMGetSuccessor(terminator, i));
    if (t == NULL)
      return false;
    uint64_t value = LLVMConstIntGetZExtValue(lin_ir_case(terminator, i));
    add_case(&t->low, &t->high, &t->count, value);
    t->weight += weights == NULL ? 1 : weights[i]; // without a profile all alike
    f->value[f->count] = value;
    f->to[f->count] = t->block;
    add_case(&f->low, &f->high, &f->count, value);
  }
  LLVMBasicBlockRef other = LLVMGetSuccessor(terminator, 0);
  if (is_unreachable(other))
    return true;
  target *t = target_of(w, f, other);
  if (t == NULL)
    return false;
  t->is_default = true;
  t->weight += weights == NULL ? 1 : weights[0];
  return true;
}

// How many comparisons tell whether the selector leads to `t`; UINT64_MAX if that isn't known.
static uint64_t count_tests(const few *f, const target *t) {
  if (t->is_default) // every value but the cases that lead elsewhere
    return t->count == 0 && f->high - f->low == f->count - 1 ? 1 : UINT64_MAX;
  return t->high - t->low == t->count - 1 ? 1 : t->count;
}

// True if the threads at `block` all come to `below`.
static bool leads_to(const writer *w, lin_block block, lin_block below) {
  return lin_tree_contains(w->postdominators->tree, below, block);
}

// Whether `t` is better left without a test than `other`: it would take too many, others lead to
// it, it would take more, it is likelier.
static bool is_rather_rest(const few *f, const target *t, unsigned rank, const target *other,
                           unsigned other_rank) {
  if (rank != other_rank)
    return rank > other_rank;
  uint64_t tests = count_tests(f, t), other_tests = count_tests(f, other);
  return tests != other_tests ? tests > other_tests : t->weight > other->weight;
}

// The target that needs no test, or LIN_NONE if several would take too many.
static unsigned find_rest(const writer *w, const few *f) {
  unsigned rest = 0, hard = 0, best = 0;
  for (unsigned i = 0; i < f->num_targets; i++) {
    bool is_hard = count_tests(f, &f->target[i]) > MOST_TESTS;
    unsigned rank = is_hard ? 3 : 1;
    for (unsigned j = 0; j < f->num_targets && rank == 1; j++)
      if (i != j && leads_to(w, f->target[j].place, f->target[i].place))
        rank = 2;
    if (i == 0 || is_rather_rest(f, &f->target[i], rank, &f->target[rest], best)) {
      rest = i;
      best = rank;
    }
    hard += is_hard;
  }
  return hard > 1 ? LIN_NONE : rest;
}

// True if the threads that a test sends to `t` are by themselves until they come to `meet`, as they
// all do: `t` is entered from here alone, and if there is a third target, nothing is on the way
// that it could lead to as well.
static bool nests(const writer *w, const few *f, const target *t, lin_block from, lin_block meet) {
  for (LIN_IN_EDGES(w->graph, t->place, in))
    if (w->graph->source[w->graph->in_edge[in]] != from)
      return false;
  return f->num_targets == 2 || w->postdominators->tree->parent[t->place] == meet;
}

// Puts the rest last, and before it the targets that lead to it. Returns false if the tests would
// not nest: every other target must lead to the rest, or past it to where all threads meet.
static bool order_targets(const writer *w, lin_block from, few *f) {
  unsigned last = find_rest(w, f), next = 0;
  if (last == LIN_NONE)
    return false;
  target rest = f->target[last], ordered[MOST_TARGETS];
  lin_block end = w->postdominators->tree->parent[from];
  for (int pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < f->num_targets; i++) {
      const target *t = &f->target[i];
      bool to_rest = leads_to(w, t->place, rest.place);
      if (i == last || to_rest != (pass == 1))
        continue;
      if (t->place == end || !nests(w, f, t, from, to_rest ? rest.place : end))
        return false;
      ordered[next++] = *t;
    }
  ordered[next] = rest;
  memcpy(f->target, ordered, f->num_targets * sizeof *ordered);
  return rest.place == end || w->flow->dominators->parent[rest.place] == from;
}

static LLVMValueRef build_tests(writer *w, const few *f, const target *t) {
  LLVMValueRef tests = NULL;
  for (uint64_t i = 0; i < f->count; i++) {
    if (f->to[i] != t->block)
      continue;
    LLVMValueRef value = LLVMConstInt(LLVMTypeOf(f->selector), f->value[i], false);
    LLVMValueRef test = LLVMBuildICmp(w->builder, LLVMIntEQ, f->selector, value, "");
    tests = tests == NULL ? test : LLVMBuildOr(w->builder, tests, test, "");
  }
  return tests;
}

static LLVMValueRef build_test(writer *w, const few *f, const target *t) {
  if (count_tests(f, t) > 1)
    return build_tests(w, f, t);
  LLVMTypeRef type = LLVMTypeOf(f->selector);
  uint64_t low = t->is_default ? f->low : t->low, high = t->is_default ? f->high : t->high;
  if (low == high)
    return LLVMBuildICmp(w->builder, t->is_default ? LLVMIntNE : LLVMIntEQ, f->selector,
                         LLVMConstInt(type, low, false), "");
  LLVMValueRef offset =
      low == 0 ? f->selector
               : LLVMBuildSub(w->builder, f->selector, LLVMConstInt(type, low, false), "");
  return LLVMBuildICmp(w->builder, t->is_default ? LLVMIntUGT : LLVMIntULE, offset,
                       LLVMConstInt(type, high - low, false), "");
}

// Every phi of `block` that has operands from `from` gets one, now from `now`.
static void move_entry(writer *w, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                       LLVMBasicBlockRef now) {
  for (LLVMValueRef next, phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    lin_writer_rebuild_phi(w, phi, from, NULL, now, lin_ir_incoming(phi, from));
  }
}

static uint64_t weight_behind(const few *f, unsigned first) {
  uint64_t weight = 0;
  for (unsigned i = first; i < f->num_targets; i++)
    weight += f->target[i].weight;
  return weight;
}

static void replace(writer *w, const few *f) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(w->ir->function));
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(f->terminator);
  LLVMBasicBlockRef at = f->from;
  LLVMInstructionEraseFromParent(f->terminator);
  LLVMSetCurrentDebugLocation2(w->builder, location);
  for (unsigned i = 0; i + 1 < f->num_targets; i++) {
    bool last = i + 2 == f->num_targets;
    LLVMBasicBlockRef next =
        last ? f->target[i + 1].block
             : LLVMAppendBasicBlockInContext(context, w->ir->function, "linearize.case");
    if (!last) // where the last one falls through: llc turns a branch around whose target is next
      LLVMMoveBasicBlockBefore(next, f->target[f->num_targets - 1].block);
    LLVMPositionBuilderAtEnd(w->builder, at);
    LLVMValueRef branch =
        LLVMBuildCondBr(w->builder, build_test(w, f, &f->target[i]), f->target[i].block, next);
    lin_writer_set_odds(w, branch, f->target[i].weight, weight_behind(f, i + 1));
    move_entry(w, f->target[i].block, f->from, at);
    if (last)
      move_entry(w, next, f->from, at);
    at = next;
  }
  if (f->num_targets == 1) {
    LLVMPositionBuilderAtEnd(w->builder, at);
    LLVMBuildBr(w->builder, f->target[0].block);
    move_entry(w, f->target[0].block, f->from, at);
  }
  LLVMSetCurrentDebugLocation2(w->builder, NULL);
}

// The default that no value takes, if nothing else leads there: it goes. A remark about it is one
// about the switch then.
static void drop_default(writer *w, LLVMBasicBlockRef other, LLVMBasicBlockRef from) {
  lin_block place = lin_writer_place(w, other);
  if (place == LIN_NONE || !is_unreachable(other) ||
      LLVMGetFirstUse(LLVMBasicBlockAsValue(other)) != NULL)
    return;
  w->block[place] = NULL;
  w->ir->block[lin_writer_input(w, place)] = from;
  lin_ir_delete_block(other);
}

static bool is_never_taken(const writer *w, lin_block to) {
  return w->block[to] != NULL && is_unreachable(w->block[to]);
}

// A switch that chooses whether to stay in a loop stays one: several tests would be several exits.
static bool is_within_loop(const writer *w, lin_block block) {
  uint32_t loop = w->flow->loops->loop_of[block];
  for (LIN_OUT_EDGES(w->graph, block, edge)) {
    lin_block to = w->graph->destination[edge];
    bool stays = to > block && lin_loop_contains(w->flow->loops, loop, to);
    if (!stays && !is_never_taken(w, to))
      return false;
  }
  return true;
}

void lin_writer_simplify_switches(writer *w) {
  for (lin_block block = 0; block < w->graph->num_blocks; block++) {
    few f;
    if (w->block[block] == NULL || !lin_writer_sets_guard(w, block) || !is_within_loop(w, block) ||
        !find_targets(w, w->block[block], &f) || f.num_targets == 0)
      continue;
    if (w->postdominators == NULL)
      w->postdominators = lin_postdominators_build(w->arena, w->graph);
    if (!order_targets(w, block, &f))
      continue;
    LLVMBasicBlockRef other = LLVMGetSuccessor(f.terminator, 0);
    replace(w, &f);
    drop_default(w, other, f.from);
  }
}
