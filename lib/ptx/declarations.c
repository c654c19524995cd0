#include "declarations.h"

#include <string.h>

// ---- registers and variables

static bool is_vector(const lin_ptx_parser *p, lin_ptx_token type) {
  return type.end - type.start == 3 && p->text[type.start + 1] == 'v';
}

// .reg .b32 %r<51>, %x;   .reg .v4 .b32 v;
static bool read_registers(lin_ptx_parser *p) {
  lin_ptx_token type = {0};
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&p->scan);
    if (token.first == ';')
      return true;
    if (token.first == ',')
      continue;
    if (token.kind != LIN_PTX_WORD)
      return lin_ptx_refuse(p, token.start, "registers that aren't declared as usual");
    if (token.first == '.') {
      type.start = is_vector(p, type) ? type.start : token.start;
      type.end = token.end;
      continue;
    }
    if (lin_ptx_peek(&p->scan).first != '<') {
      lin_ptx_register reg = {token.start, token.end, type.start, type.end, p->scope, false};
      lin_ptx_declare(p, token, LIN_PTX_REGISTER, lin_ptx_add_register(p, reg));
      continue;
    }
    lin_ptx_next(&p->scan);
    uint32_t count = lin_ptx_number(p->text, lin_ptx_next(&p->scan));
    lin_ptx_token closing = lin_ptx_next(&p->scan);
    if (count == UINT32_MAX || closing.first != '>')
      return lin_ptx_refuse(p, closing.start, "registers that aren't declared as usual");
    p->declared = LIN_ROOM(p->arena, p->declared, p->num_declared, &p->declared_capacity);
    p->declared[p->num_declared] = (lin_ptx_declared){count, type.start, type.end};
    lin_ptx_declare(p, token, LIN_PTX_REGISTERS, p->num_declared++);
  }
}

static lin_ptx_token name_of(const lin_ptx_parser *p, const lin_ptx_variable *v) {
  return (lin_ptx_token){LIN_PTX_WORD, v->start, v->end, p->text[v->start]};
}

static void declare_registers(lin_ptx_parser *p, const lin_ptx_variables *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    const lin_ptx_variable *v = &list->variable[i];
    lin_ptx_register reg = {v->start, v->end, v->type, v->type_end, 0, true};
    if (v->space == LIN_PTX_REG)
      lin_ptx_declare(p, name_of(p, v), LIN_PTX_REGISTER, lin_ptx_add_register(p, reg));
  }
}

void lin_ptx_declare_signature(lin_ptx_parser *p) {
  declare_registers(p, &p->body->place->results);
  declare_registers(p, &p->body->place->parameters);
}

// .param .b32 retval0;  .shared .align 4 .b8 s[128];  .local ... = { ... };
static bool read_variable(lin_ptx_parser *p, lin_ptx_token word, lin_ptx_space space) {
  lin_ptx_variables *all = &p->body->variables;
  const lin_ptx_variable known = {.space = space, .declared = word.start, .scope = p->scope};
  const uint32_t first = all->count;
  p->body->scope[p->scope].declares = true;
  lin_ptx_scan scan = p->scan;
  const char end = lin_ptx_variables_read(p->arena, &scan, &known, all);
  if (end == ';' || end == '=') {
    p->scan = scan;
  } else {
    all->variable = LIN_ROOM(p->arena, all->variable, first, &all->capacity);
    all->variable[first] = known;
    all->count = first + 1;
  }
  if (!lin_ptx_skip_statement(p))
    return false;
  for (uint32_t i = first; i < all->count; i++) {
    all->variable[i].behind = p->scan.at;
    if (all->variable[i].end != 0)
      lin_ptx_declare(p, name_of(p, &all->variable[i]), LIN_PTX_VARIABLE, 0);
  }
  return true;
}

// ---- labels

// name: .branchtargets L1, L2;
static bool read_table(lin_ptx_parser *p, lin_ptx_token name) {
  lin_ptx_body *body = p->body;
  body->table = LIN_ROOM(p->arena, body->table, body->num_tables, &p->table_capacity);
  lin_ptx_table *table = &body->table[body->num_tables];
  *table = (lin_ptx_table){.first = body->num_targets};
  lin_ptx_declare(p, name, LIN_PTX_TABLE, body->num_tables++);
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&p->scan);
    if (token.kind != LIN_PTX_WORD)
      return lin_ptx_refuse(p, token.start, "a list of labels that isn't written as usual");
    lin_ptx_add_target(p, token);
    token = lin_ptx_next(&p->scan);
    if (token.first != ',' && token.first != ';')
      return lin_ptx_refuse(p, token.start, "a list of labels that isn't written as usual");
    if (token.first == ';')
      break;
  }
  table->count = body->num_targets - table->first;
  return true;
}

