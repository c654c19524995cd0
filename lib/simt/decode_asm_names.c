// Names, numbers and opcodes of inline assembly.
#include "decode_asm.h"

#include <stdlib.h>
#include <string.h>

const char simt_asm_carry[] = "%cc";

simt_register *simt_asm_find(simt_assembly *a, const char *text) {
  for (unsigned i = 0; i < a->num_names; i++)
    if (strcmp(a->name[i].text, text) == 0)
      return &a->name[i].reg;
  return NULL;
}

void simt_asm_set(simt_assembly *a, const char *text, simt_register reg) {
  simt_register *found = simt_asm_find(a, text);
  if (found != NULL)
    *found = reg;
  else if (a->num_names == SIMT_ASM_NAMES || strcmp(text, "_") == 0)
    a->failed |= a->num_names == SIMT_ASM_NAMES;
  else
    a->name[a->num_names++] = (simt_asm_name){text, reg};
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
static bool read_special(simt_assembly *a, const char *text, simt_register *reg) {
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

// A variable of the module, which the lift names as its text does.
static bool read_variable(simt_assembly *a, const char *text, simt_register *reg) {
  LLVMValueRef variable = LLVMGetNamedGlobal(a->d->module, text);
  simt_value value = variable == NULL ? (simt_value){0} : simt_decode_operand(a->d, variable);
  if (value.count == 1)
    *reg = value.reg[0];
  return value.count == 1;
}

static simt_register value_of(simt_assembly *a, const char *text, uint8_t bits) {
  const simt_register *found = simt_asm_find(a, text);
  simt_register reg = 0;
  uint64_t number;
  if (found != NULL)
    return *found;
  if (parse_number(text, bits, &number))
    return simt_decode_constant(a->d, number);
  if (strcmp(text, "WARP_SZ") == 0)
    return simt_decode_constant(a->d, SIMT_LANES);
  if (!read_special(a, text, &reg) && !read_variable(a, text, &reg))
    a->failed = true;
  return reg;
}

simt_register simt_asm_value(simt_assembly *a, const char *text, uint8_t bits) {
  if (text[0] != '!')
    return value_of(a, text, bits);
  return simt_decode_arithmetic(a->d, SIMT_XOR, 1, value_of(a, text + 1, 1),
                                simt_decode_constant(a->d, 1), 0);
}

// ---- instructions ------------------------------------------------------------------------------

// The word behind the last dot: .u32 and so on. Its bits, 0 if it is no type.
uint8_t simt_asm_bits(const char *opcode) {
  const char *type = strrchr(opcode, '.');
  if (type == NULL || type[1] == '\0' || strchr("usbf", type[1]) == NULL)
    return 0;
  char *end;
  unsigned long bits = strtoul(type + 2, &end, 10);
  bool is_known = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  return is_known && *end == '\0' ? (uint8_t)bits : 0;
}

static bool is_among(const char *word, size_t length, const char *words) {
  for (const char *at = words; *at != '\0'; at += strspn(at, " ")) {
    size_t one = strcspn(at, " ");
    if (one == length && strncmp(at, word, length) == 0)
      return true;
    at += one;
  }
  return false;
}

bool simt_asm_has_only(const char *opcode, const char *words) {
  const char *at = strchr(opcode, '.'), *next;
  for (; at != NULL && (next = strchr(at + 1, '.')) != NULL; at = next)
    if (!is_among(at + 1, (size_t)(next - at - 1), words))
      return false;
  return true;
}

bool simt_asm_has(const char *opcode, const char *word) {
  size_t length = strlen(word);
  for (const char *at = strchr(opcode, '.'); at != NULL; at = strchr(at + 1, '.'))
    if (strncmp(at + 1, word, length) == 0 && (at[1 + length] == '.' || at[1 + length] == '\0'))
      return true;
  return false;
}

simt_register simt_asm_shifted(simt_assembly *a, simt_opcode opcode, simt_register value,
                               unsigned by) {
  if (by == 0)
    return value;
  return simt_decode_arithmetic(a->d, opcode, 64, value, simt_decode_constant(a->d, by), 0);
}

simt_register simt_asm_extended(simt_assembly *a, simt_register value, uint8_t from) {
  simt_register reg = simt_decode_fresh(a->d, 1);
  simt_decode_emit(a->d, (simt_instruction){.opcode = SIMT_SEXT,
                                            .width = 32,
                                            .from = from,
                                            .flags = SIMT_IS_FREE,
                                            .dst = reg,
                                            .a = value});
  return reg;
}

bool simt_asm_begins(const char *text, const char *with) {
  size_t length = strlen(with);
  return strncmp(text, with, length) == 0 && (text[length] == '.' || text[length] == '\0');
}
