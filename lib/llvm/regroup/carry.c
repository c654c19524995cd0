#include "carry.h"

#include <assert.h>
#include <string.h>

// ---- slots

LLVMValueRef lin_ir_new_slot(const lin_ir_emitter *e, LLVMTypeRef type, const char *name) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
  LLVMPositionBuilderBefore(e->builder, LLVMGetFirstInstruction(entry));
  LLVMValueRef slot = LLVMBuildAlloca(e->builder, type, name);
  if (here != NULL)
    LLVMPositionBuilderAtEnd(e->builder, here);
  return slot;
}

static LLVMValueRef behind_phis(LLVMValueRef at) {
  while (LLVMIsAPHINode(at) != NULL)
    at = LLVMGetNextInstruction(at);
  return at;
}

static LLVMValueRef read_slot(const lin_ir_emitter *e, LLVMTypeRef type, LLVMValueRef slot,
                              LLVMValueRef before) {
  LLVMPositionBuilderBefore(e->builder, before);
  return LLVMBuildLoad2(e->builder, type, slot, "");
}

// All that uses a value, for the list of uses changes as they go.
typedef struct uses {
  LLVMUseRef *use;
  uint32_t count, capacity;
} uses;

static uses list_uses(lin_arena *arena, LLVMValueRef value) {
  uses all = {0};
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
    all.use = LIN_ROOM(arena, all.use, all.count, &all.capacity);
    all.use[all.count++] = use;
  }
  return all;
}

// A phi may have several edges from one block, which have to give it the same.
static void read_in_phi(const lin_ir_carry *c, lin_numbers *read, LLVMValueRef **reads,
                        LLVMUseRef use, LLVMValueRef value, LLVMValueRef slot) {
  LLVMBasicBlockRef from = lin_ir_place_of(use);
  uint32_t number = lin_numbers_find(read, from);
  if (number == LIN_NONE) {
    number = (uint32_t)read->count;
    (*reads)[number] = read_slot(c->e, LLVMTypeOf(value), slot, LLVMGetBasicBlockTerminator(from));
    lin_numbers_add(c->arena, read, from, number);
  }
  lin_ir_set_use(use, (*reads)[number]);
}

// In the block that computes it a value is what it was, for cuts are at ends of blocks; but for
// phis of that block, which are told at its end.
static void carry_value(const lin_ir_carry *c, LLVMValueRef value, LLVMValueRef slot) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
  uses all = list_uses(c->arena, value);
  lin_numbers read = {0};
  LLVMValueRef *reads = LIN_ARRAY(c->arena, LLVMValueRef, all.count);
  for (uint32_t i = 0; i < all.count; i++) {
    LLVMValueRef user = LLVMGetUser(all.use[i]);
    if (LLVMIsAInstruction(user) == NULL)
      continue;
    if (LLVMIsAPHINode(user) != NULL)
      read_in_phi(c, &read, &reads, all.use[i], value, slot);
    else if (LLVMGetInstructionParent(user) != block)
      lin_ir_set_use(all.use[i], read_slot(c->e, LLVMTypeOf(value), slot, user));
  }
  LLVMPositionBuilderBefore(c->e->builder, behind_phis(LLVMGetNextInstruction(value)));
  LLVMBuildStore(c->e->builder, value, slot);
}

lin_ir_carry lin_ir_carry_values(lin_arena *arena, const lin_ir_emitter *e,
                                 const lin_ir_state *state) {
  lin_ir_carry c = {arena, e,   state, LIN_ARRAY(arena, LLVMValueRef, state->num_carried),
                    NULL,  NULL};
  for (uint32_t i = 0; i < state->num_carried; i++)
    c.slot[i] = lin_ir_new_slot(e, LLVMTypeOf(state->carried[i]), "");
  for (uint32_t i = 0; i < state->num_carried; i++)
    carry_value(&c, state->carried[i], c.slot[i]);
  return c;
}

// ---- words

// The low 32 bits from bit `from` on, as a word.
static LLVMValueRef cut_word(const lin_ir_emitter *e, LLVMValueRef integer, uint32_t from) {
  LLVMTypeRef type = LLVMTypeOf(integer);
  if (from > 0)
    integer = LLVMBuildLShr(e->builder, integer, LLVMConstInt(type, from, false), "");
  return LLVMGetIntTypeWidth(type) > LIN_WORD ? LLVMBuildTrunc(e->builder, integer, e->word, "")
                                              : LLVMBuildZExt(e->builder, integer, e->word, "");
}

typedef struct packer {
  const lin_ir_carry *c;
  const lin_ir_cargo *cargo;
  LLVMValueRef *word; // [num_words] NULL: nothing yet
  uint32_t integer;   // the next one
} packer;

