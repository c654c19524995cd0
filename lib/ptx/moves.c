#include "moves.h"

#include "define.h"

#include "graph/graph.h"

#include <string.h>

// Whether a word names the register of an access.
static bool is_of(const lin_ptx_body *body, lin_ptx_token word, uint32_t access) {
  const lin_ptx_register *reg = &body->reg[body->access[access].reg];
  return word.end - word.start == reg->end - reg->start &&
         memcmp(body->module->text + word.start, body->module->text + reg->start,
                word.end - word.start) == 0;
}

const lin_ptx_word *lin_ptx_words(const lin_ptx_body *body, uint32_t at,
                                  lin_ptx_word word[LIN_PTX_MOST_WORDS], uint32_t *count) {
  const lin_ptx_instruction *i = &body->instruction[at];
  lin_ptx_scan scan = {body->module->text, i->end, i->operands};
  uint32_t access = i->access + (i->predicate != LIN_NONE);
  *count = 0;
  while (scan.at < i->end) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.kind != LIN_PTX_WORD)
      continue;
    if (*count == LIN_PTX_MOST_WORDS)
      return NULL;
    bool is_register = access < body->instruction[at + 1].access && is_of(body, token, access);
    word[(*count)++] = (lin_ptx_word){token.start, token.end, is_register ? access++ : LIN_NONE};
  }
  return access == body->instruction[at + 1].access ? word : NULL;
}

bool lin_ptx_may_stand_twice(const lin_ptx_body *body, uint32_t at) {
  const lin_ptx_instruction *i = &body->instruction[at];
  const lin_ptx_opcode *opcode = lin_ptx_meaning(body, at);
  return opcode->is_known && opcode->flow == LIN_PTX_ON && i->scope == 0 &&
         (opcode->effects & (LIN_WAITS | LIN_CROSS_LANE)) == 0;
}

static bool has_name(const lin_ptx_body *body, uint32_t at, const char *name) {
  const lin_ptx_instruction *i = &body->instruction[at];
  const char *text = body->module->text + i->name;
  size_t length = strlen(name);
  return i->operands - i->name > length && memcmp(text, name, length) == 0 && text[length] == '.';
}

// Those of llvm/ask/questions.c.
static bool is_simple(const lin_ptx_body *body, uint32_t at) {
  static const char *const names[] = {"abs",  "add",  "and", "bfe",  "bfi", "cvt", "fma", "lop3",
                                      "mad",  "max",  "min", "mov",  "mul", "neg", "not", "or",
                                      "prmt", "selp", "set", "setp", "shl", "shr", "sub", "xor"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (has_name(body, at, names[i]))
      return true;
  return false;
}

// Conversions between integers cost as little as registers' parts do.
static bool converts_numbers(const char *opcode, size_t length) {
  static const char *const types[] = {".f16",  ".f16x2", ".bf16", ".bf16x2", ".f32", ".f64",
                                      ".tf32", ".rn",    ".rz",   ".rm",     ".rp"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (lin_ptx_has_part(opcode, length, types[i]))
      return true;
  return false;
}

bool lin_ptx_is_cheap(const lin_ptx_body *body, uint32_t at) {
  const lin_ptx_instruction *i = &body->instruction[at];
  const char *opcode = body->module->text + i->name, *zero;
  size_t length = i->operands - i->name;
  if (i->predicate != LIN_NONE || i->is_closed || !lin_ptx_may_stand_twice(body, at) ||
      lin_ptx_meaning(body, at)->effects != 0 || lin_ptx_meaning(body, at)->keeps ||
      !is_simple(body, at) || lin_ptx_has_part(opcode, length, ".cc") || // sets the carry
      (has_name(body, at, "cvt") && converts_numbers(opcode, length)))
    return false;
  lin_ptx_word words[LIN_PTX_MOST_WORDS];
  uint32_t count;
  if (lin_ptx_words(body, at, words, &count) == NULL)
    return false;
  for (uint32_t k = 0; k < count; k++) {
    if (words[k].access == LIN_NONE) {
      if (body->module->text[words[k].start] == '%') // %clock is not the same anywhere
        return false;
      continue;
    }
    uint32_t reg = body->access[words[k].access].reg;
    if (body->reg[reg].scope != 0 || body->reg[reg].is_parameter ||
        lin_ptx_zero(body, reg, &zero) == NULL)
      return false;
  }
  return true;
}

void lin_ptx_say_instruction(lin_ptx_lines *lines, const lin_ptx_body *body, uint32_t at,
                             const char *const *name, const char *const *named) {
  const lin_ptx_instruction *i = &body->instruction[at];
  const char *text = body->module->text;
  lin_ptx_word words[LIN_PTX_MOST_WORDS];
  uint32_t count = 0, done = i->start;
  lin_ptx_say(lines, "\t");
  if (name != NULL)
    lin_ptx_words(body, at, words, &count);
  for (uint32_t k = 0; k < count; k++) {
    if (words[k].access == LIN_NONE)
      continue;
    lin_ptx_access access = body->access[words[k].access];
    const char *other = access.kind == LIN_PTX_READ ? name[access.reg] : named[access.reg];
    if (other == NULL)
      continue;
    lin_ptx_say(lines, "%.*s%s", (int)(words[k].start - done), text + done, other);
    done = words[k].end;
  }
  lin_ptx_say(lines, "%.*s\n", (int)(i->end - done), text + done);
}