static bool read_aside(lin_ptx_parser *p, uint32_t start, bool is_bound) {
  lin_ptx_body *body = p->body;
  if (!lin_ptx_skip_statement(p))
    return false;
  body->aside = LIN_ROOM(p->arena, body->aside, body->num_asides, &p->aside_capacity);
  body->aside[body->num_asides++] =
      (lin_ptx_aside){start, p->scan.at, p->scope, body->count, is_bound};
  return true;
}

// name: .callprototype _ (.param .b64 _);   name: .calltargets f, g;
static bool read_prototype(lin_ptx_parser *p, lin_ptx_token name) {
  lin_ptx_declare(p, name, LIN_PTX_VARIABLE, 0);
  p->body->scope[p->scope].declares = true;
  return read_aside(p, name.start, false);
}

bool lin_ptx_read_label(lin_ptx_parser *p, lin_ptx_token name) {
  lin_ptx_body *body = p->body;
  lin_ptx_token next = lin_ptx_peek(&p->scan);
  if (lin_ptx_is(p->text, next, ".branchtargets")) {
    lin_ptx_next(&p->scan);
    return read_table(p, name);
  }
  if (lin_ptx_is(p->text, next, ".callprototype") || lin_ptx_is(p->text, next, ".calltargets"))
    return read_prototype(p, name);
  if (lin_ptx_names_find(p->names, p->scope, p->text + name.start, name.end - name.start) != NULL)
    return lin_ptx_refuse_word(p, name, "two meanings of");
  body->label = LIN_ROOM(p->arena, body->label, body->num_labels, &p->label_capacity);
  body->label[body->num_labels] =
      (lin_ptx_label){name.start, name.end, p->scope, body->count, false};
  lin_ptx_declare(p, name, LIN_PTX_LABEL, body->num_labels++);
  return true;
}

// ---- directives

static lin_ptx_position read_position(lin_ptx_parser *p) {
  uint32_t number[3];
  for (int i = 0; i < 3; i++)
    number[i] = lin_ptx_number(p->text, lin_ptx_next(&p->scan));
  return (lin_ptx_position){number[0], number[1], number[2]};
}

// .loc 1 8 218, function_name $L__info_string0 + 4, inlined_at 1 9 3
static bool read_loc(lin_ptx_parser *p, lin_ptx_token name) {
  lin_ptx_body *body = p->body;
  lin_ptx_loc loc = {.own = read_position(p), .start = name.start};
  if (loc.own.file == UINT32_MAX || loc.own.line == UINT32_MAX || loc.own.column == UINT32_MAX)
    return lin_ptx_refuse(p, name.start, ".loc that isn't written as usual");
  while (lin_ptx_peek(&p->scan).first == ',') {
    lin_ptx_next(&p->scan);
    if (lin_ptx_is(p->text, lin_ptx_next(&p->scan), "inlined_at")) {
      loc.at = read_position(p);
      loc.is_inlined = true;
      continue;
    }
    lin_ptx_next(&p->scan);
    if (lin_ptx_peek(&p->scan).first == '+') {
      lin_ptx_next(&p->scan);
      lin_ptx_next(&p->scan);
    }
  }
  if (loc.own.line == 0) // of nobody's line
    return true;
  loc.end = p->scan.at;
  body->loc = LIN_ROOM(p->arena, body->loc, body->num_locs, &p->loc_capacity);
  body->loc[body->num_locs] = loc;
  p->loc = body->num_locs++;
  return true;
}

// .pragma "nounroll"; stands in front of the header of a loop, or behind its label. What stands in
// front of everything is the function's. "used_bytes_mask 13" tells compute-sanitizer of the next
// load, and changes nothing that is computed.
static bool read_pragma(lin_ptx_parser *p, lin_ptx_token name) {
  lin_ptx_body *body = p->body;
  lin_ptx_token word = lin_ptx_peek(&p->scan);
  static const char mask[] = "\"used_bytes_mask";
  if (word.end - word.start >= sizeof mask &&
      memcmp(p->text + word.start, mask, sizeof mask - 1) == 0)
    return lin_ptx_skip_statement(p);
  if (p->scope == 0 && body->count == 0 && body->num_labels == 0)
    return read_aside(p, name.start, false);
  if (word.kind != LIN_PTX_STRING || !lin_ptx_is(p->text, word, "\"nounroll\""))
    return read_aside(p, name.start, true);
  body->rolled = LIN_ROOM(p->arena, body->rolled, body->num_rolled, &p->rolled_capacity);
  body->rolled[body->num_rolled++] = body->count;
  return lin_ptx_skip_statement(p);
}

bool lin_ptx_read_directive(lin_ptx_parser *p, lin_ptx_token name) {
  if (lin_ptx_is(p->text, name, ".reg"))
    return read_registers(p);
  if (lin_ptx_is(p->text, name, ".loc"))
    return read_loc(p, name);
  if (lin_ptx_is(p->text, name, ".pragma"))
    return read_pragma(p, name);
  const lin_ptx_space space = lin_ptx_space_of(p->text, name);
  if (space != LIN_PTX_GENERIC)
    return read_variable(p, name, space);
  return lin_ptx_refuse_word(p, name, "the directive");
}
