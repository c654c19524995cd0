// 1. Go along the arm, over the blocks that all of its threads come to. A load is pending until
//    something uses it: there a piece has to begin, and nothing is pending any more.
// 2. In each block, what the loads need that doesn't depend on pending ones can come first, so that
//    all of these loads are under way before the first is waited for.
#include "pieces.h"

#include "llvm/ask/cost.h"
#include "llvm/ask/effects.h"

struct lin_ir_cutter {
  lin_arena *arena;
  const lin_ir_function *f;
  lin_numbers number; // of instructions
  uint32_t *loaded;   // [instructions] the stage in which it was loaded, + 1
  uint32_t stage;     // a number for each piece of each arm
  uint32_t piece;     // of this arm
  lin_ir_cut *cut;    // [num_cuts] of all arms
  uint32_t num_cuts, capacity;
  lin_pieces found; // of this arm
  lin_ir_arm arm;
};

// ---- instructions

// An intrinsic that does nothing but give a value: a special function.
static bool is_special(LLVMValueRef value) {
  LLVMValueRef callee = LLVMIsACallInst(value) != NULL ? LLVMGetCalledValue(value) : NULL;
  return callee != NULL && LLVMIsAFunction(callee) != NULL && LLVMGetIntrinsicID(callee) != 0 &&
         lin_ir_attribute(callee, "convergent") == NULL && lin_ir_touches_no_memory(callee);
}

static bool is_waited_for(LLVMValueRef value) {
  return lin_ir_is_plain_load(value) || (is_special(value) && lin_ir_cost(value) > 0);
}

static bool is_integer_division(LLVMValueRef value) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
}

// Neither reads nor writes memory.
static bool is_arithmetic(LLVMValueRef value) {
  return LLVMIsABinaryOperator(value) != NULL || LLVMIsACastInst(value) != NULL ||
         LLVMIsACmpInst(value) != NULL || LLVMIsASelectInst(value) != NULL ||
         LLVMIsAGetElementPtrInst(value) != NULL || LLVMIsAUnaryOperator(value) != NULL ||
         LLVMIsAFreezeInst(value) != NULL || LLVMIsAExtractValueInst(value) != NULL ||
         LLVMIsAExtractElementInst(value) != NULL || is_special(value);
}

// Whether it may come before all that is in front of it in its block and gives it nothing. What may
// write may also never come back, and a division by zero must not be done then.
static bool may_come_first(LLVMValueRef value, bool behind_writes) {
  return is_arithmetic(value) ? !behind_writes || !is_integer_division(value)
                              : !behind_writes && lin_ir_is_plain_load(value);
}

static uint32_t number_of(const lin_ir_cutter *c, LLVMValueRef value) {
  return lin_numbers_find(&c->number, value);
}

static bool is_pending(const lin_ir_cutter *c, LLVMValueRef value) {
  uint32_t number = LLVMIsAInstruction(value) != NULL ? number_of(c, value) : LIN_NONE;
  return number != LIN_NONE && c->loaded[number] == c->stage + 1;
}

static bool uses_pending(const lin_ir_cutter *c, LLVMValueRef instruction) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++)
    if (is_pending(c, LLVMGetOperand(instruction, i)))
      return true;
  return false;
}

static void number_instructions(lin_ir_cutter *c) {
  uint32_t count = 0;
  for (lin_block block = 0; block < c->f->graph->num_blocks; block++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(c->f->block[block]); at != NULL;
         at = LLVMGetNextInstruction(at))
      lin_numbers_add(c->arena, &c->number, at, count++);
  c->loaded = LIN_ARRAY(c->arena, uint32_t, count);
}

// ---- step 2: what can come first in a block

// What is left of a block once its first stages are cut off.
typedef struct rest {
  LLVMValueRef *instruction; // [count] but phis, in order; the terminator is the last
  uint32_t count;
  bool *early; // [count] can be done without waiting
} rest;

