#include "instructions.h"

#include "gpu/nvptx.h"

#include <string.h>

static uint32_t number_opcode(lin_ptx_parser *p, lin_ptx_token word) {
  const char *text = p->text + word.start;
  uint32_t length = word.end - word.start;
  lin_ptx_name *entry = lin_ptx_names_entry(p->opcodes, 0, text, length);
  if (entry->meant == LIN_PTX_NOTHING) {
    lin_ptx_body *body = p->body;
    body->opcode = LIN_ROOM(p->arena, body->opcode, body->num_opcodes, &p->opcode_capacity);
    body->opcode[body->num_opcodes] = lin_ptx_opcode_of(text, length);
    entry->meant = LIN_PTX_VARIABLE;
    entry->value = body->num_opcodes++;
  }
  return entry->value;
}

static void add_access(lin_ptx_parser *p, uint32_t reg, lin_ptx_access_kind kind) {
  lin_ptx_body *body = p->body;
  body->access = LIN_ROOM(p->arena, body->access, body->num_accesses, &p->access_capacity);
  body->access[body->num_accesses++] = (lin_ptx_access){reg & 0x3fffffffu, kind & 3u};
}

// The operands of one instruction, while it is read.
typedef struct operands {
  const lin_ptx_opcode *opcode;
  bool is_predicated;
  uint32_t number;   // which operand, from 0
  uint32_t brackets; // [ that are open
  uint32_t groups;   // ( and { that are open
  bool is_returned;  // call: in the list of results
  bool is_own;       // reads what differs from thread to thread, and is no register
} operands;

// Special registers that are the same for all threads of a warp.
static bool is_uniform_register(const lin_ptx_parser *p, lin_ptx_token word) {
  uint32_t row = lin_nvptx_find('%', p->text + word.start + 1, word.end - word.start - 1, NULL);
  return row != LIN_NONE && lin_nvptx_row(row)->gives <= LIN_GIVES_WARP;
}

// Whether a word that is no register stands for what differs from thread to thread: %tid, what a
// call has returned, parameters of functions that aren't kernels.
static bool is_own(const lin_ptx_parser *p, const operands *o, lin_ptx_token word) {
  if (word.first == '%')
    return !is_uniform_register(p, word);
  if (!o->opcode->is_param || o->brackets == 0 || (word.first >= '0' && word.first <= '9'))
    return false;
  return !p->body->place->is_kernel || lin_ptx_find_outwards(p, p->scope, word) != NULL;
}

static void read_word(lin_ptx_parser *p, operands *o, lin_ptx_token word) {
  bool is_part;
  uint32_t reg = lin_ptx_find_register(p, word, &is_part);
  lin_ptx_note_sign(p, word);
  if (reg == LIN_NONE) {
    o->is_own |= is_own(p, o, word);
    return;
  }
  const lin_ptx_opcode *opcode = o->opcode;
  bool sets = opcode->flow == LIN_PTX_CALL
                  ? o->is_returned
                  : opcode->has_result && o->number == 0 && o->brackets == 0;
  if (!opcode->is_known) {
    add_access(p, reg, LIN_PTX_READ);
    add_access(p, reg, LIN_PTX_MAY_SET);
  } else if (sets) {
    if (opcode->keeps)
      add_access(p, reg, LIN_PTX_READ);
    add_access(p, reg,
               o->is_predicated || opcode->keeps || is_part ? LIN_PTX_MAY_SET : LIN_PTX_SET);
  } else {
    add_access(p, reg, LIN_PTX_READ);
  }
}

// What pairs over several instructions would not, once one of them is copied.
static bool refuse_brackets(lin_ptx_parser *p, lin_ptx_token token) {
  return lin_ptx_refuse(p, token.start, "an instruction whose brackets don't pair");
}

static bool read_operands(lin_ptx_parser *p, operands *o) {
  bool is_first = true;
  for (;; is_first = false) {
    lin_ptx_token token = lin_ptx_next(&p->scan);
    switch (token.kind) {
    case LIN_PTX_WORD:
      read_word(p, o, token);
      continue;
    case LIN_PTX_STRING:
      continue;
    case LIN_PTX_END:
    case LIN_PTX_BAD:
      return lin_ptx_refuse(p, token.start, "an instruction that doesn't end");
    case LIN_PTX_PUNCTUATION:
      break;
    }
    switch (token.first) {
    case ';':
      return o->brackets + o->groups == 0 || refuse_brackets(p, token);
    case '[':
      o->brackets++;
      break;
    case ']':
      if (o->brackets-- == 0)
        return refuse_brackets(p, token);
      break;
    case '(':
    case '{':
      o->is_returned |= is_first && token.first == '(';
      o->groups++;
      break;
    case ')':
    case '}':
      if (o->groups-- == 0)
        return refuse_brackets(p, token);
      o->is_returned &= o->groups > 0;
      break;
    case ',':
      o->number += o->groups == 0 && o->brackets == 0;
      break;
    default:
      break;
    }
  }
}

lin_ptx_instruction *lin_ptx_add_instruction(lin_ptx_parser *p) {
  lin_ptx_body *body = p->body;
  if (body->count == p->instruction_capacity)
    body->leads_to = LIN_ROOM(p->arena, body->leads_to, body->count, &p->leads_capacity);
  body->instruction = LIN_ROOM(p->arena, body->instruction, body->count, &p->instruction_capacity);
  lin_ptx_instruction *at = &body->instruction[body->count];
  *at = (lin_ptx_instruction){.start = p->scan.at,
                              .operands = p->scan.at,
                              .end = p->scan.at,
                              .access = body->num_accesses,
                              .predicate = LIN_NONE,
                              .scope = p->scope,
                              .loc = p->loc};
  body->leads_to[body->count] = LIN_NONE;
  return at;
}

bool lin_ptx_read_instruction(lin_ptx_parser *p, lin_ptx_token token) {
  lin_ptx_body *body = p->body;
  lin_ptx_instruction *at = lin_ptx_add_instruction(p);
  at->start = token.start;
  if (token.first == '@') {
    token = lin_ptx_next(&p->scan);
    at->is_negated = token.first == '!';
    if (at->is_negated)
      token = lin_ptx_next(&p->scan);
    bool is_part = false;
    uint32_t reg =
        token.kind == LIN_PTX_WORD ? lin_ptx_find_register(p, token, &is_part) : LIN_NONE;
    if (reg == LIN_NONE)
      return lin_ptx_refuse(p, token.start, "a predicate that is no register of the function");
    at->predicate = reg;
    add_access(p, reg, LIN_PTX_READ);
    token = lin_ptx_next(&p->scan);
  }
  if (token.kind != LIN_PTX_WORD)
    return lin_ptx_refuse(p, token.start, "something that is no statement");
  at->name = token.start;
  at->operands = token.end;
  at->opcode = number_opcode(p, token);
  operands o = {.opcode = &body->opcode[at->opcode], .is_predicated = at->predicate != LIN_NONE};
  if (!read_operands(p, &o))
    return false;
  at->end = p->scan.at;
  at->is_own = o.is_own || o.opcode->is_own;
  body->count++;
  return true;
}
