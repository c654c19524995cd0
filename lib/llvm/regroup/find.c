// 1. The function is read: its graph, what its instructions mean to others.
// 2. How often threads and warps come to its blocks, counted or guessed.
// 3. Fragments that are worth it; those in loops of which merging saves more, and those in which
//    others could notice, are left out, with a remark.
// 4. Keys, and marks.
#include "find.h"

#include "again.h"
#include "choose/nests.h"
#include "gpu/costs.h"
#include "graph/split.h"
#include "graph/unite.h"
#include "memory.h"
#include "notice.h"
#include "points.h"
#include "refuse.h"
#include "regroup/fragments.h"
#include "llvm/ask/kernels.h"
#include "llvm/ask/occupancy.h"
#include "llvm/ask/questions.h"
#include "llvm/ask/target.h"
#include "llvm/ask/versions.h"
#include "llvm/edit/split.h"
#include "llvm/read/awaited.h"
#include "llvm/read/live.h"
#include "llvm/read/sharing.h"
#include "llvm/tell/message.h"

#include <llvm-c/Target.h>

#include <string.h>

enum {
  MOST_COMPUTED = 16, // instructions of a condition that are computed at the point
  MOST_CASES = 32,
  MOST_STEP = 1024, // that a loop counts by
};

typedef struct finder {
  lin_arena *arena;
  const lin_ir_finding *finding;
  lin_ir_function *f;
  lin_order *order;
  const lin_analysis *analysis;
  lin_numbers number;    // of LLVM's blocks, in order
  lin_block first_front; // of the blocks before they were ordered
  lin_flow flow;
} finder;

// ---- fronts

// Where a branch leads to a loop, and nowhere else is the loop entered, a place is missing: in
// front of the loop, and behind the branch. A block of the graph stands for it, a *front*, which
// the function gets if threads are to be regrouped there; if it is known how often threads come
// there.
//
//     b ──▶ loop ⟲           b ──▶ front ──▶ loop ⟲
//     └──▶ c ◀─┘      ==>    └──▶ c ◀──────────┘
static bool is_front(const finder *d, lin_block block) {
  return d->order->origin[block] >= d->first_front;
}

// The edge by which a loop is entered, if there is one; else LIN_NONE.
static lin_edge entering(const lin_graph *graph, const lin_loops *loops, lin_block header) {
  lin_edge found = LIN_NONE;
  for (LIN_IN_EDGES(graph, header, i)) {
    const lin_edge edge = graph->in_edge[i];
    if (lin_loop_around(loops, graph, edge) != 0)
      continue;
    if (found != LIN_NONE)
      return LIN_NONE;
    found = edge;
  }
  return found;
}

// ---- what branches ask

// The instructions that the conditions of branches are computed by, operands first.
typedef struct slice {
  LLVMValueRef instruction[MOST_COMPUTED];
  uint32_t count;
} slice;

static bool stands_above(const finder *d, LLVMValueRef value, lin_block head) {
  if (LLVMIsAInstruction(value) == NULL)
    return true; // a constant, a parameter
  const uint32_t block = lin_numbers_find(&d->number, LLVMGetInstructionParent(value));
  return block != LIN_NONE && lin_tree_contains(d->analysis->dominators, block, head);
}

static bool has(const slice *s, LLVMValueRef value) {
  for (uint32_t i = 0; i < s->count; i++)
    if (s->instruction[i] == value)
      return true;
  return false;
}

static LLVMValueRef missing_operand(const finder *d, const slice *s, LLVMValueRef at,
                                    lin_block head) {
  for (int i = 0; i < LLVMGetNumOperands(at); i++) {
    LLVMValueRef operand = LLVMGetOperand(at, (unsigned)i);
    if (!stands_above(d, operand, head) && !has(s, operand))
      return operand;
  }
  return NULL;
}

