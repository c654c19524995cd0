// Inline assembly: instructions of PTX in a row, without branches. CUDA's headers are full of them,
// and so is libdevice.
//
//     { .reg .u32 t;                          names of its own
//       mad.lo.cc.u32 t, $1, $2, $3;          $0, $1, ...: results, then operands
//       madc.hi.u32   $0, $1, $2, 0; }        cc: a carry
//
// What computes is found by name (math_functions.h). A name stands for the register that it was
// given last, so that a move is none.
#include "decode_asm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- text --------------------------------------------------------------------------------------

// Blanks for comments and for the braces around all of it.
static char *clean(simt_decoder *d, const char *text, size_t length) {
  char *copy = lin_arena_bytes(d->arena, length + 1);
  memcpy(copy, text, length);
  copy[length] = '\0';
  for (char *at = copy; *at != '\0'; at++)
    if (at[0] == '/' && at[1] == '/') {
      memset(at, ' ', strcspn(at, "\n"));
    } else if (at[0] == '/' && at[1] == '*') {
      const char *end = strstr(at, "*/");
      memset(at, ' ', end == NULL ? strlen(at) : (size_t)(end + 2 - at));
    }
  char *first = copy + strspn(copy, " \t\n"), *last = copy + strlen(copy);
  while (last > first && strchr(" \t\n", last[-1]) != NULL)
    last--;
  if (*first == '{' && last > first && last[-1] == '}')
    *first = last[-1] = ' ';
  return copy;
}

static void add_word(simt_assembly *a, simt_asm_operand *o, const char *text, size_t length) {
  if (length > 0 && text[0] == '$' && text[1] == '$') { // $$ is a $
    text++;
    length--;
  }
  if (o->num_words == SIMT_ASM_WORDS)
    a->failed = true;
  else
    o->word[o->num_words++] = lin_arena_text(a->d->arena, text, length);
}

static simt_asm_operand parse_operand(simt_assembly *a, const char *text, size_t length) {
  simt_asm_operand o = {0};
  for (const char *at = text; at < text + length;) {
    size_t word = strcspn(at, " \t\n,{}[]|;");
    if (at + word > text + length)
      word = (size_t)(text + length - at);
    if (word > 0)
      add_word(a, &o, at, word);
    o.is_address |= at[word] == '[' && at + word < text + length;
    at += word + 1;
  }
  return o;
}

// Commas in braces part no operands.
static simt_statement parse_statement(simt_assembly *a, const char *text, size_t length) {
  simt_statement s = {0};
  size_t begin = strspn(text, " \t\n"), opcode = strcspn(text + begin, " \t\n;");
  if (text[begin] == '@') {
    s.predicate = lin_arena_text(a->d->arena, text + begin, opcode);
    begin += opcode + strspn(text + begin + opcode, " \t\n");
    opcode = strcspn(text + begin, " \t\n;");
  }
  s.opcode = lin_arena_text(a->d->arena, text + begin, opcode);
  const char *end = text + length, *first = text + begin + opcode;
  unsigned depth = 0;
  for (const char *at = first; at <= end; at++) {
    depth += at < end && *at == '{';
    depth -= at < end && *at == '}';
    if (at < end && (*at != ',' || depth > 0))
      continue;
    simt_asm_operand o = parse_operand(a, first, (size_t)(at - first));
    if (s.num_operands == SIMT_ASM_OPERANDS)
      a->failed = true;
    else if (o.num_words > 0)
      s.operand[s.num_operands++] = o;
    first = at + 1;
  }
  return s;
}

// ---- instructions ------------------------------------------------------------------------------

// mov d, s; mov {low, high}, s; mov d, {low, high}.
static void decode_move(simt_assembly *a, const simt_statement *s) {
  const simt_asm_operand *to = &s->operand[0], *from = &s->operand[1];
  uint8_t bits = strcmp(s->opcode, "mov.pred") == 0 ? 1 : simt_asm_bits(s->opcode);
  if (s->num_operands != 2 || bits == 0 || (to->num_words > 1 && from->num_words > 1)) {
    a->failed = true;
    return;
  }
  if (to->num_words > 1) {
    uint8_t part = (uint8_t)(bits / to->num_words);
    simt_register whole = simt_asm_value(a, from->word[0], bits);
    for (unsigned i = 0; i < to->num_words; i++) {
      simt_register moved = simt_asm_shifted(a, SIMT_LSHR, whole, i * part);
      simt_asm_set(a, to->word[i], simt_decode_arithmetic(a->d, SIMT_TRUNC, part, moved, 0, 0));
    }
    return;
  }
  uint8_t part = (uint8_t)(bits / from->num_words);
  simt_register whole = simt_asm_value(a, from->word[0], part);
  for (unsigned i = 1; i < from->num_words; i++) {
    simt_register moved =
        simt_asm_shifted(a, SIMT_SHL, simt_asm_value(a, from->word[i], part), i * part);
    whole = simt_decode_arithmetic(a->d, SIMT_OR, bits, whole, moved, 0);
  }
  simt_asm_set(a, to->word[0], whole);
}

