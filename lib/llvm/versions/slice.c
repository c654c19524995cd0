#include "slice.h"

#include "graph/unite.h"
#include "llvm/ask/cost.h"
#include "llvm/ask/effects.h"
#include "llvm/ask/names.h"
#include "llvm/ask/spaces.h"

#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 32, MOST_CHOICES = 16 };

// What an address points into.
typedef enum where {
  SLOT,      // a stack slot
  SLOTS,     // one of several
  ELSEWHERE, // what is none
  ANYWHERE,
} where;

typedef struct finding {
  lin_arena *arena;
  const lin_ir_function *f;
  lin_ir_slice result;
  lin_numbers number;      // of each instruction
  uint32_t *work, pending; // [count] those kept whose operands weren't looked at
  uint32_t *first,
      *next;       // [count] of a stack slot, and of what writes it, the next that writes that
  bool *is_behind; // [count] the instruction may run behind a store
  bool writes_anywhere;
} finding;

static bool refuse(finding *s, LLVMValueRef at, const char *why) {
  snprintf(s->result.why, sizeof s->result.why, "%s", why);
  s->result.where = at;
  return false;
}

// ---- memory ------------------------------------------------------------------------------------

// Along what an address is computed of: what it points into, or a phi or select of several.
static LLVMValueRef object_of(LLVMValueRef address) {
  for (int step = 0; step < MOST_STEPS; step++) {
    if (LLVMIsAGetElementPtrInst(address) == NULL && LLVMIsACastInst(address) == NULL &&
        LLVMIsAConstantExpr(address) == NULL)
      return address;
    address = LLVMGetOperand(address, 0);
  }
  return address;
}

static where where_one(LLVMValueRef object) {
  if (LLVMIsAAllocaInst(object) != NULL)
    return SLOT;
  if (LLVMIsAArgument(object) != NULL || LLVMIsAGlobalVariable(object) != NULL ||
      LLVMIsALoadInst(object) != NULL)
    return ELSEWHERE;
  return ANYWHERE;
}

// Adds the addresses that a phi or select chooses from, but for those that are there; false: too
// many.
static bool add_choices(LLVMValueRef choice, LLVMValueRef *seen, uint32_t *count) {
  const int first = LLVMIsAPHINode(choice) != NULL ? 0 : 1;
  for (int o = first; o < LLVMGetNumOperands(choice); o++) {
    LLVMValueRef object = object_of(LLVMGetOperand(choice, (unsigned)o));
    uint32_t i = 0;
    while (i < *count && seen[i] != object)
      i++;
    if (i == MOST_CHOICES)
      return false;
    seen[i] = object;
    *count += i == *count;
  }
  return true;
}

static where where_is(LLVMValueRef address, LLVMValueRef *object) {
  LLVMValueRef seen[MOST_CHOICES] = {object_of(address)};
  *object = seen[0];
  where place = SLOT;
  uint32_t count = 1;
  for (uint32_t i = 0; i < count; i++) {
    if (LLVMIsAPHINode(seen[i]) != NULL || LLVMIsASelectInst(seen[i]) != NULL) {
      if (!add_choices(seen[i], seen, &count))
        return ANYWHERE;
      continue;
    }
    const where one = where_one(seen[i]);
    if (one != SLOT && count == 1)
      return one;
    if (one != SLOT)
      return ANYWHERE;
  }
  if (count > 1)
    place = SLOTS;
  return place;
}

static const char *intrinsic(LLVMValueRef at) {
  size_t length;
  LLVMValueRef called = LLVMIsACallInst(at) == NULL ? NULL : LLVMGetCalledValue(at);
  return called != NULL && LLVMIsAFunction(called) != NULL ? LLVMGetValueName2(called, &length)
                                                           : "";
}

// Says something to the compiler alone.
static bool is_note(LLVMValueRef at) {
  const char *name = intrinsic(at);
  return lin_ir_begins_with(name, "llvm.lifetime.") || lin_ir_begins_with(name, "llvm.dbg.") ||
         lin_ir_begins_with(name, "llvm.assume") ||
         lin_ir_begins_with(name, "llvm.experimental.noalias");
}

static bool is_copy(LLVMValueRef at) {
  return lin_ir_begins_with(intrinsic(at), "llvm.memcpy") ||
         lin_ir_begins_with(intrinsic(at), "llvm.memmove");
}