// False if what `value` is made of can't be computed at the end of `head`, whatever it is there.
static bool find_slice(const finder *d, LLVMValueRef value, lin_block head, slice *s) {
  LLVMValueRef pending[MOST_COMPUTED];
  uint32_t count = 0;
  if (stands_above(d, value, head) || has(s, value))
    return true;
  for (pending[count++] = value; count > 0;) {
    LLVMValueRef at = pending[count - 1];
    if (!lin_ir_is_cheap(at))
      return false;
    LLVMValueRef missing = missing_operand(d, s, at, head);
    if (missing != NULL ? count == MOST_COMPUTED : s->count == MOST_COMPUTED)
      return false;
    if (missing != NULL) {
      pending[count++] = missing;
      continue;
    }
    count--;
    if (!has(s, at))
      s->instruction[s->count++] = at;
  }
  return true;
}

// Of a front, the block in front of it.
static lin_block own_block(const finder *d, lin_block ordered) {
  const lin_graph *graph = d->analysis->graph;
  return d->order
      ->origin[is_front(d, ordered) ? graph->source[graph->in_edge[graph->first_in[ordered]]]
                                    : ordered];
}

static LLVMValueRef terminator(const finder *d, lin_block block) {
  return LLVMGetBasicBlockTerminator(d->f->block[own_block(d, block)]);
}

// What a branch or a switch asks, or NULL.
static LLVMValueRef asked(LLVMValueRef terminator) {
  if (LLVMIsASwitchInst(terminator) != NULL)
    return LLVMGetOperand(terminator, 0);
  if (LLVMIsABranchInst(terminator) != NULL && LLVMIsConditional(terminator))
    return LLVMGetCondition(terminator);
  return NULL;
}

// The values of a switch's cases are so small that its operand is the key; `*bits` are enough.
static bool is_dense(LLVMValueRef terminator, uint32_t *bits) {
  uint64_t most = 0;
  const unsigned cases = LLVMGetNumSuccessors(terminator);
  for (unsigned i = 1; i < cases; i++) {
    const uint64_t value = LLVMConstIntGetZExtValue(lin_ir_case(terminator, i));
    most = value > most ? value : most;
  }
  *bits = most >= MOST_CASES ? 0 : lin_bits_for((uint32_t)most + 2);
  return *bits > 0 && *bits <= LIN_MOST_FRAGMENT_BITS;
}

static uint32_t bits_of_ways(LLVMValueRef terminator) {
  uint32_t bits;
  if (LLVMIsASwitchInst(terminator) == NULL)
    return 1;
  if (LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(terminator, 0))) > 64 ||
      LLVMGetNumSuccessors(terminator) > MOST_CASES)
    return 0;
  return is_dense(terminator, &bits) ? bits : lin_bits_for(LLVMGetNumSuccessors(terminator));
}

// Whether a value is computed of the thread's index and of what all have in common, without a loop.
// Mostly that is a bound, which whole warps keep to; regrouping by the index alone does the rest
// (lib/permute), without a round.
static bool is_of_index(LLVMValueRef value) {
  LLVMValueRef pending[4 * MOST_COMPUTED];
  uint32_t count = 0, seen = 0;
  for (pending[count++] = value; count > 0; seen++) {
    LLVMValueRef at = pending[--count];
    if (LLVMIsAInstruction(at) == NULL || lin_ir_index_dimension(at) >= 0 || lin_ir_is_of_block(at))
      continue;
    const uint32_t operands = (uint32_t)LLVMGetNumOperands(at);
    if (!lin_ir_is_computed(at) || seen == 4 * MOST_COMPUTED ||
        count + operands > 4 * MOST_COMPUTED)
      return false;
    for (uint32_t i = 0; i < operands; i++)
      pending[count++] = LLVMGetOperand(at, i);
  }
  return true;
}

