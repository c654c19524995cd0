#include "keys.h"

#include "again.h"
#include "points.h"
#include "llvm/ask/kernels.h"
#include "llvm/ask/questions.h"
#include "llvm/edit/split.h"

enum {
  MOST_COMPUTED = 16, // instructions of a condition that are computed at the point
  MOST_CASES = 32,
  MOST_STEP = 1024, // that a loop counts by
};

bool lin_ir_is_front(const lin_ir_places *p, lin_block block) {
  return p->order->origin[block] >= p->first_front;
}

// ---- what branches ask

// The instructions that the conditions of branches are computed by, operands first.
typedef struct slice {
  LLVMValueRef instruction[MOST_COMPUTED];
  uint32_t count;
} slice;

static bool stands_above(const lin_ir_places *p, LLVMValueRef value, lin_block head) {
  if (LLVMIsAInstruction(value) == NULL)
    return true; // a constant, a parameter
  const uint32_t block = lin_numbers_find(&p->number, LLVMGetInstructionParent(value));
  return block != LIN_NONE && lin_tree_contains(p->analysis->dominators, block, head);
}

static bool has(const slice *s, LLVMValueRef value) {
  for (uint32_t i = 0; i < s->count; i++)
    if (s->instruction[i] == value)
      return true;
  return false;
}

static LLVMValueRef missing_operand(const lin_ir_places *p, const slice *s, LLVMValueRef at,
                                    lin_block head) {
  for (int i = 0; i < LLVMGetNumOperands(at); i++) {
    LLVMValueRef operand = LLVMGetOperand(at, (unsigned)i);
    if (!stands_above(p, operand, head) && !has(s, operand))
      return operand;
  }
  return NULL;
}

