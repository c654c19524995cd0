// The phis that were made, fewer of them. They were made one variable at a time, each as if there
// were no other; and wherever a variable could be read behind a join, though no thread may do so.
//
//   1. A phi that only phis read which nothing else reads goes.
//   2. A phi is the one value that its operands are, poison aside, where that value dominates it:
//
//          %p = phi [%v, %a], [poison, %b]         %v
//
//   3. Two phis of a block become one if they agree wherever both have a value, share a value that
//      isn't constant or one has all that the other has:
//
//          %p = phi [%v, %a], [poison, %b]         %q
//          %q = phi [%v, %a], [%w, %b]
//
//      Two without a value in common stay apart: in one register they would only need copies.
//
// Poison stands for "no thread comes this way and reads it", so any value may take its place.
#include "numbers.h"
#include "writer.h"

enum { ROUNDS = 4 }; // in which 2 and 3 make work for each other; later ones hardly find any

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

static bool simplify(cleaner *c) {
  bool any = false;
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
    any = true;
  }
  return any;
}

// ---- 3. ones that agree

static bool is_same(LLVMValueRef a, LLVMValueRef b, LLVMValueRef p, LLVMValueRef q) {
  return a == b || ((a == p || a == q) && (b == p || b == q));
}

static bool agree(LLVMValueRef p, LLVMValueRef q) {
  unsigned count = LLVMCountIncoming(p), more_p = 0, more_q = 0;
  bool shared = false;
  if (LLVMTypeOf(p) != LLVMTypeOf(q) || LLVMCountIncoming(q) != count)
    return false;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef a = LLVMGetIncomingValue(p, i), b = LLVMGetIncomingValue(q, i);
    if (LLVMGetIncomingBlock(p, i) != LLVMGetIncomingBlock(q, i))
      return false;
    if (LLVMIsPoison(a) || LLVMIsPoison(b)) {
      more_p += !LLVMIsPoison(a);
      more_q += !LLVMIsPoison(b);
    } else if (!is_same(a, b, p, q)) {
      return false;
    } else {
      shared |= !LLVMIsConstant(a);
    }
  }
  return shared || more_p == 0 || more_q == 0;
}

static void merge_into(cleaner *c, uint32_t number, LLVMValueRef phi) {
  LLVMValueRef gone = c->w->made[number].phi;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMIsPoison(LLVMGetIncomingValue(phi, i)))
      LLVMSetOperand(phi, i, LLVMGetIncomingValue(gone, i));
  replace(c, number, phi);
}

// Phis of one block by an operand that they had when they were entered.
typedef struct operand {
  LLVMValueRef value; // NULL: free
  unsigned index;
  uint32_t number; // of the phi
} operand;

typedef struct operand_table {
  operand *at; // [capacity]
  size_t capacity;
} operand_table;

static operand *find_operand(const operand_table *table, LLVMValueRef value, unsigned index) {
  uint64_t hash = ((uint64_t)(uintptr_t)value + index) * 0x9e3779b97f4a7c15u;
  size_t at = (size_t)(hash >> 32) & (table->capacity - 1);
  while (table->at[at].value != NULL &&
         (table->at[at].value != value || table->at[at].index != index))
    at = (at + 1) & (table->capacity - 1);
  return &table->at[at];
}

// Merges a phi into an earlier one of its block, or enters it into the table.
static bool merge_one(cleaner *c, operand_table *table, uint32_t number) {
  LLVMValueRef phi = c->w->made[number].phi;
  unsigned count = LLVMCountIncoming(phi);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    const operand *found = find_operand(table, value, i);
    LLVMValueRef other = found->value == NULL ? NULL : c->w->made[found->number].phi;
    if (other == NULL || LLVMIsPoison(value) || !agree(other, phi))
      continue;
    merge_into(c, number, other);
    return true;
  }
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (!LLVMIsPoison(value))
      *find_operand(table, value, i) = (operand){value, i, number};
  }
  return false;
}

// `first` and `next` list the phis of each block.
static bool merge(cleaner *c, const uint32_t *first, const uint32_t *next) {
  bool any = false;
  for (lin_block block = 0; block < c->w->graph->num_blocks; block++) {
    size_t operands = 0;
    for (uint32_t i = first[block]; i != LIN_NONE; i = next[i])
      operands += c->w->made[i].phi == NULL ? 0 : LLVMCountIncoming(c->w->made[i].phi);
    if (operands == 0)
      continue;
    operand_table table = {.capacity = 8};
    while (table.capacity < 2 * operands)
      table.capacity *= 2;
    table.at = LIN_ARRAY(c->w->arena, operand, table.capacity);
    for (uint32_t i = first[block]; i != LIN_NONE; i = next[i])
      any |= c->w->made[i].phi != NULL && merge_one(c, &table, i);
  }
  return any;
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
  uint32_t *first = LIN_ARRAY(w->arena, uint32_t, w->graph->num_blocks);
  uint32_t *next = LIN_ARRAY(w->arena, uint32_t, w->num_made);
  for (lin_block block = 0; block < w->graph->num_blocks; block++)
    first[block] = LIN_NONE;
  for (uint32_t i = w->num_made; i-- > 0;) {
    next[i] = first[w->made[i].block];
    first[w->made[i].block] = i;
  }
  for (int round = 0; round < ROUNDS; round++) {
    bool any = simplify(&c);
    any |= merge(&c, first, next);
    if (!any)
      break;
  }
  simplify(&c);
  erase_unused(&c);
}