static lin_graph *add_fronts(finder *d, const lin_graph *graph) {
  const lin_order *order = lin_order_build(d->arena, graph);
  bool *on = LIN_ARRAY(d->arena, bool, graph->num_edges);
  lin_flow_launches launches = {.count = 0};
  const uint32_t num_loops = d->finding->counts == NULL ? 0 : order->loops->num_loops;
  if (num_loops > 0)
    launches = lin_flow_find_launches(d->arena, order->graph, d->finding->counts);
  for (uint32_t loop = 1; loop < num_loops; loop++) {
    const lin_block header = order->loops->header[loop];
    const lin_edge edge = entering(order->graph, order->loops, header);
    if (edge == LIN_NONE || order->loops->irreducible[loop] ||
        lin_out_degree(order->graph, order->graph->source[edge]) < 2 ||
        !lin_flow_knows_entries(&launches, order->graph, order->graph->source[edge], header))
      continue;
    const lin_block from = order->origin[order->graph->source[edge]],
                    to = order->origin[order->graph->destination[edge]];
    LLVMValueRef what = asked(LLVMGetBasicBlockTerminator(d->f->block[from]));
    if (what == NULL || is_of_index(what))
      continue; // mostly a bound
    for (LIN_OUT_EDGES(graph, from, out))
      on[out] |= graph->destination[out] == to;
  }
  d->first_front = graph->num_blocks;
  return lin_graph_split_edges(d->arena, graph, on);
}

static uint32_t bits_of(void *context, lin_block head, lin_block branch) {
  const finder *d = context;
  LLVMValueRef what = branch >= d->analysis->graph->num_blocks ||
                              d->order->origin[branch] >= d->f->graph->num_blocks
                          ? NULL
                          : asked(terminator(d, branch));
  slice s = {.count = 0};
  return what != NULL && !is_of_index(what) && find_slice(d, what, head, &s)
             ? bits_of_ways(terminator(d, branch))
             : 0;
}

// ---- what loops count

// `phi` from `start` on, `step` more in each iteration, until a comparison with `end` ends the
// loop.
typedef struct counter {
  LLVMValueRef start, end;
  int64_t step;
} counter;

static bool is_constant(LLVMValueRef value) { return LLVMIsAConstantInt(value) != NULL; }

// A phi of the loop's header that is it and a constant more in each iteration.
static bool is_counter(const finder *d, LLVMValueRef phi, uint32_t loop, counter *c) {
  const lin_loops *loops = d->analysis->loops;
  if (LLVMIsAPHINode(phi) == NULL || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(LLVMTypeOf(phi)) < 32 || LLVMGetIntTypeWidth(LLVMTypeOf(phi)) > 64 ||
      lin_numbers_find(&d->number, LLVMGetInstructionParent(phi)) != loops->header[loop])
    return false;
  *c = (counter){0};
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    const lin_block from = lin_numbers_find(&d->number, LLVMGetIncomingBlock(phi, i));
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (from == LIN_NONE || !lin_loop_contains(loops, loop, from)) { // or a front
      if (c->start != NULL && c->start != value)
        return false;
      c->start = value;
      continue;
    }
    if (LLVMIsAInstruction(value) == NULL || LLVMGetInstructionOpcode(value) != LLVMAdd ||
        LLVMGetOperand(value, 0) != phi || !is_constant(LLVMGetOperand(value, 1)))
      return false;
    const int64_t step = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
    if (step == 0 || step > MOST_STEP || step < -MOST_STEP || (c->step != 0 && c->step != step))
      return false;
    c->step = step;
  }
  return c->start != NULL && c->step != 0;
}

// Of a value that is the counter, or the counter of the next iteration.
static bool counts_by(const finder *d, LLVMValueRef value, uint32_t loop, counter *c) {
  if (LLVMIsAInstruction(value) == NULL)
    return false;
  if (LLVMGetInstructionOpcode(value) == LLVMAdd && is_constant(LLVMGetOperand(value, 1)))
    value = LLVMGetOperand(value, 0);
  return is_counter(d, value, loop, c);
}

// What a branch out of its loop waits for, if that is known at the end of `head`.
static bool find_counter(const finder *d, lin_block head, lin_block branch, counter *c) {
  const uint32_t loop = d->analysis->loops->loop_of[branch];
  slice s = {.count = 0};
  bool leaves = false;
  if (is_front(d, branch) || d->order->origin[branch] >= d->f->graph->num_blocks || loop == 0)
    return false;
  for (LIN_OUT_EDGES(d->analysis->graph, branch, edge))
    leaves |= !lin_loop_contains(d->analysis->loops, loop, d->analysis->graph->destination[edge]);
  LLVMValueRef what = asked(terminator(d, branch));
  if (!leaves || what == NULL || LLVMIsAICmpInst(what) == NULL)
    return false;
  for (unsigned side = 0; side < 2; side++) {
    LLVMValueRef end = LLVMGetOperand(what, 1 - side);
    if (!counts_by(d, LLVMGetOperand(what, side), loop, c) || !find_slice(d, end, head, &s) ||
        !find_slice(d, c->start, head, &s))
      continue;
    c->end = end;
    return !is_of_index(c->start) || !is_of_index(end);
  }
  return false;
}

