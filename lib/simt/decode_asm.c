// Inline assembly: instructions of PTX in a row, without branches. CUDA's headers are full of them,
// and so is libdevice.
//
//     { .reg .u32 t;                          names of its own
//       mad.lo.cc.u32 t, $1, $2, $3;          $0, $1, ...: results, then operands
//       madc.hi.u32   $0, $1, $2, 0; }        cc: a carry
//
// What computes is found by name (math_functions.h). A name stands for the register that it was
// given last, so that a move is none.
#include "decode_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 64, OPERANDS = 12, WORDS = 8 };

typedef struct name {
  const char *text;
  simt_register reg;
} name;

typedef struct assembly {
  simt_decoder *d;
  name name[NAMES];
  unsigned num_names;
  bool failed; // something is unknown
} assembly;

// What stands between two commas: {a, b} and a|b are several words, [a+8] an address.
typedef struct operand {
  const char *word[WORDS];
  unsigned num_words;
  bool is_address;
} operand;

typedef struct statement {
  const char *predicate; // @p or @!p, or NULL
  const char *opcode;
  operand operand[OPERANDS];
  unsigned num_operands;
} statement;

static const char carry[] = "%cc";

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

static void add_word(assembly *a, operand *o, const char *text, size_t length) {
  if (length > 0 && text[0] == '$' && text[1] == '$') { // $$ is a $
    text++;
    length--;
  }
  if (o->num_words == WORDS)
    a->failed = true;
  else
    o->word[o->num_words++] = lin_arena_text(a->d->arena, text, length);
}

static operand parse_operand(assembly *a, const char *text, size_t length) {
  operand o = {0};
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
static statement parse_statement(assembly *a, const char *text, size_t length) {
  statement s = {0};
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
    operand o = parse_operand(a, first, (size_t)(at - first));
    if (s.num_operands == OPERANDS)
      a->failed = true;
    else if (o.num_words > 0)
      s.operand[s.num_operands++] = o;
    first = at + 1;
  }
  return s;
}

// ---- names and numbers -------------------------------------------------------------------------

static simt_register *find_name(assembly *a, const char *text) {
  for (unsigned i = 0; i < a->num_names; i++)
    if (strcmp(a->name[i].text, text) == 0)
      return &a->name[i].reg;
  return NULL;
}

static void set_name(assembly *a, const char *text, simt_register reg) {
  simt_register *found = find_name(a, text);
  if (found != NULL)
    *found = reg;
  else if (a->num_names == NAMES || strcmp(text, "_") == 0)
    a->failed |= a->num_names == NAMES;
  else
    a->name[a->num_names++] = (name){text, reg};
}

// 0f3f800000 and 0d... are the bits of floats.
static bool parse_number(const char *text, uint8_t bits, uint64_t *value) {
  char *end;
  bool is_float = text[0] == '0' && text[1] != '\0' && strchr("fFdD", text[1]) != NULL;
  if (is_float)
    *value = strtoull(text + 2, &end, 16);
  else
    *value = text[0] == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
  *value &= simt_low_bits(bits);
  return end > text && (*end == '\0' || strcmp(end, "U") == 0);
}

// Of what the driver keeps for itself, nothing is there.
static bool read_special(assembly *a, const char *text, simt_register *reg) {
  const char *rest = "";
  const simt_intrinsic *which = text[0] == '%' ? simt_find_ptx('%', text + 1, &rest) : NULL;
  if (which != NULL && which->kind == SIMT_INTRINSIC_NOTHING) {
    *reg = simt_decode_constant(a->d, 0);
    return true;
  }
  if (which == NULL || which->kind != SIMT_INTRINSIC_SPECIAL || *rest != '\0')
    return false;
  *reg = simt_decode_fresh(a->d, 1);
  bool is_wide = strstr(text, "64") != NULL;
  simt_decode_emit(a->d, (simt_instruction){.opcode = SIMT_SPECIAL,
                                            .width = is_wide ? 64 : 32,
                                            .dst = *reg,
                                            .extra = which->opcode});
  return true;
}

static simt_register value_of(assembly *a, const char *text, uint8_t bits) {
  const simt_register *found = find_name(a, text);
  simt_register reg = 0;
  uint64_t number;
  if (found != NULL)
    return *found;
  if (parse_number(text, bits, &number))
    return simt_decode_constant(a->d, number);
  if (strcmp(text, "WARP_SZ") == 0)
    return simt_decode_constant(a->d, SIMT_LANES);
  if (!read_special(a, text, &reg))
    a->failed = true;
  return reg;
}

