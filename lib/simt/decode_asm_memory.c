// Memory in inline assembly. What the words of an opcode ask of caches changes nothing here.
#include "decode_asm.h"

#include <stdlib.h>
#include <string.h>

static unsigned space_of(const char *opcode) {
  return simt_asm_has(opcode, "shared") || simt_asm_has(opcode, "shared::cta") ? SIMT_SHARED
         : simt_asm_has(opcode, "local")                                       ? SIMT_LOCAL
                                                                               : SIMT_GENERIC;
}

// [address], [address+8], [address+-8]
static simt_register address_of(simt_assembly *a, const simt_asm_operand *o, uint32_t *offset) {
  const char *text = o->word[0], *sign = text + strcspn(text, "+");
  int64_t by = *sign == '\0' ? 0 : strtoll(sign + 1, NULL, 0);
  a->failed |= o->num_words != 1;
  simt_register base =
      simt_asm_value(a, lin_arena_text(a->d->arena, text, (size_t)(sign - text)), 64);
  *offset = by > 0 ? (uint32_t)by : 0;
  if (by >= 0)
    return base;
  base =
      simt_decode_arithmetic(a->d, SIMT_ADD, 64, base, simt_decode_constant(a->d, (uint64_t)by), 0);
  a->d->f->code[a->d->f->num_code - 1].flags |= SIMT_IS_FREE;
  return base;
}

// How a cache is to treat it stands in a last operand.
static unsigned count_operands(const simt_statement *s) {
  return s->num_operands - simt_asm_has(s->opcode, "L2::cache_hint");
}

// ---- loads and stores --------------------------------------------------------------------------

static const char words_of_access[] =
    "weak relaxed acquire release volatile mmio cta cluster gpu sys global shared shared::cta "
    "local "
    "const nc ca cg cs lu cv wb wt v2 v4 v8 L1::evict_normal L1::evict_unchanged L1::evict_first "
    "L1::evict_last L1::no_allocate L2::evict_normal L2::evict_first L2::evict_last L2::cache_hint "
    "L2::64B L2::128B L2::256B";

static void decode_access(simt_assembly *a, const simt_statement *s, bool is_store) {
  const simt_asm_operand *pointer = &s->operand[is_store ? 0 : 1],
                         *data = &s->operand[is_store ? 1 : 0];
  uint8_t bits = simt_asm_bits(s->opcode);
  if (count_operands(s) != 2 || !pointer->is_address || data->is_address || bits == 0 ||
      !simt_asm_has_only(s->opcode, words_of_access)) {
    a->failed = true;
    return;
  }
  bool polls = simt_asm_has(s->opcode, "volatile") || simt_asm_has(s->opcode, "cv") ||
               simt_asm_has(s->opcode, "relaxed") || simt_asm_has(s->opcode, "acquire") ||
               simt_asm_has(s->opcode, "release") || simt_asm_has(s->opcode, "mmio");
  simt_instruction made = {.opcode = is_store ? SIMT_STORE : SIMT_LOAD,
                           .width = bits,
                           .from = (uint8_t)space_of(s->opcode),
                           .flags = polls ? SIMT_POLLS : 0,
                           .count = (uint8_t)data->num_words,
                           .align = (uint16_t)(bits / 8 * data->num_words)};
  made.a = address_of(a, pointer, &made.offset);
  simt_register reg[SIMT_ASM_WORDS];
  if (is_store) {
    for (unsigned i = 0; i < data->num_words; i++)
      reg[i] = simt_asm_value(a, data->word[i], bits);
    made.b = simt_decode_operands(a->d, reg, data->num_words);
    simt_decode_emit(a->d, made);
    return;
  }
  made.dst = simt_decode_fresh(a->d, data->num_words);
  simt_decode_emit(a->d, made);
  bool is_signed = strrchr(s->opcode, '.')[1] == 's' && bits < 32;
  for (unsigned i = 0; i < data->num_words; i++) {
    reg[0] = made.dst + i;
    if (is_signed)
      reg[0] = simt_asm_extended(a, reg[0], bits);
    simt_asm_set(a, data->word[i], reg[0]);
  }
}