static bool counts(void *context, lin_block head, lin_block branch, uint32_t *step) {
  counter c;
  if (!find_counter(context, head, branch, &c))
    return false;
  *step = (uint32_t)(c.step < 0 ? -c.step : c.step);
  return true;
}

// ---- the key

typedef struct writer {
  const finder *d;
  LLVMBuilderRef builder;
  LLVMTypeRef word;
  lin_numbers copied; // instructions of a slice
  LLVMValueRef copy[LIN_MOST_FRAGMENT_BITS * MOST_COMPUTED];
  uint32_t count;
} writer;

static LLVMValueRef at_point(const writer *w, LLVMValueRef value) {
  const uint32_t number = lin_numbers_find(&w->copied, value);
  return number == LIN_NONE ? value : w->copy[number];
}

static void copy_slice(writer *w, const slice *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    if (lin_numbers_find(&w->copied, s->instruction[i]) != LIN_NONE)
      continue;
    LLVMValueRef copy = LLVMInstructionClone(s->instruction[i]);
    LLVMInsertIntoBuilder(w->builder, copy);
    for (int o = 0; o < LLVMGetNumOperands(copy); o++)
      LLVMSetOperand(copy, (unsigned)o, at_point(w, LLVMGetOperand(copy, (unsigned)o)));
    lin_numbers_add(w->d->arena, &w->copied, s->instruction[i], w->count);
    w->copy[w->count++] = copy;
  }
}

// The number of the way that a switch will take, as its operand or by comparisons.
static LLVMValueRef way_of_switch(const writer *w, LLVMValueRef terminator, LLVMValueRef value) {
  uint32_t bits;
  LLVMBuilderRef b = w->builder;
  LLVMTypeRef type = LLVMTypeOf(value);
  if (is_dense(terminator, &bits)) {
    LLVMValueRef last = LLVMConstInt(type, (UINT64_C(1) << bits) - 1, false);
    LLVMValueRef is_case = LLVMBuildICmp(b, LLVMIntULT, value, last, "");
    return LLVMBuildIntCast2(b, LLVMBuildSelect(b, is_case, value, last, ""), w->word, false, "");
  }
  LLVMValueRef way = LLVMConstInt(w->word, 0, false);
  for (unsigned i = 1; i < LLVMGetNumSuccessors(terminator); i++) {
    LLVMValueRef is_case = LLVMBuildICmp(b, LLVMIntEQ, value, lin_ir_case(terminator, i), "");
    way = LLVMBuildSelect(b, is_case, LLVMConstInt(w->word, i, false), way, "");
  }
  return way;
}

// The ways of all branches of a fragment, one beside the other, that of the first in the highest
// bits. Where what is in front is odd, the next one counts down:
//
//     first    0 0 1 1
//     second   0 1 1 0       1 once, where it would stand in two places, and fill two warps' rests
static LLVMValueRef build_key(writer *w, const lin_fragment *fragment) {
  LLVMBuilderRef b = w->builder;
  LLVMContextRef context = LLVMGetTypeContext(w->word);
  LLVMValueRef zero = LLVMConstInt(w->word, 0, false), key = zero;
  for (uint32_t i = 0; i < fragment->count; i++) {
    LLVMValueRef branch = terminator(w->d, fragment->branch[i]), what = asked(branch);
    slice s = {.count = 0};
    find_slice(w->d, what, fragment->place, &s);
    copy_slice(w, &s);
    // Where a branch wouldn't have been come to, nobody says that what it asks has a value.
    LLVMValueRef value = LLVMBuildFreeze(b, at_point(w, what), "");
    LLVMValueRef way = LLVMIsASwitchInst(branch) != NULL ? way_of_switch(w, branch, value)
                                                         : LLVMBuildZExt(b, value, w->word, "");
    if (i == 0) {
      key = way;
      continue;
    }
    const uint32_t bits = fragment->bits_of[i];
    LLVMValueRef odd = LLVMBuildTrunc(b, key, LLVMInt1TypeInContext(context), "");
    LLVMValueRef down =
        LLVMBuildSelect(b, odd, LLVMConstInt(w->word, (UINT64_C(1) << bits) - 1, false), zero, "");
    key = LLVMBuildShl(b, key, LLVMConstInt(w->word, bits, false), "");
    key = LLVMBuildOr(b, key, LLVMBuildXor(b, way, down, ""), "");
  }
  return key;
}