// False if what `value` is made of can't be computed at the end of `head`, whatever it is there.
static bool find_slice(const lin_ir_places *p, LLVMValueRef value, lin_block head, slice *s) {
  LLVMValueRef pending[MOST_COMPUTED];
  uint32_t count = 0;
  if (stands_above(p, value, head) || has(s, value))
    return true;
  for (pending[count++] = value; count > 0;) {
    LLVMValueRef at = pending[count - 1];
    if (!lin_ir_is_cheap(at))
      return false;
    LLVMValueRef missing = missing_operand(p, s, at, head);
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

lin_block lin_ir_own_block(const lin_ir_places *p, lin_block ordered) {
  const lin_graph *graph = p->analysis->graph;
  return p->order
      ->origin[lin_ir_is_front(p, ordered) ? graph->source[graph->in_edge[graph->first_in[ordered]]]
                                           : ordered];
}

LLVMValueRef lin_ir_terminator_of(const lin_ir_places *p, lin_block block) {
  return LLVMGetBasicBlockTerminator(p->f->block[lin_ir_own_block(p, block)]);
}

LLVMValueRef lin_ir_asked_by(LLVMValueRef terminator) {
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
  return *bits > 0 && *bits <= LIN_BITS_OF_PASS;
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

bool lin_ir_follows_index(LLVMValueRef value) {
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

uint32_t lin_ir_key_bits(const lin_ir_places *p, lin_block head, lin_block branch) {
  LLVMValueRef what = branch >= p->analysis->graph->num_blocks ||
                              p->order->origin[branch] >= p->f->graph->num_blocks
                          ? NULL
                          : lin_ir_asked_by(lin_ir_terminator_of(p, branch));
  slice s = {.count = 0};
  return what != NULL && !lin_ir_follows_index(what) && find_slice(p, what, head, &s)
             ? bits_of_ways(lin_ir_terminator_of(p, branch))
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
static bool is_counter(const lin_ir_places *p, LLVMValueRef phi, uint32_t loop, counter *c) {
  const lin_loops *loops = p->analysis->loops;
  if (LLVMIsAPHINode(phi) == NULL || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(LLVMTypeOf(phi)) < 32 || LLVMGetIntTypeWidth(LLVMTypeOf(phi)) > 64 ||
      lin_numbers_find(&p->number, LLVMGetInstructionParent(phi)) != loops->header[loop])
    return false;
  *c = (counter){0};
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    const lin_block from = lin_numbers_find(&p->number, LLVMGetIncomingBlock(phi, i));
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
static bool counts_by(const lin_ir_places *p, LLVMValueRef value, uint32_t loop, counter *c) {
  if (LLVMIsAInstruction(value) == NULL)
    return false;
  if (LLVMGetInstructionOpcode(value) == LLVMAdd && is_constant(LLVMGetOperand(value, 1)))
    value = LLVMGetOperand(value, 0);
  return is_counter(p, value, loop, c);
}

// What a branch out of its loop waits for, if that is known at the end of `head`.
static bool find_counter(const lin_ir_places *p, lin_block head, lin_block branch, counter *c) {
  const uint32_t loop = p->analysis->loops->loop_of[branch];
  slice s = {.count = 0};
  bool leaves = false;
  if (lin_ir_is_front(p, branch) || p->order->origin[branch] >= p->f->graph->num_blocks ||
      loop == 0)
    return false;
  for (LIN_OUT_EDGES(p->analysis->graph, branch, edge))
    leaves |= !lin_loop_contains(p->analysis->loops, loop, p->analysis->graph->destination[edge]);
  LLVMValueRef what = lin_ir_asked_by(lin_ir_terminator_of(p, branch));
  if (!leaves || what == NULL || LLVMIsAICmpInst(what) == NULL)
    return false;
  for (unsigned side = 0; side < 2; side++) {
    LLVMValueRef end = LLVMGetOperand(what, 1 - side);
    if (!counts_by(p, LLVMGetOperand(what, side), loop, c) || !find_slice(p, end, head, &s) ||
        !find_slice(p, c->start, head, &s))
      continue;
    c->end = end;
    return !lin_ir_follows_index(c->start) || !lin_ir_follows_index(end);
  }
  return false;
}

bool lin_ir_key_counts(const lin_ir_places *p, lin_block head, lin_block branch, uint32_t *step) {
  counter c;
  if (!find_counter(p, head, branch, &c))
    return false;
  *step = (uint32_t)(c.step < 0 ? -c.step : c.step);
  return true;
}

// ---- the key

typedef struct writer {
  const lin_ir_places *p;
  LLVMBuilderRef builder;
  LLVMTypeRef word;
  lin_numbers copied; // instructions of a slice
  LLVMValueRef copy[LIN_BITS_OF_PASS * MOST_COMPUTED];
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
    lin_numbers_add(w->p->arena, &w->copied, s->instruction[i], w->count);
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
    LLVMValueRef branch = lin_ir_terminator_of(w->p, fragment->branch[i]),
                 what = lin_ir_asked_by(branch);
    slice s = {.count = 0};
    find_slice(w->p, what, fragment->place, &s);
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
  find_counter(w->p, fragment->place, fragment->branch[0], &c);
  find_slice(w->p, c.end, fragment->place, &s);
  find_slice(w->p, c.start, fragment->place, &s);
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

static LLVMValueRef end_of(const lin_ir_places *p, lin_block place) {
  if (!lin_ir_is_front(p, place))
    return lin_ir_terminator_of(p, place);
  const lin_graph *graph = p->analysis->graph;
  LLVMBasicBlockRef
      from = p->f->block[lin_ir_own_block(p, place)],
      to = p->f->block[lin_ir_own_block(p, graph->destination[graph->first_edge[place]])];
  return LLVMGetBasicBlockTerminator(lin_ir_split_edges(to, &from, 1, ".front"));
}

// A point without a key needs nothing of what its block computes.
static LLVMValueRef begin_of(const lin_ir_places *p, lin_block place) {
  LLVMValueRef at = LLVMGetFirstInstruction(p->f->block[lin_ir_own_block(p, place)]);
  while (LLVMIsAPHINode(at) != NULL)
    at = LLVMGetNextInstruction(at);
  return at;
}

void lin_ir_add_key(const lin_ir_places *p, const lin_fragment *fragment) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(p->f->function));
  const bool has_key = fragment->count > 0 || lin_ir_is_front(p, fragment->place);
  LLVMValueRef before = has_key ? end_of(p, fragment->place) : begin_of(p, fragment->place);
  writer w = {.p = p,
              .builder = LLVMCreateBuilderInContext(context),
              .word = LLVMInt32TypeInContext(context)};
  LLVMPositionBuilderBefore(w.builder, before);
  LLVMValueRef key = fragment->loop != 0 ? build_count(&w, fragment) : build_key(&w, fragment);
  LLVMDisposeBuilder(w.builder);
  lin_ir_add_point(before, key, fragment->bits, LIN_BEST, 0);
}