// What the table knows; false for what is decoded by its operands.
static bool decode_known(simt_assembly *a, const simt_statement *s) {
  const char *rest = "";
  const simt_intrinsic *which = simt_find_ptx('\0', s->opcode, &rest);
  switch (which == NULL ? SIMT_INTRINSIC_NONE : (simt_intrinsic_kind)which->kind) {
  case SIMT_INTRINSIC_NOTHING: // one warp at a time doesn't see it
    return true;
  case SIMT_INTRINSIC_TRAP:
  case SIMT_INTRINSIC_EXIT:
    simt_decode_emit(
        a->d,
        (simt_instruction){.opcode = which->kind == SIMT_INTRINSIC_EXIT ? SIMT_EXIT : SIMT_TRAP});
    return true;
  default:
    return false;
  }
}

static void decode_plain(simt_assembly *a, const simt_statement *s) {
  if (s->opcode[0] == '\0' || simt_asm_begins(s->opcode, ".reg") || decode_known(a, s))
    return;
  if (simt_asm_begins(s->opcode, "mov"))
    decode_move(a, s);
  else if (!simt_asm_memory(a, s) && !simt_asm_threads(a, s))
    simt_asm_compute(a, s);
}

// With a predicate a result stays what it was where that is false. What does more than compute is
// not known with one.
static void decode_statement(simt_assembly *a, const simt_statement *s) {
  if (s->predicate == NULL) {
    decode_plain(a, s);
    return;
  }
  const char *to = s->num_operands > 0 ? s->operand[0].word[0] : "";
  bool negated = s->predicate[1] == '!', moves = simt_asm_begins(s->opcode, "mov");
  const simt_register *found = simt_asm_find(a, to);
  simt_register before = found == NULL ? 0 : *found;
  bool was_set = found != NULL;
  simt_register holds = simt_asm_value(a, s->predicate + (negated ? 2 : 1), 1);
  if (moves)
    decode_move(a, s);
  else
    simt_asm_compute(a, s);
  found = simt_asm_find(a, to);
  if (!was_set || found == NULL || s->operand[0].num_words != 1)
    return;
  simt_register after = *found;
  simt_asm_set(a, to,
               simt_decode_arithmetic(a->d, SIMT_SELECT, 64, holds, negated ? before : after,
                                      negated ? after : before));
  if (!moves)
    a->d->f->code[a->d->f->num_code - 1].flags |= SIMT_IS_FREE;
}

// ---- a call ------------------------------------------------------------------------------------

static void name_number(simt_assembly *a, unsigned number, simt_register reg) {
  char text[16];
  int length = snprintf(text, sizeof text, "$%u", number);
  simt_asm_set(a, lin_arena_text(a->d->arena, text, (size_t)length), reg);
}

// Operands follow the results; one whose constraint is a number begins in that result's register.
static void name_operands(simt_assembly *a, LLVMValueRef call, LLVMValueRef text,
                          unsigned results) {
  size_t length;
  const char *at = LLVMGetInlineAsmConstraintString(text, &length), *end = at + length;
  for (unsigned number = 0, argument = 0; at < end; number++) {
    size_t one = strcspn(at, ",");
    if (number >= results) {
      if (at[0] == '~' || argument == LLVMGetNumArgOperands(call))
        return;
      simt_value value = simt_decode_operand_at(a->d, call, argument++);
      a->failed |= value.count != 1 || memchr(at, '*', one) != NULL;
      bool is_tied = at[0] >= '0' && at[0] <= '9';
      if (value.count == 1 && is_tied)
        name_number(a, (unsigned)strtoul(at, NULL, 10), value.reg[0]);
      if (value.count == 1)
        name_number(a, number, value.reg[0]);
    }
    at += one + 1;
  }
}

static simt_value results_of(simt_assembly *a, unsigned count) {
  simt_value value = simt_decode_list(a->d, count);
  for (unsigned i = 0; i < count; i++) {
    char text[16];
    snprintf(text, sizeof text, "$%u", i);
    const simt_register *found = simt_asm_find(a, text);
    a->failed |= found == NULL;
    value.reg[i] = found == NULL ? 0 : *found;
  }
  return value;
}

void simt_decode_assembly(simt_decoder *d, LLVMValueRef call, LLVMValueRef text) {
  simt_assembly a = {.d = d};
  size_t length;
  const char *given = LLVMGetInlineAsmAsmString(text, &length);
  unsigned results = simt_decode_leaves(d, LLVMTypeOf(call)).count;
  name_operands(&a, call, text, results);
  for (const char *at = clean(d, given, length); *at != '\0' && !a.failed;) {
    size_t size = strcspn(at, ";");
    simt_statement s = parse_statement(&a, at, size);
    decode_statement(&a, &s);
    at += size + (at[size] == ';');
  }
  if (results > 0)
    simt_decode_bind(d, call, results_of(&a, results));
  if (a.failed)
    simt_decode_fail(d, "inline assembly that the simulator doesn't know");
}