// How far a loop will count: none of it if it won't go around, at most the last key.
//
//     key = min(max(end - start, 0) >> shift, 31)
static LLVMValueRef build_count(writer *w, const lin_fragment *fragment) {
  LLVMBuilderRef b = w->builder;
  slice s = {.count = 0};
  counter c = {.step = 0};
  find_counter(w->d, fragment->place, fragment->branch[0], &c);
  find_slice(w->d, c.end, fragment->place, &s);
  find_slice(w->d, c.start, fragment->place, &s);
  copy_slice(w, &s);
  LLVMValueRef start = LLVMBuildFreeze(b, at_point(w, c.start), ""),
               end = LLVMBuildFreeze(b, at_point(w, c.end), "");
  LLVMTypeRef type = LLVMTypeOf(start);
  LLVMValueRef none = LLVMConstInt(type, 0, false),
               last = LLVMConstInt(type, (UINT64_C(1) << fragment->bits) - 1, false),
               far = c.step > 0 ? LLVMBuildSub(b, end, start, "") : LLVMBuildSub(b, start, end, ""),
               goes = LLVMBuildICmp(b, LLVMIntSGT, far, none, "");
  far = LLVMBuildSelect(b, goes, far, none, "");
  far = LLVMBuildLShr(b, far, LLVMConstInt(type, fragment->shift, false), "");
  LLVMValueRef is_less = LLVMBuildICmp(b, LLVMIntULT, far, last, "");
  return LLVMBuildIntCast2(b, LLVMBuildSelect(b, is_less, far, last, ""), w->word, false, "");
}

static LLVMValueRef end_of(const finder *d, lin_block place) {
  if (!is_front(d, place))
    return terminator(d, place);
  const lin_graph *graph = d->analysis->graph;
  LLVMBasicBlockRef from = d->f->block[own_block(d, place)],
                    to = d->f->block[own_block(d, graph->destination[graph->first_edge[place]])];
  return LLVMGetBasicBlockTerminator(lin_ir_split_edges(to, &from, 1, ".front"));
}

// A point without a key needs nothing of what its block computes.
static LLVMValueRef begin_of(const finder *d, lin_block place) {
  LLVMValueRef at = LLVMGetFirstInstruction(d->f->block[own_block(d, place)]);
  while (LLVMIsAPHINode(at) != NULL)
    at = LLVMGetNextInstruction(at);
  return at;
}

static void add_mark(const finder *d, const lin_fragment *fragment) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(d->f->function));
  const bool has_key = fragment->count > 0 || is_front(d, fragment->place);
  LLVMValueRef before = has_key ? end_of(d, fragment->place) : begin_of(d, fragment->place);
  writer w = {.d = d,
              .builder = LLVMCreateBuilderInContext(context),
              .word = LLVMInt32TypeInContext(context)};
  LLVMPositionBuilderBefore(w.builder, before);
  LLVMValueRef key = fragment->loop != 0 ? build_count(&w, fragment) : build_key(&w, fragment);
  LLVMDisposeBuilder(w.builder);
  lin_ir_add_point(before, key, fragment->bits, LIN_BEST, 0);
}

// ---- who could notice

