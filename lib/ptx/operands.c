#include "operands.h"

#include <stdlib.h>
#include <string.h>

uint32_t lin_ptx_operand_register(const lin_ptx_body *body, lin_ptx_token word, uint32_t *next,
                                  uint32_t behind, bool *is_part) {
  if (*next >= behind)
    return LIN_NONE;
  uint32_t number = body->access[*next].reg;
  const lin_ptx_register *reg = &body->reg[number];
  const char *text = body->module->text;
  uint32_t length = reg->end - reg->start, given = word.end - word.start;
  bool is_named = given >= length && memcmp(text + reg->start, text + word.start, length) == 0;
  if (!is_named || (given > length && text[word.start + length] != '.'))
    return LIN_NONE;
  *is_part = given > length;
  bool reads = body->access[(*next)++].kind == LIN_PTX_READ;
  if (reads && *next < behind && body->access[*next].reg == number &&
      body->access[*next].kind == LIN_PTX_MAY_SET)
    (*next)++; // what a word reads and sets has two
  return number;
}

typedef struct reading {
  lin_arena *arena;
  const lin_ptx_body *body;
  lin_ptx_operands *into;
  lin_ptx_scan scan;
  uint32_t next, behind; // accesses
} reading;

static lin_ptx_operand *add(reading *r, lin_ptx_operand_kind kind) {
  lin_ptx_operands *o = r->into;
  o->operand = LIN_ROOM(r->arena, o->operand, o->count, &o->capacity);
  o->operand[o->count] = (lin_ptx_operand){.kind = kind, .reg = LIN_NONE};
  return &o->operand[o->count++];
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// 12, 0x1F, 017, 0b11, 4U; 0f3F800000, 0d....
static void read_number(const char *text, lin_ptx_token word, lin_ptx_operand *o) {
  char copy[64] = "";
  uint32_t length = word.end - word.start;
  if (length >= sizeof copy) {
    o->kind = LIN_PTX_OPERAND_OTHER;
    return;
  }
  memcpy(copy, text + word.start, length);
  char kind = length > 1 && copy[0] == '0' ? copy[1] : ' ';
  bool is_float = strchr("fFdD", kind) != NULL, is_binary = kind == 'b' || kind == 'B';
  char *end;
  o->value = (int64_t)strtoull(is_float || is_binary ? copy + 2 : copy, &end,
                               is_float    ? 16
                               : is_binary ? 2
                                           : 0);
  if (is_float) {
    o->kind = LIN_PTX_OPERAND_FLOAT;
    o->digits = length - 2;
  }
  if (*end == 'U' && !is_float)
    end++;
  if (*end != '\0')
    o->kind = LIN_PTX_OPERAND_OTHER;
}

static void read_word(reading *r, lin_ptx_token word, lin_ptx_operand *o) {
  const char *text = r->body->module->text;
  o->start = word.start;
  o->end = word.end;
  o->reg = lin_ptx_operand_register(r->body, word, &r->next, r->behind, &o->is_part);
  if (o->reg != LIN_NONE) {
    o->kind = LIN_PTX_OPERAND_REGISTER;
  } else if (is_digit(word.first)) {
    o->kind = LIN_PTX_OPERAND_NUMBER;
    read_number(text, word, o);
  } else {
    o->kind = LIN_PTX_OPERAND_NAME;
  }
}

// A word with its sign in front.
static void read_scalar(reading *r, lin_ptx_token token, lin_ptx_operand *o) {
  bool is_minus = token.first == '-';
  o->is_negated = token.first == '!';
  if (is_minus || token.first == '!' || token.first == '+')
    token = lin_ptx_next(&r->scan);
  if (token.kind != LIN_PTX_WORD) {
    o->kind = LIN_PTX_OPERAND_OTHER;
    return;
  }
  read_word(r, token, o);
  if (is_minus && o->kind == LIN_PTX_OPERAND_NUMBER)
    o->value = (int64_t)(0 - (uint64_t)o->value);
  else if (is_minus)
    o->kind = LIN_PTX_OPERAND_OTHER;
}

// [base], [base+8], [base+-8], [base-8]
static void read_address(reading *r) {
  lin_ptx_operand *o = add(r, LIN_PTX_OPERAND_ADDRESS);
  read_scalar(r, lin_ptx_next(&r->scan), o);
  o->base = o->kind;
  o->kind = o->base == LIN_PTX_OPERAND_OTHER ? o->base : LIN_PTX_OPERAND_ADDRESS;
  lin_ptx_token token = lin_ptx_next(&r->scan);
  if (token.first == '+' || token.first == '-') {
    bool is_minus = token.first == '-';
    token = lin_ptx_next(&r->scan);
    if (token.first == '-') {
      is_minus = !is_minus;
      token = lin_ptx_next(&r->scan);
    }
    lin_ptx_operand offset = {.kind = LIN_PTX_OPERAND_NUMBER};
    if (is_digit(token.first))
      read_number(r->body->module->text, token, &offset);
    else
      o->kind = LIN_PTX_OPERAND_OTHER;
    int64_t value = is_minus ? (int64_t)(0 - (uint64_t)offset.value) : offset.value;
    o->value = o->base == LIN_PTX_OPERAND_NUMBER ? o->value + value : value;
    token = lin_ptx_next(&r->scan);
  }
  if (token.first != ']')
    o->kind = LIN_PTX_OPERAND_OTHER;
}

static void read_list(reading *r) {
  uint32_t list = r->into->count;
  add(r, LIN_PTX_OPERAND_LIST);
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&r->scan);
    if (token.first == '}' || token.kind == LIN_PTX_END || token.first == ';')
      return;
    if (token.first == ',')
      continue;
    read_scalar(r, token, add(r, LIN_PTX_OPERAND_OTHER));
    r->into->operand[list].count++;
  }
}

// a|b: what stood alone becomes the first of a list.
static void pair(reading *r) {
  lin_ptx_operand first = r->into->operand[r->into->count - 1];
  lin_ptx_operand *list = &r->into->operand[r->into->count - 1];
  *list = (lin_ptx_operand){.kind = LIN_PTX_OPERAND_LIST, .reg = LIN_NONE, .count = 2};
  *add(r, first.kind) = first;
  read_scalar(r, lin_ptx_next(&r->scan), add(r, LIN_PTX_OPERAND_OTHER));
}

void lin_ptx_operands_read(lin_arena *arena, const lin_ptx_body *body, uint32_t at,
                           lin_ptx_operands *operands) {
  const lin_ptx_instruction *i = &body->instruction[at];
  operands->count = 0;
  reading r = {arena,
               body,
               operands,
               {body->module->text, i->end, i->operands},
               i->access + (i->predicate != LIN_NONE),
               body->instruction[at + 1].access};
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&r.scan);
    if (token.first == ';' || token.kind == LIN_PTX_END)
      return;
    if (token.first == ',')
      continue;
    if (token.first == '[')
      read_address(&r);
    else if (token.first == '{')
      read_list(&r);
    else if (token.first == '|' && operands->count > 0)
      pair(&r);
    else
      read_scalar(&r, token, add(&r, LIN_PTX_OPERAND_OTHER));
  }
}