// ---- instructions ------------------------------------------------------------------------------

// The word behind the last dot: .u32 and so on. Its bits, 0 if it is no type.
static uint8_t bits_of_type(const char *opcode) {
  const char *type = strrchr(opcode, '.');
  if (type == NULL || type[1] == '\0' || strchr("usbf", type[1]) == NULL)
    return 0;
  unsigned long bits = strtoul(type + 2, NULL, 10);
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? (uint8_t)bits : 0;
}

static bool has_word(const char *opcode, const char *word) {
  size_t length = strlen(word);
  for (const char *at = strchr(opcode, '.'); at != NULL; at = strchr(at + 1, '.'))
    if (strncmp(at + 1, word, length) == 0 && (at[1 + length] == '.' || at[1 + length] == '\0'))
      return true;
  return false;
}

static simt_register shifted(assembly *a, simt_opcode opcode, simt_register value, unsigned by) {
  if (by == 0)
    return value;
  return simt_decode_arithmetic(a->d, opcode, 64, value, simt_decode_constant(a->d, by), 0);
}

// mov d, s; mov {low, high}, s; mov d, {low, high}.
static void decode_move(assembly *a, const statement *s) {
  const operand *to = &s->operand[0], *from = &s->operand[1];
  uint8_t bits = strcmp(s->opcode, "mov.pred") == 0 ? 1 : bits_of_type(s->opcode);
  if (s->num_operands != 2 || bits == 0 || (to->num_words > 1 && from->num_words > 1)) {
    a->failed = true;
    return;
  }
  if (to->num_words > 1) {
    uint8_t part = (uint8_t)(bits / to->num_words);
    simt_register whole = value_of(a, from->word[0], bits);
    for (unsigned i = 0; i < to->num_words; i++) {
      simt_register moved = shifted(a, SIMT_LSHR, whole, i * part);
      set_name(a, to->word[i], simt_decode_arithmetic(a->d, SIMT_TRUNC, part, moved, 0, 0));
    }
    return;
  }
  uint8_t part = (uint8_t)(bits / from->num_words);
  simt_register whole = value_of(a, from->word[0], part);
  for (unsigned i = 1; i < from->num_words; i++) {
    simt_register moved = shifted(a, SIMT_SHL, value_of(a, from->word[i], part), i * part);
    whole = simt_decode_arithmetic(a->d, SIMT_OR, bits, whole, moved, 0);
  }
  set_name(a, to->word[0], whole);
}

// [address], [address+8]
static simt_register address_of(assembly *a, const operand *o, uint32_t *offset) {
  const char *plus = strchr(o->word[0], '+');
  *offset = plus == NULL ? 0 : (uint32_t)strtoul(plus + 1, NULL, 0);
  size_t length = plus == NULL ? strlen(o->word[0]) : (size_t)(plus - o->word[0]);
  a->failed |= o->num_words != 1;
  return value_of(a, lin_arena_text(a->d->arena, o->word[0], length), 64);
}

static void decode_access(assembly *a, const statement *s, bool is_store) {
  const operand *pointer = &s->operand[is_store ? 0 : 1], *data = &s->operand[is_store ? 1 : 0];
  uint8_t bits = bits_of_type(s->opcode);
  if (s->num_operands != 2 || !pointer->is_address || data->is_address || bits == 0) {
    a->failed = true;
    return;
  }
  bool is_shared = has_word(s->opcode, "shared") || has_word(s->opcode, "shared::cta");
  bool polls = has_word(s->opcode, "volatile") || has_word(s->opcode, "cv") ||
               has_word(s->opcode, "relaxed") || has_word(s->opcode, "acquire") ||
               has_word(s->opcode, "release");
  unsigned space = is_shared ? SIMT_SHARED : has_word(s->opcode, "local") ? SIMT_LOCAL : 0;
  simt_instruction made = {.opcode = is_store ? SIMT_STORE : SIMT_LOAD,
                           .width = bits,
                           .from = (uint8_t)space,
                           .flags = polls ? SIMT_POLLS : 0,
                           .count = (uint8_t)data->num_words,
                           .align = (uint16_t)(bits / 8 * data->num_words)};
  made.a = address_of(a, pointer, &made.offset);
  simt_register reg[WORDS];
  if (is_store) {
    for (unsigned i = 0; i < data->num_words; i++)
      reg[i] = value_of(a, data->word[i], bits);
    made.b = simt_decode_operands(a->d, reg, data->num_words);
    simt_decode_emit(a->d, made);
    return;
  }
  made.dst = simt_decode_fresh(a->d, data->num_words);
  simt_decode_emit(a->d, made);
  bool is_signed = strrchr(s->opcode, '.')[1] == 's' && bits < 32;
  for (unsigned i = 0; i < data->num_words; i++) {
    reg[0] = made.dst + i;
    if (is_signed) {
      reg[0] = simt_decode_fresh(a->d, 1);
      simt_decode_emit(a->d, (simt_instruction){.opcode = SIMT_SEXT,
                                                .width = 32,
                                                .from = bits,
                                                .flags = SIMT_IS_FREE,
                                                .dst = reg[0],
                                                .a = made.dst + i});
    }
    set_name(a, data->word[i], reg[0]);
  }
}