// Of blocks of `f`: which may come behind the point; and to which not all threads of the block
// come, or not at the same time as others who wait: those that don't stand on all ways from the
// entry, and those of the point's loop.
static void find_behind(const finder *d, lin_block head, bool *is_behind, bool *is_apart) {
  const lin_analysis *a = d->analysis;
  const lin_graph *graph = a->graph;
  const uint32_t loop = lin_loops_outermost(a->loops, head);
  bool *seen = LIN_ARRAY(d->arena, bool, graph->num_blocks);
  lin_block *stack = LIN_ARRAY(d->arena, lin_block, graph->num_blocks);
  uint32_t count = 0;
  stack[count++] = head;
  while (count > 0) {
    const lin_block at = stack[--count];
    for (LIN_OUT_EDGES(graph, at, edge)) {
      const lin_block to = graph->destination[edge];
      if (!seen[to])
        stack[count++] = to;
      seen[to] = true;
    }
  }
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    const lin_block own = d->order->origin[b];
    if (own >= d->f->graph->num_blocks)
      continue;
    is_behind[own] = seen[b];
    is_apart[own] = !lin_tree_contains(a->postdominators->tree, b, 0) ||
                    (loop != 0 && lin_loop_contains(a->loops, loop, b));
  }
}

static const char *find_notice(const finder *d, const lin_fragment *fragment) {
  bool *is_behind = LIN_ARRAY(d->arena, bool, d->f->graph->num_blocks);
  bool *is_apart = LIN_ARRAY(d->arena, bool, d->f->graph->num_blocks);
  find_behind(d, fragment->place, is_behind, is_apart);
  return lin_ir_find_notice(d->f, is_behind, is_apart);
}

// ---- remarks

static uint64_t percent(double part, double all) {
  return part > 0 ? (uint64_t)(100 * part / all + 0.5) : 0;
}

static void tell(const finder *d, const lin_fragment *fragment, const char *notice) {
  const lin_block block = own_block(d, fragment->place);
  const bool is_passed = notice == NULL, is_counted = d->finding->counts != NULL;
  lin_ir_message m = {.used = 0};
  lin_ir_say(&m, is_passed ? "threads are to be regrouped here"
                           : "threads aren't regrouped here, which would pay");
  for (uint32_t i = 0; i < fragment->count; i++) {
    lin_ir_say(&m, i > 0                 ? ", "
                   : fragment->loop != 0 ? ", by how often they will go around the loop at "
                                         : ", by what they will do at ");
    lin_ir_say_place(&m, d->f, own_block(d, fragment->branch[i]));
  }
  lin_ir_say(&m, ": warps execute about ");
  lin_ir_say_number(&m, "Saved", percent(fragment->saved, fragment->total));
  lin_ir_say(&m, "%% less%s, and ", is_counted ? "" : ", if guesses are right");
  lin_ir_say_number(&m, "Rounds", percent(fragment->rounds + fragment->fewer, fragment->total));
  lin_ir_say(&m, "%% more to regroup");
  if (!is_passed)
    lin_ir_say(&m, "; %s", notice);
  lin_ir_send_near(d->finding->report, d->f, is_passed ? LINEARIZE_PASSED : LINEARIZE_MISSED,
                   is_passed ? "RegroupChosen" : "RegroupRefused", block,
                   terminator(d, fragment->place), &m);
}

static void tell_function(const finder *d, const char *name, const char *text, const char *reason) {
  lin_ir_message m = {.used = 0};
  lin_ir_say(&m, "%s%s", text, reason);
  lin_ir_send(d->finding->report, d->f, LINEARIZE_MISSED, name, LIN_NONE, &m);
}

// ---- the function

// Nobody has counted: branches on the index alone are taken for bounds.
static void expect_bounds(lin_ir_function *f) {
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    LLVMValueRef what = asked(LLVMGetBasicBlockTerminator(f->block[b]));
    if (what != NULL && is_of_index(what))
      f->graph->flags[b] |= LIN_UNIFORM;
  }
}