// ---- atomic operations -------------------------------------------------------------------------

static const struct {
  const char *word, *letters; // that its type begins with
  simt_atomic operation;
} atomics[] = {{"add", "us", SIMT_ATOMIC_ADD},      {"add", "f", SIMT_ATOMIC_FADD},
               {"and", "b", SIMT_ATOMIC_AND},       {"dec", "u", SIMT_ATOMIC_DEC},
               {"exch", "b", SIMT_ATOMIC_EXCHANGE}, {"inc", "u", SIMT_ATOMIC_INC},
               {"max", "s", SIMT_ATOMIC_SMAX},      {"max", "u", SIMT_ATOMIC_UMAX},
               {"min", "s", SIMT_ATOMIC_SMIN},      {"min", "u", SIMT_ATOMIC_UMIN},
               {"or", "b", SIMT_ATOMIC_OR},         {"xor", "b", SIMT_ATOMIC_XOR}};

// The operation of an opcode, by its word and the letter of its type; -1 if it is none.
static int find_atomic(const char *opcode) {
  const char *type = strrchr(opcode, '.');
  for (size_t i = 0; i < sizeof atomics / sizeof *atomics && type != NULL && type[1] != '\0'; i++)
    if (simt_asm_has(opcode, atomics[i].word) && strchr(atomics[i].letters, type[1]) != NULL)
      return (int)atomics[i].operation;
  return -1;
}

// atom.global.inc.u32 d, [a], b; atom.cas.b64 d, [a], b, c; red.shared.max.s32 [a], b.
static void decode_atomic(simt_assembly *a, const simt_statement *s, bool gives) {
  static const char words[] = "relaxed acquire release acq_rel cta cluster gpu sys global shared "
                              "shared::cta add and cas dec exch inc max min or xor L2::cache_hint";
  bool swaps = gives && simt_asm_has(s->opcode, "cas");
  int operation = swaps ? 0 : find_atomic(s->opcode);
  bool is_any_bits = swaps || operation == SIMT_ATOMIC_EXCHANGE;
  uint8_t bits = simt_asm_bits(s->opcode);
  const simt_asm_operand *pointer = &s->operand[gives]; // what is read stands behind it
  if (bits < (is_any_bits ? 16 : 32) || operation < 0 || count_operands(s) != 2u + gives + swaps ||
      !pointer->is_address || !simt_asm_has_only(s->opcode, words)) {
    a->failed = true;
    return;
  }
  simt_instruction made = {.opcode = swaps ? SIMT_CMPXCHG : SIMT_ATOMIC,
                           .width = bits,
                           .from = (uint8_t)space_of(s->opcode),
                           .flags = SIMT_POLLS,
                           .count = 1,
                           .align = bits / 8,
                           .extra = (uint32_t)operation};
  made.a = address_of(a, pointer, &made.offset);
  made.b = simt_asm_value(a, pointer[1].word[0], bits);
  made.c = swaps ? simt_asm_value(a, pointer[2].word[0], bits) : 0;
  made.dst = simt_decode_fresh(a->d, 2);
  simt_decode_emit(a->d, made);
  if (gives)
    simt_asm_set(a, s->operand[0].word[0], made.dst);
}

// ---- asynchronous copies -----------------------------------------------------------------------