// cvta.shared.u64: a generic address of one in shared memory; cvta.to.shared.u64: back.
static void decode_address(assembly *a, const statement *s) {
  bool is_shared = has_word(s->opcode, "shared"), is_local = has_word(s->opcode, "local");
  if (s->num_operands != 2) {
    a->failed = true;
    return;
  }
  simt_register value = value_of(a, s->operand[1].word[0], 64);
  if ((is_shared || is_local) && has_word(s->opcode, "to"))
    value = simt_decode_arithmetic(a->d, SIMT_AND, 64, value,
                                   simt_decode_constant(a->d, ~SIMT_WINDOW_MASK), 0);
  else if (is_shared || is_local)
    value = simt_decode_arithmetic(
        a->d, SIMT_ADD, 64, value,
        simt_decode_constant(a->d, is_shared ? SIMT_SHARED_WINDOW : SIMT_LOCAL_WINDOW), 0);
  set_name(a, s->operand[0].word[0], value);
}

static uint8_t bits_of_letter(char letter) {
  return letter == 'd' || letter == 'l' ? 64 : letter == 'h' ? 16 : letter == 'p' ? 1 : 32;
}

// ---- other threads -----------------------------------------------------------------------------

// shfl.sync.down.b32 d|p, value, lane, clamp, members; vote.sync.ballot.b32 d, predicate, members.
static void decode_collective(assembly *a, const statement *s, uint32_t kind) {
  bool is_shuffle = kind >= SIMT_SHUFFLE_IDX && kind <= SIMT_SHUFFLE_BFLY;
  unsigned last = s->num_operands - 1;
  if (s->num_operands != (is_shuffle ? 5 : 3)) {
    a->failed = true;
    return;
  }
  const operand *to = &s->operand[0];
  simt_instruction made = {.opcode = SIMT_COLLECTIVE, .width = 32, .extra = kind};
  made.flags = (uint8_t)(SIMT_IS_SYNC | (to->num_words > 1 ? SIMT_WITH_PREDICATE : 0));
  made.a = value_of(a, s->operand[last].word[0], 32);
  made.b = value_of(a, s->operand[1].word[0], 32);
  if (is_shuffle) {
    made.c = value_of(a, s->operand[2].word[0], 32);
    made.offset = value_of(a, s->operand[3].word[0], 32);
  }
  made.dst = simt_decode_fresh(a->d, 2);
  simt_decode_emit(a->d, made);
  for (unsigned word = 0; word < to->num_words && word < 2; word++)
    set_name(a, to->word[word], made.dst + word);
}

// ---- half and bfloat ---------------------------------------------------------------------------

typedef struct narrow {
  simt_opcode widen, round;
  unsigned parts; // of a word
} narrow;

// Whether the type of `opcode` is half or bfloat, once or twice; `*wide` is then the same of
// floats. Conversions are instructions of their own.
static bool is_narrow(assembly *a, const char *opcode, const char **wide, narrow *kind) {
  static const struct {
    const char *type;
    narrow kind;
  } types[] = {{".f16", {SIMT_HTOF, SIMT_FTOH, 1}},
               {".f16x2", {SIMT_HTOF, SIMT_FTOH, 2}},
               {".bf16", {SIMT_BTOF, SIMT_FTOB, 1}},
               {".bf16x2", {SIMT_BTOF, SIMT_FTOB, 2}}};
  const char *type = strrchr(opcode, '.');
  for (size_t i = 0; type != NULL && strncmp(opcode, "cvt.", 4) != 0 && i < 4; i++) {
    if (strcmp(type, types[i].type) != 0)
      continue;
    size_t length = (size_t)(type - opcode);
    char *text = lin_arena_bytes(a->d->arena, length + sizeof ".f32");
    memcpy(text, opcode, length);
    memcpy(text + length, ".f32", sizeof ".f32");
    *wide = text;
    *kind = types[i].kind;
    return true;
  }
  return false;
}