static bool read_function(finder *d, LLVMValueRef function) {
  const linearize_options *options = d->finding->options;
  const lin_ir_read_options read = {.force = options->force};
  d->f = lin_ir_read(d->arena, function, &read);
  if (d->f->refused != NULL || lin_ir_target(function)->sm < 70)
    return false;
  lin_ir_summaries *summaries = lin_ir_summaries_new(d->arena);
  lin_ir_read_effects(d->f, summaries);
  lin_ir_read_awaited(d->f, summaries);
  if (options->merge_loops && !options->force)
    lin_ir_read_sharing(d->arena, d->f);
  if (options->is_uniform != NULL)
    lin_ir_read_uniform(d->f, options->is_uniform, options->context);
  if (options->most_trips != NULL)
    lin_ir_read_trips(d->f, options->most_trips, options->context);
  const char *ignored;
  if (d->finding->profile != NULL)
    lin_profile_apply(d->arena, d->finding->profile, d->f->graph, &ignored);
  else
    expect_bounds(d->f);
  d->order =
      lin_order_build(d->arena, add_fronts(d, lin_graph_unite_returns(d->arena, d->f->graph)));
  d->analysis = lin_analysis_build(d->arena, d->order->graph, d->order->loops);
  d->number = lin_ir_number_blocks(d->arena, d->f, d->order);
  return true;
}

// How often, and what has to be gained; false: nobody knows.
static bool find_flow(finder *d, lin_bound *bound) {
  const char *reason = "it is no file of counts: count with -linearize-count-passes";
  *bound = LIN_BOUND_COUNTED;
  if (d->finding->counts != NULL &&
      lin_flow_count(d->arena, d->analysis->graph, d->finding->counts, &d->flow, &reason)) {
    for (lin_block b = 0; b < d->analysis->graph->num_blocks; b++)
      if (is_front(d, b))
        lin_flow_count_front(d->analysis->graph, b, &d->flow);
    return true;
  }
  if (d->finding->profile != NULL) {
    tell_function(d, "NoCounts", "the profile doesn't say whether to regroup threads: ", reason);
    return false;
  }
  bool exact;
  uint32_t threads = lin_ir_block_threads(d->f->function, &exact);
  threads = threads == 0 ? LIN_USUAL_BLOCK : threads;
  const bool known = d->finding->options->is_uniform != NULL;
  const lin_joins *joins = lin_joins_find(d->arena, d->analysis, known, /*lock_step=*/false);
  const lin_ways *ways =
      lin_ways_apart(d->arena, d->analysis, joins, lin_ways_find(d->arena, joins->compiled, joins));
  d->flow = lin_flow_guess(d->arena, d->analysis, joins, ways, (threads + LIN_WARP - 1) / LIN_WARP);
  *bound = LIN_BOUND_GUESSED;
  return true;
}

// Addresses that depend on the thread's index, by arithmetic alone, are near each other in threads
// side by side.
static uint32_t *find_scattered(finder *d) {
  const lin_graph *graph = d->analysis->graph;
  uint32_t *scattered = LIN_ARRAY(d->arena, uint32_t, graph->num_blocks);
  lin_numbers of_index = {0};
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    if (d->order->origin[b] >= d->f->graph->num_blocks)
      continue;
    for (LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(d->f, d->order, b)); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      bool is_of_index = lin_ir_index_dimension(at) >= 0;
      for (int i = 0; i < LLVMGetNumOperands(at); i++)
        is_of_index |= lin_numbers_find(&of_index, LLVMGetOperand(at, (unsigned)i)) != LIN_NONE;
      if (!is_of_index)
        continue;
      if (lin_ir_is_computed(at) || lin_ir_index_dimension(at) >= 0)
        lin_numbers_add(d->arena, &of_index, at, 0);
      const bool loads = LLVMIsALoadInst(at) != NULL, stores = LLVMIsAStoreInst(at) != NULL;
      if ((loads || stores) &&
          lin_numbers_find(&of_index, LLVMGetOperand(at, stores ? 1 : 0)) != LIN_NONE)
        scattered[b]++;
    }
  }
  return scattered;
}

// Of variables in memory, which may move or not, as many as could.
static uint32_t words_in_memory(const finder *d) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(d->f->function));
  uint64_t bytes = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(d->f->function));
       at != NULL; at = LLVMGetNextInstruction(at))
    if (LLVMIsAAllocaInst(at) != NULL)
      bytes += LLVMABISizeOfType(layout, LLVMGetAllocatedType(at));
  return (uint32_t)(bytes < 4 * LIN_MOST_MEMORY ? bytes / 4 : LIN_MOST_MEMORY);
}