// cp.async.cg.shared.global [to], [from], 16, 16: the copy may be made at once, and is. That fewer
// bytes are read than are written is not known.
static void decode_copy(simt_assembly *a, const simt_statement *s) {
  static const char words[] =
      "async ca cg global shared shared::cta L2::cache_hint L2::64B L2::128B L2::256B";
  const char *done[] = {"cp.async.commit_group", "cp.async.wait_group", "cp.async.wait_all"};
  for (size_t i = 0; i < sizeof done / sizeof *done; i++)
    if (strcmp(s->opcode, done[i]) == 0)
      return;
  const simt_asm_operand *to = &s->operand[0], *from = &s->operand[1], *bytes = &s->operand[2];
  unsigned count = count_operands(s);
  bool is_whole = count == 3 || (count == 4 && strcmp(bytes[0].word[0], bytes[1].word[0]) == 0);
  unsigned long size = is_whole ? strtoul(bytes->word[0], NULL, 0) : 0;
  if ((size != 4 && size != 8 && size != 16) || !to->is_address || !from->is_address ||
      !simt_asm_has(s->opcode, "async") || !simt_asm_has(s->opcode, "global") ||
      !simt_asm_has_only(s->opcode, words)) {
    a->failed = true;
    return;
  }
  simt_instruction made = {.opcode = SIMT_LOAD,
                           .width = 32,
                           .count = (uint8_t)(size / 4),
                           .align = (uint16_t)size,
                           .dst = simt_decode_fresh(a->d, (uint32_t)size / 4)};
  simt_register reg[] = {made.dst, made.dst + 1, made.dst + 2, made.dst + 3};
  made.a = address_of(a, from, &made.offset);
  simt_decode_emit(a->d, made);
  made.opcode = SIMT_STORE;
  made.from = SIMT_SHARED;
  made.flags = SIMT_IS_FREE;
  made.a = address_of(a, to, &made.offset);
  made.b = simt_decode_operands(a->d, reg, made.count);
  made.dst = 0;
  simt_decode_emit(a->d, made);
}

// ---- addresses ---------------------------------------------------------------------------------

// cvta.shared.u64: a generic address of one in shared memory; cvta.to.shared.u64: back.
static void decode_address(simt_assembly *a, const simt_statement *s) {
  bool is_shared = simt_asm_has(s->opcode, "shared"), is_local = simt_asm_has(s->opcode, "local");
  if (s->num_operands != 2) {
    a->failed = true;
    return;
  }
  simt_register value = simt_asm_value(a, s->operand[1].word[0], 64);
  if ((is_shared || is_local) && simt_asm_has(s->opcode, "to"))
    value = simt_decode_arithmetic(a->d, SIMT_AND, 64, value,
                                   simt_decode_constant(a->d, ~SIMT_WINDOW_MASK), 0);
  else if (is_shared || is_local)
    value = simt_decode_arithmetic(
        a->d, SIMT_ADD, 64, value,
        simt_decode_constant(a->d, is_shared ? SIMT_SHARED_WINDOW : SIMT_LOCAL_WINDOW), 0);
  simt_asm_set(a, s->operand[0].word[0], value);
}

// isspacep.shared p, a.
static void decode_is_space(simt_assembly *a, const simt_statement *s) {
  unsigned space = space_of(s->opcode);
  if (s->num_operands != 2 || space == SIMT_GENERIC) {
    a->failed = true;
    return;
  }
  simt_asm_set(a, s->operand[0].word[0],
               simt_decode_is_space(a->d, simt_asm_value(a, s->operand[1].word[0], 64), space));
}

bool simt_asm_memory(simt_assembly *a, const simt_statement *s) {
  if (simt_asm_begins(s->opcode, "ld") || simt_asm_begins(s->opcode, "ldu"))
    decode_access(a, s, false);
  else if (simt_asm_begins(s->opcode, "st"))
    decode_access(a, s, true);
  else if (simt_asm_begins(s->opcode, "atom"))
    decode_atomic(a, s, true);
  else if (simt_asm_begins(s->opcode, "red"))
    decode_atomic(a, s, false);
  else if (simt_asm_begins(s->opcode, "cvta"))
    decode_address(a, s);
  else if (simt_asm_begins(s->opcode, "isspacep"))
    decode_is_space(a, s);
  else if (simt_asm_begins(s->opcode, "cp"))
    decode_copy(a, s);
  else if (simt_asm_begins(s->opcode, "createpolicy")) // of caches
    simt_asm_set(a, s->operand[0].word[0], simt_decode_constant(a->d, 0));
  else
    return false;
  return true;
}
