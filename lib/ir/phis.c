// The phis that were made, fewer of them. They were made one variable at a time, each as if there
// were no other; and wherever a variable could be read behind a join, though no thread may do so.
//
//   1. A phi that only phis read which nothing else reads goes.
//   2. A phi is the one value that its operands are, poison aside, where that value dominates it:
//
//          %p = phi [%v, %a], [poison, %b]         %v
//
// Poison stands for "no thread comes this way and reads it", so any value may take its place.
#include "numbers.h"
#include "writer.h"

typedef struct cleaner {
  writer *w;
  lin_numbers number; // of phis in w->made
  uint32_t *work;     // [num_made] phis to look at
  uint32_t num_work;
  bool *queued; // [num_made]
} cleaner;

static uint32_t number_of(const cleaner *c, LLVMValueRef value) {
  uint32_t number = lin_numbers_find(&c->number, value);
  return number != LIN_NONE && c->w->made[number].phi == value ? number : LIN_NONE;
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
  writer *w = c->w;
  for (uint32_t i = 0; i < w->num_made; i++) {
    LLVMUseRef use = w->made[i].phi == NULL ? NULL : LLVMGetFirstUse(w->made[i].phi);
    for (; use != NULL && !c->queued[i]; use = LLVMGetNextUse(use))
      if (number_of(c, LLVMGetUser(use)) == LIN_NONE)
        queue(c, i);
  }
  while (c->num_work > 0)
    queue_operands(c, w->made[c->work[--c->num_work]].phi);
  for (uint32_t i = 0; i < w->num_made; i++)
    if (w->made[i].phi != NULL && !c->queued[i])
      LLVMReplaceAllUsesWith(w->made[i].phi, LLVMGetPoison(LLVMTypeOf(w->made[i].phi)));
  for (uint32_t i = 0; i < w->num_made; i++) {
    if (w->made[i].phi != NULL && !c->queued[i]) {
      LLVMInstructionEraseFromParent(w->made[i].phi);
      w->made[i].phi = NULL;
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
static bool is_known_at(const writer *w, LLVMValueRef value, lin_block block) {
  if (!LLVMIsAInstruction(value))
    return true;
  lin_block definition = lin_writer_place(w, LLVMGetInstructionParent(value));
  return definition != LIN_NONE && definition != block &&
         lin_tree_contains(w->flow->dominators, definition, block);
}

static void replace(cleaner *c, uint32_t number, LLVMValueRef value) {
  LLVMValueRef phi = c->w->made[number].phi;
  for (LLVMUseRef use = LLVMGetFirstUse(phi); use != NULL; use = LLVMGetNextUse(use))
    queue(c, number_of(c, LLVMGetUser(use)));
  LLVMReplaceAllUsesWith(phi, value);
  LLVMInstructionEraseFromParent(phi);
  c->w->made[number].phi = NULL;
}

static void simplify(cleaner *c) {
  for (uint32_t i = c->w->num_made; i-- > 0;)
    queue(c, i);
  while (c->num_work > 0) {
    uint32_t number = c->work[--c->num_work];
    lin_made made = c->w->made[number];
    c->queued[number] = false;
    LLVMValueRef value = made.phi == NULL ? NULL : only_value(made.phi);
    if (value == NULL || !is_known_at(c->w, value, made.block))
      continue;
    replace(c, number, value);
  }
}

void lin_writer_clean_phis(writer *w, bool thoroughly) {
  cleaner c = {.w = w,
               .work = LIN_ARRAY(w->arena, uint32_t, w->num_made),
               .queued = LIN_ARRAY(w->arena, bool, w->num_made)};
  for (uint32_t i = 0; i < w->num_made; i++)
    lin_numbers_add(w->arena, &c.number, w->made[i].phi, i);
  erase_unused(&c);
  if (!thoroughly)
    return;
  simplify(&c);
  erase_unused(&c);
}