// Bits above those that move are zero, as those of an index are.
//
// One that is undefined, as a variable that only some ways set, must not make others of its word
// so: it becomes any number, and then of no more bits than move.
static LLVMValueRef define(const lin_ir_emitter *e, LLVMValueRef integer, uint32_t bits) {
  LLVMTypeRef type = LLVMTypeOf(integer);
  integer = LLVMBuildFreeze(e->builder, integer, "");
  const uint32_t others = LLVMGetIntTypeWidth(type) - bits;
  if (others == 0)
    return integer;
  LLVMValueRef mask =
      LLVMBuildLShr(e->builder, LLVMConstAllOnes(type), LLVMConstInt(type, others, false), "");
  return LLVMBuildAnd(e->builder, integer, mask, "");
}

static void put_integer(packer *p, LLVMValueRef integer) {
  const lin_ir_emitter *e = p->c->e;
  const lin_layout *layout = &p->cargo->layout;
  const uint32_t i = p->integer++, bits = p->cargo->bits.bits[i], full = bits / LIN_WORD;
  if (bits % LIN_WORD != 0 && !layout->is_alone[i])
    integer = define(e, integer, bits);
  for (uint32_t word = 0; word < full; word++)
    p->word[layout->full[i] + word] = cut_word(e, integer, word * LIN_WORD);
  if (bits % LIN_WORD == 0)
    return;
  LLVMValueRef rest = cut_word(e, integer, full * LIN_WORD);
  if (layout->shift[i] > 0)
    rest = lin_ir_left(e, rest, lin_ir_word(e, layout->shift[i]));
  LLVMValueRef *to = &p->word[layout->word[i]];
  *to = *to == NULL ? rest : lin_ir_or(e, *to, rest);
}

static void put_value(packer *p, LLVMValueRef value) {
  LLVMValueRef *integer = LIN_ARRAY(p->c->arena, LLVMValueRef, p->cargo->bits.count);
  uint32_t count = lin_ir_take_apart(p->c->e, value, integer);
  for (uint32_t i = 0; i < count; i++)
    put_integer(p, integer[i]);
}

static LLVMValueRef address_of(const lin_ir_emitter *e, const lin_ir_part *part) {
  return lin_ir_at(e, e->byte, part->variable, lin_ir_word(e, part->offset));
}

static LLVMTypeRef type_of(const lin_ir_emitter *e, const lin_ir_part *part) {
  return LLVMIntTypeInContext(e->context, part->bits);
}

// Some of it may never have been written.
static LLVMValueRef load_part(const lin_ir_emitter *e, const lin_ir_part *part) {
  LLVMValueRef load = LLVMBuildLoad2(e->builder, type_of(e, part), address_of(e, part), "");
  unsigned kind = LLVMGetMDKindIDInContext(e->context, "nosanitize", strlen("nosanitize"));
  LLVMMetadataRef nothing = LLVMMDNodeInContext2(e->context, NULL, 0);
  LLVMSetMetadata(load, kind, LLVMMetadataAsValue(e->context, nothing));
  return load;
}

// What is there of a value where the builder is.
static LLVMValueRef current(const lin_ir_carry *c, LLVMValueRef value) {
  uint32_t number = lin_numbers_find(&c->state->number, value);
  return number == LIN_NONE ? value
                            : LLVMBuildLoad2(c->e->builder, LLVMTypeOf(value), c->slot[number], "");
}

void lin_ir_pack(const lin_ir_carry *carry, uint32_t cut, uint32_t label, uint32_t label_bits,
                 LLVMValueRef branch) {
  const lin_ir_cargo *cargo = &carry->state->cargo[cut];
  const lin_ir_emitter *e = carry->e;
  packer p = {carry, cargo, LIN_ARRAY(carry->arena, LLVMValueRef, cargo->layout.num_words), 0};
  LLVMPositionBuilderBefore(e->builder, branch);
  if (label_bits > 0)
    put_integer(&p, lin_ir_word(e, label));
  for (uint32_t i = 0; i < cargo->num_values; i++)
    put_value(&p, current(carry, cargo->value[i]));
  for (uint32_t i = 0; i < cargo->num_parts; i++)
    put_integer(&p, load_part(e, &cargo->part[i]));
  assert(p.integer == cargo->bits.count);
  for (uint32_t i = 0; i < cargo->layout.num_words; i++)
    lin_ir_store(e, p.word[i], carry->word[i]);
}

// ---- and back