// Computed as floats, part by part; it is one instruction.
static void decode_narrow(assembly *a, const statement *s, const char *wide, const narrow *kind) {
  simt_math math;
  unsigned count = s->num_operands - 1;
  bool is_known = s->num_operands > 0 && simt_math_find_ptx(wide, &math);
  const char *types = is_known ? simt_math_functions[math.function].types : "";
  if (!is_known || types[1] != ':' || strlen(types + 2) != count || count > SIMT_MATH_OPERANDS ||
      (kind->parts > 1 && types[0] != 'f')) {
    a->failed = true;
    return;
  }
  simt_function *f = a->d->f;
  uint32_t first = f->num_code;
  simt_register result = 0;
  for (unsigned part = 0; part < kind->parts; part++) {
    simt_register in[SIMT_MATH_OPERANDS] = {0};
    for (unsigned i = 0; i < count; i++) {
      in[i] = value_of(a, s->operand[1 + i].word[0], 32);
      if (types[2 + i] != 'f')
        continue;
      in[i] = shifted(a, SIMT_LSHR, in[i], 16 * part);
      in[i] = simt_decode_arithmetic(a->d, SIMT_TRUNC, 16, in[i], 0, 0);
      in[i] = simt_decode_arithmetic(a->d, kind->widen, 32, in[i], 0, 0);
    }
    simt_register out = simt_decode_compute(a->d, math, in);
    if (types[0] == 'f')
      out = simt_decode_arithmetic(a->d, kind->round, 16, out, 0, 0);
    out = shifted(a, SIMT_SHL, out, 16 * part);
    result = part == 0 ? out : simt_decode_arithmetic(a->d, SIMT_OR, 32, result, out, 0);
  }
  for (uint32_t i = first; i + 1 < f->num_code; i++)
    f->code[i].flags |= SIMT_IS_FREE;
  set_name(a, s->operand[0].word[0], result);
}

// cvt.rn.f16x2.f32 d, upper, lower.
static void decode_pair(assembly *a, const statement *s) {
  if (s->num_operands != 3) {
    a->failed = true;
    return;
  }
  simt_opcode round = strstr(s->opcode, ".bf16x2.") != NULL ? SIMT_FTOB : SIMT_FTOH;
  simt_register half[2];
  for (unsigned i = 0; i < 2; i++)
    half[i] =
        simt_decode_arithmetic(a->d, round, 16, value_of(a, s->operand[2 - i].word[0], 32), 0, 0);
  simt_register upper = shifted(a, SIMT_SHL, half[1], 16);
  set_name(a, s->operand[0].word[0], simt_decode_arithmetic(a->d, SIMT_OR, 32, half[0], upper, 0));
}

// ---- everything that computes ------------------------------------------------------------------

// One operand more than are written is the carry, and so is a second result.
static void decode_computation(assembly *a, const statement *s) {
  simt_math math;
  const char *wide;
  narrow kind;
  if (is_narrow(a, s->opcode, &wide, &kind)) {
    decode_narrow(a, s, wide, &kind);
    return;
  }
  if (strcmp(s->opcode, "cvt.rn.f16x2.f32") == 0 || strcmp(s->opcode, "cvt.rn.bf16x2.f32") == 0) {
    decode_pair(a, s);
    return;
  }
  if (s->num_operands == 0 || !simt_math_find_ptx(s->opcode, &math)) {
    a->failed = true;
    return;
  }
  const char *types = simt_math_functions[math.function].types;
  unsigned results = (unsigned)strcspn(types, ":"), count = s->num_operands - 1;
  const char *letter = types + results + 1;
  bool carries = strlen(letter) == count + 1 && letter[count] == 'i';
  if ((strlen(letter) != count && !carries) || count > SIMT_MATH_OPERANDS) {
    a->failed = true;
    return;
  }
  simt_register in[SIMT_MATH_OPERANDS + 1] = {0};
  for (unsigned i = 0; i < count; i++) {
    a->failed |= s->operand[1 + i].num_words != 1 || s->operand[1 + i].is_address;
    in[i] = value_of(a, s->operand[1 + i].word[0], bits_of_letter(letter[i]));
  }
  if (carries)
    in[count] = value_of(a, carry, 32);
  simt_register out = simt_decode_compute(a->d, math, in);
  set_name(a, s->operand[0].word[0], out);
  if (results > 1)
    set_name(a, carry, out + 1);
}