// The address that an instruction writes, or NULL.
static LLVMValueRef written_by(LLVMValueRef at) {
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMStore:
    return LLVMGetOperand(at, 1);
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return LLVMGetOperand(at, 0);
  case LLVMCall:
    return is_copy(at) || lin_ir_begins_with(intrinsic(at), "llvm.memset") ? LLVMGetOperand(at, 0)
                                                                           : NULL;
  default:
    return NULL;
  }
}

static LLVMValueRef read_by(LLVMValueRef at) {
  if (LLVMIsALoadInst(at) != NULL)
    return LLVMGetOperand(at, 0);
  return is_copy(at) ? LLVMGetOperand(at, 1) : NULL;
}

static bool is_constant(LLVMValueRef at, LLVMValueRef address, LLVMValueRef object) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(address));
  return LLVMGetMetadata(at, LLVMGetMDKindIDInContext(context, "invariant.load", 14)) != NULL ||
         LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == LIN_IR_CONSTANT ||
         (LLVMIsAGlobalVariable(object) != NULL && LLVMIsGlobalConstant(object));
}

// ---- what is there -----------------------------------------------------------------------------

static void number_instructions(finding *s) {
  uint32_t room = 0;
  for (lin_block b = 0; b < s->f->graph->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(s->f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      s->result.instruction = LIN_ROOM(s->arena, s->result.instruction, s->result.count, &room);
      lin_numbers_add(s->arena, &s->number, at, s->result.count);
      s->result.instruction[s->result.count++] = at;
    }
}

static bool look_at_call(finding *s, LLVMValueRef at) {
  LLVMValueRef called = LLVMGetCalledValue(at);
  if (is_note(at) || written_by(at) != NULL ||
      (LLVMIsAFunction(called) != NULL && lin_ir_never_writes(called)) ||
      (LLVMIsAInlineAsm(called) != NULL && lin_ir_is_arithmetic(called)))
    return true;
  return refuse(s, at, "it calls what may write memory");
}

// Chains what writes stack slots to these.
static bool find_writes(finding *s) {
  for (uint32_t i = 0; i < s->result.count; i++) {
    LLVMValueRef at = s->result.instruction[i], object, address = written_by(at);
    if (LLVMIsACallInst(at) != NULL && !look_at_call(s, at))
      return false;
    if (address == NULL)
      continue;
    const where place = where_is(address, &object);
    s->writes_anywhere |= place == ANYWHERE;
    if (place != SLOT && place != SLOTS)
      continue;
    const uint32_t slot = place == SLOTS ? s->result.count : lin_numbers_find(&s->number, object);
    s->next[i] = s->first[slot];
    s->first[slot] = i + 1;
  }
  return true;
}

static bool writes_elsewhere(LLVMValueRef at) {
  LLVMValueRef object, address = written_by(at);
  return address != NULL && where_is(address, &object) > SLOTS;
}

// Which instructions may run behind a store, each thread's own: those after it in its block, and
// all that the block leads to.
static void find_behind(finding *s) {
  const lin_graph *g = s->f->graph;
  bool *reached = LIN_ARRAY(s->arena, bool, g->num_blocks),
       *has = LIN_ARRAY(s->arena, bool, g->num_blocks);
  lin_block *stack = LIN_ARRAY(s->arena, lin_block, g->num_blocks);
  uint32_t count = 0, i = 0;
  for (lin_block b = 0; b < g->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(s->f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at))
      has[b] |= writes_elsewhere(at);
  for (lin_block b = 0; b < g->num_blocks; b++)
    if (has[b])
      stack[count++] = b;
  while (count > 0) {
    const lin_block from = stack[--count];
    for (lin_edge e = g->first_edge[from]; e < g->first_edge[from + 1]; e++) {
      const lin_block to = g->destination[e];
      if (reached[to])
        continue;
      reached[to] = true;
      if (!has[to])
        stack[count++] = to;
    }
  }
  for (lin_block b = 0; b < g->num_blocks; b++) {
    bool is_behind = reached[b];
    for (LLVMValueRef at = LLVMGetFirstInstruction(s->f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at), i++) {
      s->is_behind[i] = is_behind;
      is_behind |= writes_elsewhere(at);
    }
  }
}

// ---- the slice ---------------------------------------------------------------------------------

static void keep(finding *s, uint32_t i) {
  if (s->result.is_kept[i])
    return;
  s->result.is_kept[i] = true;
  s->work[s->pending++] = i;
}

static void keep_value(finding *s, LLVMValueRef value) {
  const uint32_t i =
      LLVMIsAInstruction(value) == NULL ? LIN_NONE : lin_numbers_find(&s->number, value);
  if (i != LIN_NONE)
    keep(s, i);
}

// Whoever reads a slot needs all that writes it.
static void keep_writes(finding *s, uint32_t slot) {
  for (uint32_t i = s->first[slot]; i != 0; i = s->next[i - 1])
    keep(s, i - 1);
  s->first[slot] = 0;
}

static bool keep_memory(finding *s, uint32_t i, LLVMValueRef at, LLVMValueRef address) {
  LLVMValueRef object;
  switch (where_is(address, &object)) {
  case SLOTS:
    for (uint32_t slot = 0; slot < s->result.count; slot++)
      keep_writes(s, slot);
    keep_writes(s, s->result.count);
    return !s->writes_anywhere || refuse(s, at, "it writes where nobody knows it");
  case SLOT:
    keep_writes(s, lin_numbers_find(&s->number, object));
    keep_writes(s, s->result.count);
    return !s->writes_anywhere || refuse(s, at, "it writes where nobody knows it");
  case ANYWHERE:
    return refuse(s, at,
                  "which ways threads go depends on memory of which nobody knows where it is");
  default:
    return !s->is_behind[i] || is_constant(at, address, object) ||
           refuse(
               s, at,
               "which ways threads go depends on memory that the kernel may have written before");
  }
}

static bool keep_all(finding *s) {
  for (lin_block b = 0; b < s->f->graph->num_blocks; b++)
    keep_value(s, LLVMGetBasicBlockTerminator(s->f->block[b]));
  while (s->pending > 0) {
    const uint32_t i = s->work[--s->pending];
    LLVMValueRef at = s->result.instruction[i], address = read_by(at);
    for (int o = 0; o < LLVMGetNumOperands(at); o++)
      keep_value(s, LLVMGetOperand(at, (unsigned)o));
    if (address != NULL && !keep_memory(s, i, at, address))
      return false;
  }
  return true;
}

// ---- what it costs -----------------------------------------------------------------------------

// Of a block once, with 8 iterations for each loop around it.
static double times_of(const lin_order *order, lin_block block) {
  const double iterations = 8;
  const lin_block at = order->number[block];
  double times = 1;
  for (uint32_t d = at == LIN_NONE ? 0 : order->loops->tree->depth[order->loops->loop_of[at]];
       d > 0; d--)
    times *= iterations;
  return times;
}

static bool is_cheap(finding *s, unsigned most_percent) {
  const lin_order *order =
      lin_order_build(s->arena, lin_graph_unite_returns(s->arena, s->f->graph));
  double all = 0, kept = 0;
  uint32_t i = 0;
  for (lin_block b = 0; b < s->f->graph->num_blocks; b++) {
    const double times = times_of(order, b);
    for (LLVMValueRef at = LLVMGetFirstInstruction(s->f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at), i++) {
      all += times * lin_ir_cost(at);
      kept += s->result.is_kept[i] ? times * lin_ir_cost(at) : 0;
    }
  }
  if (100 * kept <= most_percent * all)
    return true;
  snprintf(s->result.why, sizeof s->result.why,
           "what decides which ways threads go is %.0f%% of its work, over max-inspector, %u",
           100 * kept / all, most_percent);
  return false;
}

static bool has_ways(finding *s) {
  for (lin_block b = 0; b < s->f->graph->num_blocks; b++)
    if (lin_out_degree(s->f->graph, b) > 1)
      return true;
  return refuse(s, NULL, "all go the same way");
}

lin_ir_slice lin_ir_find_slice(lin_arena *arena, const lin_ir_function *f, unsigned most_percent) {
  finding s = {.arena = arena, .f = f};
  number_instructions(&s);
  const uint32_t count = s.result.count;
  s.result.is_kept = LIN_ARRAY(arena, bool, count);
  s.is_behind = LIN_ARRAY(arena, bool, count);
  s.work = LIN_ARRAY(arena, uint32_t, count);
  s.first = LIN_ARRAY(arena, uint32_t, count + 1);
  s.next = LIN_ARRAY(arena, uint32_t, count);
  find_behind(&s);
  if (has_ways(&s) && find_writes(&s) && keep_all(&s))
    is_cheap(&s, most_percent);
  return s.result;
}