typedef struct unpacker {
  const lin_ir_carry *c;
  const lin_ir_cargo *cargo;
  LLVMValueRef *word;
  uint32_t integer;
  lin_numbers number; // of values that are there again
  LLVMValueRef *made; // by that number
} unpacker;

static LLVMValueRef get_rest(const unpacker *u, uint32_t i) {
  const lin_ir_emitter *e = u->c->e;
  const lin_layout *layout = &u->cargo->layout;
  LLVMValueRef rest = lin_ir_right(e, u->word[layout->word[i]], layout->shift[i]);
  uint32_t bits = u->cargo->bits.bits[i] % LIN_WORD;
  if (layout->is_alone[i] || layout->shift[i] + bits == LIN_WORD)
    return rest;
  return lin_ir_and(e, rest, lin_ir_word(e, (UINT32_C(1) << bits) - 1));
}

// The next integer, of `width` bits at least as many as moved.
static LLVMValueRef get_integer(unpacker *u, uint32_t width) {
  const lin_ir_emitter *e = u->c->e;
  const uint32_t i = u->integer++, bits = u->cargo->bits.bits[i], full = bits / LIN_WORD;
  LLVMTypeRef type = LLVMIntTypeInContext(e->context, width);
  LLVMValueRef all = NULL;
  for (uint32_t word = 0; word < full + (bits % LIN_WORD != 0); word++) {
    LLVMValueRef part = word < full ? u->word[u->cargo->layout.full[i] + word] : get_rest(u, i);
    part = width < LIN_WORD ? LLVMBuildTrunc(e->builder, part, type, "")
                            : LLVMBuildZExt(e->builder, part, type, "");
    if (word > 0)
      part = LLVMBuildShl(e->builder, part, LLVMConstInt(type, word * LIN_WORD, false), "");
    all = all == NULL ? part : LLVMBuildOr(e->builder, all, part, "");
  }
  return all;
}

static void have(unpacker *u, LLVMValueRef value, LLVMValueRef made) {
  uint32_t number = (uint32_t)u->number.count;
  lin_numbers_add(u->c->arena, &u->number, value, number);
  u->made[number] = made;
  uint32_t slot = lin_numbers_find(&u->c->state->number, value);
  if (slot != LIN_NONE)
    LLVMBuildStore(u->c->e->builder, made, u->c->slot[slot]);
}

static void get_value(unpacker *u, LLVMValueRef value) {
  lin_arena *arena = u->c->arena;
  lin_ir_bits whole = {0};
  lin_ir_add_bits(arena, u->c->e->module, LLVMTypeOf(value), &whole);
  LLVMValueRef *integer = LIN_ARRAY(arena, LLVMValueRef, whole.count);
  for (uint32_t i = 0; i < whole.count; i++)
    integer[i] = get_integer(u, whole.bits[i]);
  uint32_t used;
  have(u, value, lin_ir_put_together(u->c->e, LLVMTypeOf(value), integer, &used));
}

static void compute_again(unpacker *u, LLVMValueRef value, LLVMValueRef *operand) {
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(copy); i++) {
    uint32_t number = lin_numbers_find(&u->number, operand[i]);
    LLVMSetOperand(copy, i, number == LIN_NONE ? operand[i] : u->made[number]);
  }
  LLVMInsertIntoBuilder(u->c->e->builder, copy);
  have(u, value, copy);
}

void lin_ir_unpack(const lin_ir_carry *carry, uint32_t cut, uint32_t label_bits,
                   LLVMBasicBlockRef behind) {
  const lin_ir_cargo *cargo = &carry->state->cargo[cut];
  const lin_ir_emitter *e = carry->e;
  unpacker u = {.c = carry,
                .cargo = cargo,
                .word = LIN_ARRAY(carry->arena, LLVMValueRef, cargo->layout.num_words),
                .integer = label_bits > 0,
                .made =
                    LIN_ARRAY(carry->arena, LLVMValueRef, cargo->num_values + cargo->num_again)};
  LLVMPositionBuilderBefore(e->builder, LLVMGetFirstInstruction(behind));
  for (uint32_t i = 0; i < cargo->layout.num_words; i++)
    u.word[i] = lin_ir_load(e, carry->word[i]);
  for (uint32_t i = 0; i < cargo->num_values; i++)
    get_value(&u, cargo->value[i]);
  for (uint32_t i = 0; i < cargo->num_again; i++)
    compute_again(&u, cargo->again[i], cargo->operands[i]);
  for (uint32_t i = 0; i < cargo->num_parts; i++)
    LLVMBuildStore(e->builder, get_integer(&u, cargo->part[i].bits),
                   address_of(e, &cargo->part[i]));
}