static bool depends_on_late(const lin_ir_cutter *c, const rest *r, uint32_t index,
                            const lin_numbers *in) {
  LLVMValueRef value = r->instruction[index];
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
    LLVMValueRef operand = LLVMGetOperand(value, i);
    uint32_t at = LLVMIsAInstruction(operand) != NULL ? lin_numbers_find(in, operand) : LIN_NONE;
    if (at != LIN_NONE && at < index && !r->early[at])
      return true;
  }
  return uses_pending(c, value);
}

// Finds what needn't wait; loads among it become pending. Returns whether there are loads, and sets
// `*waits` to whether something has to wait.
static bool find_early(lin_ir_cutter *c, rest *r, const lin_numbers *in, bool *waits) {
  bool writes = false, loads = false;
  *waits = false;
  for (uint32_t i = 0; i < r->count; i++) {
    LLVMValueRef at = r->instruction[i];
    bool loads_here = is_waited_for(at);
    *waits |= uses_pending(c, at);
    r->early[i] = may_come_first(at, writes) && !depends_on_late(c, r, i, in);
    if (r->early[i] && loads_here) {
      c->loaded[number_of(c, at)] = c->stage + 1;
      loads = true;
    }
    writes |= !is_arithmetic(at) && LLVMIsALoadInst(at) == NULL;
  }
  return loads;
}

// Leaves of the early instructions only loads and what they need.
static void keep_slices(const lin_ir_cutter *c, rest *r, const lin_numbers *in) {
  bool *needed = LIN_ARRAY(c->arena, bool, r->count);
  for (uint32_t i = r->count; i-- > 0;) {
    LLVMValueRef at = r->instruction[i];
    needed[i] |= is_waited_for(at);
    r->early[i] &= needed[i];
    if (!r->early[i])
      continue;
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(at); j++) {
      LLVMValueRef operand = LLVMGetOperand(at, j);
      uint32_t from =
          LLVMIsAInstruction(operand) != NULL ? lin_numbers_find(in, operand) : LIN_NONE;
      if (from != LIN_NONE && from < i)
        needed[from] = true;
    }
  }
}

// ---- step 1: along the arm

static void add_instruction(lin_ir_cutter *c, LLVMValueRef at) {
  lin_ir_arm *arm = &c->arm;
  arm->issue = LIN_ROOM(c->arena, arm->issue, arm->count, &arm->capacity);
  arm->issue[arm->count++] = (lin_ir_issue){at, c->piece};
}

static void add_cut(lin_ir_cutter *c, lin_ir_cut cut) {
  uint32_t cost = 0;
  for (uint32_t i = 0; i < cut.num_first; i++)
    cost += lin_ir_cost(cut.first[i]);
  c->found.cut[c->found.num_cuts++] = (lin_cut){cut.block, cut.num_first, cost, c->num_cuts};
  c->cut = LIN_ROOM(c->arena, c->cut, c->num_cuts, &c->capacity);
  c->cut[c->num_cuts++] = cut;
}

// Takes what comes first out of the rest, and cuts behind it.
static void cut_off(lin_ir_cutter *c, lin_block block, rest *r) {
  LLVMValueRef *first = LIN_ARRAY(c->arena, LLVMValueRef, r->count);
  uint32_t num_first = 0, left = 0;
  for (uint32_t i = 0; i < r->count; i++)
    if (r->early[i])
      first[num_first++] = r->instruction[i];
    else
      r->instruction[left++] = r->instruction[i];
  r->count = left;
  for (uint32_t i = 0; i < num_first; i++)
    add_instruction(c, first[i]);
  if (c->found.num_cuts < LIN_MOST_PIECES - 1)
    add_cut(c, (lin_ir_cut){block, first, num_first});
  c->piece++;
  c->stage++;
}

