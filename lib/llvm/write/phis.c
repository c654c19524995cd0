// Fewer phis. Those that were made were made one variable at a time, each as if there were no
// other, and wherever a variable could be read behind a join, though no thread may do so. The
// function's own are looked at too, once before anything changes: a needless one would tie
// variables together, and would stay where its block is entered as before.
//
//   1. A phi that only phis read which nothing else reads goes.
//   2. A phi is the one value that its operands are, poison aside, where that value dominates it:
//
//          %p = phi [%v, %a], [poison, %b]         %v
//
// Poison stands for "no thread comes this way and reads it", so any value may take its place.
#include "writer.h"
#include "llvm/ask/numbers.h"

typedef struct numbered_phi {
  LLVMValueRef phi; // NULL when it is gone
  lin_block block;
} numbered_phi;

typedef struct cleaner {
  const writer *w;
  bool before; // the blocks are still connected as the function has them
  numbered_phi *phi;
  uint32_t count, capacity;
  lin_numbers number;
  uint32_t *work; // [count] phis to look at
  uint32_t num_work;
  bool *queued; // [count]
} cleaner;

static void find_phis(cleaner *c) {
  const writer *w = c->w;
  for (lin_block block = 0; block < w->graph->num_blocks; block++) {
    if (w->block[block] == NULL)
      continue;
    for (LLVMValueRef at = LLVMGetFirstInstruction(w->block[block]);
         at != NULL && LLVMIsAPHINode(at); at = LLVMGetNextInstruction(at)) {
      c->phi = LIN_ROOM(w->arena, c->phi, c->count, &c->capacity);
      lin_numbers_add(w->arena, &c->number, at, c->count);
      c->phi[c->count++] = (numbered_phi){at, block};
    }
  }
  c->work = LIN_ARRAY(w->arena, uint32_t, c->count);
  c->queued = LIN_ARRAY(w->arena, bool, c->count);
}

static uint32_t number_of(const cleaner *c, LLVMValueRef value) {
  uint32_t number = lin_numbers_find(&c->number, value);
  return number != LIN_NONE && c->phi[number].phi == value ? number : LIN_NONE;
}

static void queue(cleaner *c, uint32_t number) {
  if (number == LIN_NONE || c->queued[number])
    return;
  c->queued[number] = true;
  c->work[c->num_work++] = number;
}

// ---- 1. unused ones

static void queue_operands(cleaner *c, LLVMValueRef phi) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    queue(c, number_of(c, LLVMGetIncomingValue(phi, i)));
}

static void erase_unused(cleaner *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    LLVMUseRef use = c->phi[i].phi == NULL ? NULL : LLVMGetFirstUse(c->phi[i].phi);
    for (; use != NULL && !c->queued[i]; use = LLVMGetNextUse(use))
      if (number_of(c, LLVMGetUser(use)) == LIN_NONE)
        queue(c, i);
  }
  while (c->num_work > 0)
    queue_operands(c, c->phi[c->work[--c->num_work]].phi);
  for (uint32_t i = 0; i < c->count; i++)
    if (c->phi[i].phi != NULL && !c->queued[i])
      LLVMReplaceAllUsesWith(c->phi[i].phi, LLVMGetPoison(LLVMTypeOf(c->phi[i].phi)));
  for (uint32_t i = 0; i < c->count; i++) {
    if (c->phi[i].phi != NULL && !c->queued[i]) {
      LLVMInstructionEraseFromParent(c->phi[i].phi);
      c->phi[i].phi = NULL;
    }
    c->queued[i] = false;
  }
}

// ---- 2. ones that are another value

// The one value that reaches a phi, poison aside; poison if nothing does, NULL if several do.
static LLVMValueRef only_value(LLVMValueRef phi) {
  LLVMValueRef only = NULL;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (value == phi || value == only || LLVMIsPoison(value))
      continue;
    if (only != NULL)
      return NULL;
    only = value;
  }
  return only != NULL ? only : LLVMGetPoison(LLVMTypeOf(phi));
}

// True if a thread at the block's phis has computed `value` and not yet anew.
static bool is_known_at(const cleaner *c, LLVMValueRef value, lin_block block) {
  const lin_flow *flow = c->w->flow;
  if (!LLVMIsAInstruction(value))
    return true;
  lin_block definition = lin_writer_place(c->w, LLVMGetInstructionParent(value));
  if (definition == LIN_NONE || definition == block)
    return false;
  if (c->before)
    return lin_tree_contains(flow->plan->analysis->dominators, flow->original[definition],
                             flow->original[block]);
  return lin_tree_contains(flow->dominators, definition, block);
}

static void replace(cleaner *c, uint32_t number, LLVMValueRef value) {
  LLVMValueRef phi = c->phi[number].phi;
  for (LLVMUseRef use = LLVMGetFirstUse(phi); use != NULL; use = LLVMGetNextUse(use))
    queue(c, number_of(c, LLVMGetUser(use)));
  LLVMReplaceAllUsesWith(phi, value);
  LLVMInstructionEraseFromParent(phi);
  c->phi[number].phi = NULL;
}

static void simplify(cleaner *c) {
  for (uint32_t i = c->count; i-- > 0;)
    queue(c, i);
  while (c->num_work > 0) {
    uint32_t number = c->work[--c->num_work];
    numbered_phi at = c->phi[number];
    c->queued[number] = false;
    LLVMValueRef value = at.phi == NULL ? NULL : only_value(at.phi);
    if (value == NULL || !is_known_at(c, value, at.block))
      continue;
    replace(c, number, value);
  }
}

void lin_writer_clean_phis(const writer *w, bool before, bool thoroughly) {
  cleaner c = {.w = w, .before = before};
  find_phis(&c);
  erase_unused(&c);
  if (!thoroughly)
    return;
  simplify(&c);
  erase_unused(&c);
}
