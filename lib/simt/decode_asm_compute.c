// What computes in inline assembly: one function of math_functions.h, or for conversions, for
// comparisons and for half and bfloat a few instructions that count as one.
#include "decode_asm.h"

#include <stdio.h>
#include <string.h>

static uint8_t bits_of_letter(char letter) {
  return letter == 'd' || letter == 'l' ? 64 : letter == 'h' ? 16 : letter == 'p' ? 1 : 32;
}

// ---- half and bfloat ---------------------------------------------------------------------------

typedef struct narrow {
  simt_opcode widen, round;
  unsigned parts; // of a word
} narrow;

// Whether the type of `opcode` is half or bfloat, once or twice; `*wide` is then the same of
// floats.
static bool is_narrow(simt_assembly *a, const char *opcode, const char **wide, narrow *kind) {
  static const struct {
    const char *type;
    narrow kind;
  } types[] = {{".f16", {SIMT_HTOF, SIMT_FTOH, 1}},
               {".f16x2", {SIMT_HTOF, SIMT_FTOH, 2}},
               {".bf16", {SIMT_BTOF, SIMT_FTOB, 1}},
               {".bf16x2", {SIMT_BTOF, SIMT_FTOB, 2}}};
  const char *type = strrchr(opcode, '.');
  for (size_t i = 0; type != NULL && i < 4; i++) {
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

static simt_register widened(simt_assembly *a, const narrow *kind, simt_register value,
                             unsigned part) {
  value = simt_asm_shifted(a, SIMT_LSHR, value, 16 * part);
  value = simt_decode_arithmetic(a->d, SIMT_TRUNC, 16, value, 0, 0);
  return simt_decode_arithmetic(a->d, kind->widen, 32, value, 0, 0);
}

// The code from `first` on is one instruction of the machine.
static void count_once(simt_assembly *a, uint32_t first) {
  simt_function *f = a->d->f;
  for (uint32_t i = first; i + 1 < f->num_code; i++)
    f->code[i].flags |= SIMT_IS_FREE;
}

// Computed as floats, part by part; it is one instruction.
static void decode_narrow(simt_assembly *a, const simt_statement *s, const char *wide,
                          const narrow *kind) {
  simt_math math;
  unsigned count = s->num_operands - 1;
  bool is_known = s->num_operands > 0 && simt_math_find_ptx(wide, &math);
  const char *types = is_known ? simt_math_functions[math.function].types : "";
  if (!is_known || types[1] != ':' || strlen(types + 2) != count || count > SIMT_MATH_OPERANDS ||
      (kind->parts > 1 && types[0] != 'f')) {
    a->failed = true;
    return;
  }
  uint32_t first = a->d->f->num_code;
  simt_register result = 0;
  for (unsigned part = 0; part < kind->parts; part++) {
    simt_register in[SIMT_MATH_OPERANDS] = {0};
    for (unsigned i = 0; i < count; i++) {
      in[i] = simt_asm_value(a, s->operand[1 + i].word[0], 32);
      if (types[2 + i] != 'f')
        continue;
      in[i] = widened(a, kind, in[i], part);
    }
    simt_register out = simt_decode_compute(a->d, math, in);
    if (types[0] == 'f')
      out = simt_decode_arithmetic(a->d, kind->round, 16, out, 0, 0);
    out = simt_asm_shifted(a, SIMT_SHL, out, 16 * part);
    result = part == 0 ? out : simt_decode_arithmetic(a->d, SIMT_OR, 32, result, out, 0);
  }
  count_once(a, first);
  simt_asm_set(a, s->operand[0].word[0], result);
}

// One operand, by the table.
static simt_register computed(simt_assembly *a, const char *opcode, const simt_register *in) {
  simt_math math;
  if (simt_math_find_ptx(opcode, &math))
    return simt_decode_compute(a->d, math, in);
  a->failed = true;
  return in[0];
}

// ---- an opcode's parts -------------------------------------------------------------------------

enum { PARTS = 8 };

typedef struct parts {
  const char *part[PARTS];
  unsigned count;
} parts;

static parts cut(const simt_assembly *a, const char *opcode) {
  parts p = {0};
  for (const char *at = opcode; p.count < PARTS; at++) {
    size_t length = strcspn(at, ".");
    p.part[p.count++] = lin_arena_text(a->d->arena, at, length);
    at += length;
    if (*at == '\0')
      return p;
  }
  return (parts){0};
}

static bool is_one_of(const char *word, const char *const *words) {
  while (*words != NULL && strcmp(*words, word) != 0)
    words++;
  return *words != NULL;
}

// ---- set and setp ------------------------------------------------------------------------------

// What `set` gives where the comparison holds.
static uint64_t value_of_true(const char *type) {
  return type[0] == 'b'                 ? 0x3f80
         : strncmp(type, "f16", 3) == 0 ? 0x3c00
         : type[0] == 'f'               ? 0x3f800000
                                        : UINT32_MAX;
}

static simt_register combined(simt_assembly *a, const parts *p, simt_register value,
                              const char *with) {
  simt_opcode opcode = strcmp(p->part[2], "and") == 0  ? SIMT_AND
                       : strcmp(p->part[2], "or") == 0 ? SIMT_OR
                                                       : SIMT_XOR;
  return simt_decode_arithmetic(a->d, opcode, 1, value, simt_asm_value(a, with, 1), 0);
}

// setp.lt.and.s32 p|q, a, b, !c;   set.eq.u32.f16x2 d, a, b. Of two halves, p is of the lower one.
static bool decode_comparison(simt_assembly *a, const simt_statement *s) {
  static const char *const of_bits[][2] = {{"lo", "lt"}, {"ls", "le"}, {"hi", "gt"}, {"hs", "ge"}};
  static const char *const logic[] = {"and", "or", "xor", NULL};
  bool sets = simt_asm_begins(s->opcode, "set");
  parts p = cut(a, s->opcode);
  if (!sets && !simt_asm_begins(s->opcode, "setp"))
    return false;
  bool combines = p.count > 3 && is_one_of(p.part[2], logic);
  unsigned others = 3u + sets + combines; // parts that aren't ftz
  bool flushes = p.count == others + 1 && strcmp(p.part[2 + combines], "ftz") == 0;
  if ((p.count != others && !flushes) || s->num_operands != 3u + combines) {
    a->failed = true;
    return true;
  }
  const char *how = p.part[1], *type = p.part[p.count - 1], *wide;
  for (size_t i = 0; i < sizeof of_bits / sizeof *of_bits; i++)
    how = strcmp(how, of_bits[i][0]) == 0 ? of_bits[i][1] : how;
  char opcode[SIMT_ASM_TEXT];
  snprintf(opcode, sizeof opcode, "setp.%s%s.%s", how, flushes ? ".ftz" : "", type);
  narrow kind = {.parts = 1};
  bool widens = is_narrow(a, opcode, &wide, &kind);
  uint32_t first = a->d->f->num_code;
  simt_register in[2], holds[2] = {0};
  uint8_t bits = type[0] == 'p' ? 1 : simt_asm_bits(opcode);
  for (unsigned part = 0; part < kind.parts; part++) {
    for (unsigned i = 0; i < 2; i++) {
      in[i] = simt_asm_value(a, s->operand[1 + i].word[0], widens ? 32 : bits);
      if (widens)
        in[i] = widened(a, &kind, in[i], part);
    }
    holds[part] = computed(a, widens ? wide : opcode, in);
  }
  if (kind.parts == 1)
    holds[1] =
        simt_decode_arithmetic(a->d, SIMT_XOR, 1, holds[0], simt_decode_constant(a->d, 1), 0);
  for (unsigned i = 0; i < 2 && combines; i++)
    holds[i] = combined(a, &p, holds[i], s->operand[3].word[0]);
  const simt_asm_operand *to = &s->operand[0];
  if (!sets) {
    count_once(a, first);
    simt_asm_set(a, to->word[0], holds[0]);
    if (to->num_words > 1)
      simt_asm_set(a, to->word[1], holds[1]);
    return true;
  }
  const char *result = p.part[p.count - 2];
  bool is_short = kind.parts > 1 || strstr(result, "16") != NULL;
  simt_register no = simt_decode_constant(a->d, 0), half[2] = {0};
  simt_register yes =
      simt_decode_constant(a->d, value_of_true(result) & simt_low_bits(is_short ? 16 : 32));
  for (unsigned part = 0; part < kind.parts; part++)
    half[part] = simt_decode_arithmetic(a->d, SIMT_SELECT, 32, holds[part], yes, no);
  if (kind.parts > 1)
    half[0] = simt_decode_arithmetic(a->d, SIMT_OR, 32, half[0],
                                     simt_asm_shifted(a, SIMT_SHL, half[1], 16), 0);
  count_once(a, first);
  simt_asm_set(a, to->word[0], half[0]);
  return true;
}

// ---- conversions -------------------------------------------------------------------------------

typedef struct number {
  char letter; // s, u, f; b for bfloat
  uint8_t bits;
} number;

static bool parse_number_type(const char *text, number *n) {
  static const char *const names[] = {"s8",  "u8",  "s16", "u16", "s32",  "u32", "s64",
                                      "u64", "f16", "f32", "f64", "bf16", NULL};
  char dotted[SIMT_ASM_TEXT];
  snprintf(dotted, sizeof dotted, ".%s", text + (text[0] == 'b'));
  *n = (number){text[0], simt_asm_bits(dotted)};
  return is_one_of(text, names);
}

static bool is_integer(number n) { return n.letter == 's' || n.letter == 'u'; }
static bool is_short_float(number n) { return !is_integer(n) && n.bits == 16; }

// An integer of 64 bits as one of `to`, or as the next that is.
static simt_register fitted(simt_assembly *a, simt_register value, number from, number to,
                            bool saturates) {
  uint64_t most = simt_low_bits(to.bits) >> (to.letter == 's'),
           least = to.letter == 's' ? ~most : 0;
  if (saturates && from.letter == 's') {
    value =
        simt_decode_arithmetic(a->d, SIMT_SMAX, 64, value, simt_decode_constant(a->d, least), 0);
    if (to.bits < 64)
      value =
          simt_decode_arithmetic(a->d, SIMT_SMIN, 64, value, simt_decode_constant(a->d, most), 0);
  } else if (saturates) {
    value = simt_decode_arithmetic(a->d, SIMT_UMIN, 64, value, simt_decode_constant(a->d, most), 0);
  }
  value = simt_decode_arithmetic(a->d, SIMT_TRUNC, to.bits, value, 0, 0);
  return to.letter == 's' && to.bits < 32 ? simt_asm_extended(a, value, to.bits) : value;
}

// `how`: the words between cvt and the types, with their dots.
static simt_register converted(simt_assembly *a, simt_register value, const char *how, number from,
                               number to) {
  static const narrow half = {SIMT_HTOF, SIMT_FTOH, 1}, bfloat = {SIMT_BTOF, SIMT_FTOB, 1};
  char opcode[SIMT_ASM_TEXT];
  if (is_integer(from)) {
    bool is_signed = from.letter == 's';
    value = is_signed ? simt_asm_extended(a, value, from.bits)
                      : simt_decode_arithmetic(a->d, SIMT_TRUNC, from.bits, value, 0, 0);
    a->d->f->code[a->d->f->num_code - 1].width = is_signed ? 64 : from.bits;
    if (is_integer(to))
      return fitted(a, value, from, to, strstr(how, ".sat") != NULL);
    from.bits = 64;
  } else if (is_short_float(from)) {
    value = widened(a, from.letter == 'b' ? &bfloat : &half, value, 0);
    from = (number){'f', 32};
    if (how[0] == '\0' && to.letter == 'f' && to.bits == 32)
      return value;
  }
  // Clamped, or made whole, as what it was; then rounded.
  static const char *const roundings[] = {".rn", ".rz", ".rm", ".rp", NULL};
  if (is_short_float(to) && !is_one_of(how, roundings)) {
    a->failed |= is_integer(from) || from.bits != 32;
    snprintf(opcode, sizeof opcode, "cvt%s.f32.f32", how);
    value = computed(a, opcode, &value);
    how = strncmp(how, ".rz.", 4) == 0 ? ".rz" : ".rn";
  }
  snprintf(opcode, sizeof opcode, "cvt%s.%s%u.%c%u", how,
           to.letter == 'b' ? "bf" : (char[]){to.letter, '\0'}, to.bits, from.letter, from.bits);
  value = computed(a, opcode, &value);
  return to.letter == 's' && to.bits < 32 ? simt_asm_extended(a, value, to.bits) : value;
}

// cvt.rni.sat.s8.f32 d, a;   cvt.rn.relu.f16x2.f32 d, upper, lower.
static bool decode_conversion(simt_assembly *a, const simt_statement *s) {
  parts p = cut(a, s->opcode);
  if (!simt_asm_begins(s->opcode, "cvt") || p.count < 3)
    return false;
  const char *name = p.part[p.count - 2], *times = strstr(name, "x2");
  bool is_pair = times != NULL && times[2] == '\0';
  number from, to;
  if (is_pair)
    name = lin_arena_text(a->d->arena, name, (size_t)(times - name));
  if (!parse_number_type(name, &to) || !parse_number_type(p.part[p.count - 1], &from))
    return false;
  if (s->num_operands != 2u + is_pair || (is_pair && (!is_short_float(to) || from.bits != 32))) {
    a->failed = true;
    return true;
  }
  const char *types =
      s->opcode + strlen(s->opcode) - strlen(p.part[p.count - 2]) - strlen(p.part[p.count - 1]) - 2;
  const char *how = lin_arena_text(a->d->arena, s->opcode + 3, (size_t)(types - s->opcode - 3));
  uint32_t first = a->d->f->num_code;
  simt_register half[2] = {0};
  for (unsigned i = 0; i < 1u + is_pair; i++)
    half[i] = converted(a, simt_asm_value(a, s->operand[1 + is_pair - i].word[0], from.bits), how,
                        from, to);
  if (is_pair)
    half[0] = simt_decode_arithmetic(a->d, SIMT_OR, 32, half[0],
                                     simt_asm_shifted(a, SIMT_SHL, half[1], 16), 0);
  count_once(a, first);
  simt_asm_set(a, s->operand[0].word[0], half[0]);
  return true;
}

// ---- everything that computes ------------------------------------------------------------------

// One operand more than are written is the carry, and so is a second result.
void simt_asm_compute(simt_assembly *a, const simt_statement *s) {
  simt_math math;
  const char *wide;
  narrow kind;
  if (decode_comparison(a, s) || decode_conversion(a, s))
    return;
  if (is_narrow(a, s->opcode, &wide, &kind)) {
    decode_narrow(a, s, wide, &kind);
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
    in[i] = simt_asm_value(a, s->operand[1 + i].word[0], bits_of_letter(letter[i]));
  }
  if (carries)
    in[count] = simt_asm_value(a, simt_asm_carry, 32);
  simt_register out = simt_decode_compute(a->d, math, in);
  simt_asm_set(a, s->operand[0].word[0], out);
  if (results > 1)
    simt_asm_set(a, simt_asm_carry, out + 1);
}