static rest rest_of(const lin_ir_cutter *c, LLVMBasicBlockRef block) {
  uint32_t count = 0, capacity = 0;
  LLVMValueRef *list = NULL;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    if (LLVMIsAPHINode(at))
      continue;
    list = LIN_ROOM(c->arena, list, count, &capacity);
    list[count++] = at;
  }
  return (rest){list, count, LIN_ARRAY(c->arena, bool, count)};
}

static void index_rest(const lin_ir_cutter *c, const rest *r, lin_numbers *in) {
  *in = (lin_numbers){0};
  for (uint32_t i = 0; i < r->count; i++)
    lin_numbers_add(c->arena, in, r->instruction[i], i);
}

// Of a phi that may be a pending load, uses have to wait too.
static void add_phis(lin_ir_cutter *c, LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); LLVMIsAPHINode(at);
       at = LLVMGetNextInstruction(at)) {
    add_instruction(c, at);
    if (uses_pending(c, at))
      c->loaded[number_of(c, at)] = c->stage + 1;
  }
}

// Leaves the part of the block in which its last stage ends.
static rest cut_block(lin_ir_cutter *c, lin_block block) {
  add_phis(c, c->f->block[block]);
  rest r = rest_of(c, c->f->block[block]);
  for (;;) {
    lin_numbers in;
    bool waits;
    index_rest(c, &r, &in);
    bool loads = find_early(c, &r, &in, &waits);
    if (!waits)
      return r;
    if (loads)
      keep_slices(c, &r, &in);
    else
      for (uint32_t i = 0; i < r.count; i++)
        r.early[i] = false;
    cut_off(c, block, &r);
  }
}

static void add_rest(lin_ir_cutter *c, const rest *r) {
  for (uint32_t i = 0; i < r->count; i++)
    add_instruction(c, r->instruction[i]);
}

// A branch of the arm stays in one piece with all that is inside of it, and waits for what that
// waits for; what it loads is pending behind it.
static void cut_branch(lin_ir_cutter *c, lin_block branch, const lin_block *inside, uint32_t count,
                       rest *r) {
  bool waits = false;
  for (uint32_t i = 0; i < count && !waits; i++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(c->f->block[inside[i]]); at != NULL && !waits;
         at = LLVMGetNextInstruction(at))
      waits = uses_pending(c, at);
  if (waits) {
    for (uint32_t i = 0; i < r->count; i++)
      r->early[i] = i + 1 < r->count; // all but the branch
    cut_off(c, branch, r);
  }
  add_rest(c, r);
  for (uint32_t i = 0; i < count; i++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(c->f->block[inside[i]]); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      add_instruction(c, at);
      if (is_waited_for(at))
        c->loaded[number_of(c, at)] = c->stage + 1;
    }
}

// ---- the whole arm

lin_pieces lin_ir_find_pieces(lin_ir_cutter *c, const lin_arm *arm) {
  c->found = (lin_pieces){.num_cuts = 0};
  c->arm = (lin_ir_arm){.count = 0};
  c->piece = 0;
  for (uint32_t i = 0; i < arm->count;) {
    lin_block block = arm->block[i];
    uint32_t first = ++i;
    while (i < arm->count && arm->inside[i])
      i++;
    rest r = cut_block(c, block);
    if (lin_out_degree(c->f->graph, block) > 1)
      cut_branch(c, block, &arm->block[first], i - first, &r);
    else
      add_rest(c, &r);
  }
  c->stage++; // what this arm has loaded, the other one doesn't wait for
  c->found.row = lin_ir_time_arm(c->arena, c->f, &c->arm);
  return c->found;
}

const lin_ir_cut *lin_ir_find_cut(const lin_ir_cutter *c, uint32_t place) { return &c->cut[place]; }

lin_ir_cutter *lin_ir_cutter_new(lin_arena *arena, const lin_ir_function *f) {
  lin_ir_cutter *c = LIN_NEW(arena, lin_ir_cutter);
  *c = (lin_ir_cutter){.arena = arena, .f = f};
  number_instructions(c);
  return c;
}