static bool begins(const char *text, const char *with) {
  size_t length = strlen(with);
  return strncmp(text, with, length) == 0 && (text[length] == '.' || text[length] == '\0');
}

// What the table knows; false for what is decoded by its operands.
static bool decode_known(assembly *a, const statement *s) {
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
  case SIMT_INTRINSIC_ACTIVEMASK: {
    if (s->num_operands != 1)
      return false;
    simt_register dst = simt_decode_fresh(a->d, 1);
    simt_decode_emit(a->d, (simt_instruction){.opcode = SIMT_ACTIVEMASK, .dst = dst});
    set_name(a, s->operand[0].word[0], dst);
    return true;
  }
  case SIMT_INTRINSIC_COLLECTIVE:
    if (strcmp(rest, ".b32") != 0 && strcmp(rest, ".pred") != 0)
      return false;
    decode_collective(a, s, which->opcode);
    return true;
  default:
    return false;
  }
}

static void decode_plain(assembly *a, const statement *s) {
  if (s->opcode[0] == '\0' || begins(s->opcode, ".reg") || decode_known(a, s))
    return;
  if (begins(s->opcode, "mov"))
    decode_move(a, s);
  else if (begins(s->opcode, "ld") || begins(s->opcode, "ldu"))
    decode_access(a, s, false);
  else if (begins(s->opcode, "st"))
    decode_access(a, s, true);
  else if (begins(s->opcode, "cvta"))
    decode_address(a, s);
  else
    decode_computation(a, s);
}

// With a predicate a result stays what it was where that is false. What does more than compute is
// not known with one.
static void decode_statement(assembly *a, const statement *s) {
  if (s->predicate == NULL) {
    decode_plain(a, s);
    return;
  }
  const char *to = s->num_operands > 0 ? s->operand[0].word[0] : "";
  bool negated = s->predicate[1] == '!', moves = begins(s->opcode, "mov");
  const simt_register *found = find_name(a, to);
  simt_register before = found == NULL ? 0 : *found;
  bool was_set = found != NULL;
  simt_register holds = value_of(a, s->predicate + (negated ? 2 : 1), 1);
  if (moves)
    decode_move(a, s);
  else
    decode_computation(a, s);
  found = find_name(a, to);
  if (!was_set || found == NULL || s->operand[0].num_words != 1)
    return;
  simt_register after = *found;
  set_name(a, to,
           simt_decode_arithmetic(a->d, SIMT_SELECT, 64, holds, negated ? before : after,
                                  negated ? after : before));
  if (!moves)
    a->d->f->code[a->d->f->num_code - 1].flags |= SIMT_IS_FREE;
}

// ---- a call ------------------------------------------------------------------------------------

static void name_number(assembly *a, unsigned number, simt_register reg) {
  char text[16];
  int length = snprintf(text, sizeof text, "$%u", number);
  set_name(a, lin_arena_text(a->d->arena, text, (size_t)length), reg);
}

// Operands follow the results; one whose constraint is a number begins in that result's register.
static void name_operands(assembly *a, LLVMValueRef call, LLVMValueRef text, unsigned results) {
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

static simt_value results_of(assembly *a, unsigned count) {
  simt_value value = simt_decode_list(a->d, count);
  for (unsigned i = 0; i < count; i++) {
    char text[16];
    snprintf(text, sizeof text, "$%u", i);
    const simt_register *found = find_name(a, text);
    a->failed |= found == NULL;
    value.reg[i] = found == NULL ? 0 : *found;
  }
  return value;
}

void simt_decode_assembly(simt_decoder *d, LLVMValueRef call, LLVMValueRef text) {
  assembly a = {.d = d};
  size_t length;
  const char *given = LLVMGetInlineAsmAsmString(text, &length);
  unsigned results = simt_decode_leaves(d, LLVMTypeOf(call)).count;
  name_operands(&a, call, text, results);
  for (const char *at = clean(d, given, length); *at != '\0' && !a.failed;) {
    size_t size = strcspn(at, ";");
    statement s = parse_statement(&a, at, size);
    decode_statement(&a, &s);
    at += size + (at[size] == ';');
  }
  if (results > 0)
    simt_decode_bind(d, call, results_of(&a, results));
  if (a.failed)
    simt_decode_fail(d, "inline assembly that the simulator doesn't know");
}