// `more`: beside those that live at the block's end.
static uint32_t *find_words(const finder *d, uint32_t more) {
  const lin_graph *graph = d->analysis->graph;
  const uint32_t *live = lin_ir_live_out(d->arena, d->f);
  uint32_t *words = LIN_ARRAY(d->arena, uint32_t, graph->num_blocks);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    if (own_block(d, b) < d->f->graph->num_blocks)
      words[b] = live[own_block(d, b)] + more;
  return words;
}

// As lin_ir_limit_registers has it.
static uint32_t most_registers(LLVMValueRef function) {
  bool exact;
  const uint32_t threads = lin_ir_block_threads(function, &exact);
  return lin_ir_registers(function,
                          (threads == 0 ? LIN_LARGEST_BLOCK : threads + LIN_WARP - 1) / LIN_WARP);
}

// By counts, what is saved in each outermost loop if loops in it are merged; NULL: none are.
static double *find_merging(const finder *d) {
  const lin_loops *loops = d->analysis->loops;
  if (!d->finding->options->merge_loops || d->finding->counts == NULL)
    return NULL;
  lin_graph *graph = d->order->graph;
  graph->visits = lin_flow_visits(d->arena, &d->flow, graph->num_blocks);
  const lin_nest_options options = {.divergence_known = d->finding->options->is_uniform != NULL};
  const lin_nests *nests = lin_nests_find(d->arena, d->analysis, &options);
  double *saved = LIN_ARRAY(d->arena, double, loops->num_loops);
  for (uint32_t loop = 1; loop < loops->num_loops; loop++)
    if (nests->merged[loop])
      saved[lin_tree_ancestor(loops->tree, loop, 1)] += nests->nest[loop].saved;
  return saved;
}

static bool find_in(finder *d) {
  lin_bound bound;
  uint32_t count;
  if (!find_flow(d, &bound))
    return false;
  if (d->finding->options->regardless)
    bound = LIN_BOUND_NONE;
  const uint32_t live = lin_ir_most_live(d->f);
  // Where guesses decide registers are no fewer than could be, either.
  const bool guessed = d->flow.is_guessed;
  const lin_sites sites = {
      .analysis = d->analysis,
      .flow = &d->flow,
      .scattered = find_scattered(d),
      .words = find_words(d, words_in_memory(d)),
      .live = find_words(d, guessed ? words_in_memory(d) : 0),
      .target = lin_ir_target(d->f->function),
      .registers = live == UINT32_MAX ? 0 : live + LIN_REGISTERS_BESIDE,
      .most_registers = guessed ? UINT32_MAX : most_registers(d->f->function),
      .bits = bits_of,
      .counts = counts,
      .context = d,
  };
  lin_fragment *fragment = lin_fragments_find(d->arena, &sites, bound, &count);
  uint32_t left = 0;
  const double *merging = find_merging(d);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t loop = lin_loops_outermost(d->analysis->loops, fragment[i].place);
    const char *notice = lin_ir_refuse_function(d->arena, d->f);
    notice = notice != NULL ? notice : find_notice(d, &fragment[i]);
    if (merging != NULL && loop != 0 &&
        bound.times * merging[loop] > lin_fragment_gain(&fragment[i]))
      notice = "loops that are merged save as much, and cost no rounds";
    tell(d, &fragment[i], notice);
    if (notice == NULL)
      fragment[left++] = fragment[i];
  }
  if (left > 0 && d->finding->options->changing != NULL)
    d->finding->options->changing(d->finding->options->context);
  for (uint32_t i = 0; i < left; i++)
    add_mark(d, &fragment[i]);
  return left > 0;
}

bool lin_ir_find_points(LLVMValueRef function, const lin_ir_finding *finding) {
  if (LLVMIsDeclaration(function) || !lin_ir_is_kernel(function))
    return false;
  lin_arena arena = {0};
  finder d = {.arena = &arena, .finding = finding};
  const bool changed = read_function(&d, function) && find_in(&d);
  lin_arena_release(&arena);
  return changed;
}
