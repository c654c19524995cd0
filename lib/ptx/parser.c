#include "parser.h"

#include <stdio.h>
#include <string.h>

bool lin_ptx_refuse(lin_ptx_parser *p, uint32_t place, const char *reason) {
  p->body->refused = reason;
  p->body->refused_at = place;
  return false;
}

bool lin_ptx_refuse_word(lin_ptx_parser *p, lin_ptx_token token, const char *what) {
  char message[128];
  uint32_t length = token.end - token.start;
  snprintf(message, sizeof message, "%s '%.*s'", what, (int)(length < 60 ? length : 60),
           p->text + token.start);
  return lin_ptx_refuse(p, token.start, lin_arena_text(p->arena, message, strlen(message)));
}

bool lin_ptx_skip_statement(lin_ptx_parser *p) {
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&p->scan);
    if (token.first == ';' && token.kind == LIN_PTX_PUNCTUATION)
      return true;
    if (token.kind == LIN_PTX_END || token.kind == LIN_PTX_BAD)
      return lin_ptx_refuse(p, token.start, "a statement that doesn't end");
  }
}

const lin_ptx_name *lin_ptx_find_outwards(const lin_ptx_parser *p, uint32_t scope,
                                          lin_ptx_token word) {
  for (; scope != LIN_NONE; scope = lin_ptx_parser_around(p, scope)) {
    const lin_ptx_name *found =
        lin_ptx_names_find(p->names, scope, p->text + word.start, word.end - word.start);
    if (found != NULL)
      return found;
  }
  return NULL;
}

void lin_ptx_note_sign(lin_ptx_parser *p, lin_ptx_token name) {
  if (p->body->sign == 0 && lin_ptx_has_sign(p->text, name.start, name.end))
    p->body->sign = name.start;
}

uint32_t lin_ptx_add_register(lin_ptx_parser *p, lin_ptx_register reg) {
  lin_ptx_body *body = p->body;
  body->reg = LIN_ROOM(p->arena, body->reg, body->num_regs, &p->register_capacity);
  body->reg[body->num_regs] = reg;
  return body->num_regs++;
}

// `%r12` of `%r<51>`: the declaration, if the name is one of those. A number has no zeros in front;
// what is before it may end in digits, too (%v2r1 of %v2r<4>, %r10 of %r1<8>).
static const lin_ptx_declared *find_range(const lin_ptx_parser *p, uint32_t scope, const char *name,
                                          uint32_t length) {
  for (uint32_t prefix = length - 1; prefix > 0 && name[prefix] >= '0' && name[prefix] <= '9';
       prefix--) {
    if (name[prefix] == '0' && length - prefix > 1)
      continue;
    const lin_ptx_name *found = lin_ptx_names_find(p->names, scope, name, prefix);
    if (found == NULL || found->meant != LIN_PTX_REGISTERS)
      continue;
    lin_ptx_token digits = {LIN_PTX_WORD, (uint32_t)(name + prefix - p->text),
                            (uint32_t)(name + length - p->text), name[prefix]};
    const lin_ptx_declared *range = &p->declared[found->value];
    if (lin_ptx_number(p->text, digits) < range->count)
      return range;
  }
  return NULL;
}

// What a name means where the parser is, LIN_PTX_NOTHING if it isn't the function's own.
static lin_ptx_name resolve(lin_ptx_parser *p, uint32_t scope, uint32_t start, uint32_t end) {
  const char *name = p->text + start;
  uint32_t length = end - start;
  for (; scope != LIN_NONE; scope = lin_ptx_parser_around(p, scope)) {
    const lin_ptx_name *found = lin_ptx_names_find(p->names, scope, name, length);
    if (found != NULL)
      return *found;
    const lin_ptx_declared *range = find_range(p, scope, name, length);
    if (range == NULL)
      continue;
    lin_ptx_name *entry = lin_ptx_names_entry(p->names, scope, name, length);
    entry->meant = LIN_PTX_REGISTER;
    entry->value = lin_ptx_add_register(p, (lin_ptx_register){.start = start,
                                                              .end = end,
                                                              .type = range->type,
                                                              .type_end = range->type_end,
                                                              .scope = scope});
    return *entry;
  }
  return (lin_ptx_name){.meant = LIN_PTX_NOTHING};
}

uint32_t lin_ptx_find_register(lin_ptx_parser *p, lin_ptx_token word, bool *is_part) {
  *is_part = false;
  if (word.first >= '0' && word.first <= '9')
    return LIN_NONE;
  lin_ptx_name name = resolve(p, p->scope, word.start, word.end);
  const char *dot = memchr(p->text + word.start, '.', word.end - word.start);
  if (name.meant == LIN_PTX_NOTHING && dot != NULL && word.first != '.') {
    name = resolve(p, p->scope, word.start, (uint32_t)(dot - p->text));
    *is_part = true;
  }
  return name.meant == LIN_PTX_REGISTER ? name.value : LIN_NONE;
}

lin_ptx_name *lin_ptx_declare(lin_ptx_parser *p, lin_ptx_token word, lin_ptx_meant meant,
                              uint32_t value) {
  lin_ptx_name *entry =
      lin_ptx_names_entry(p->names, p->scope, p->text + word.start, word.end - word.start);
  entry->meant = meant;
  entry->value = value;
  lin_ptx_note_sign(p, word);
  return entry;
}

void lin_ptx_add_target(lin_ptx_parser *p, lin_ptx_token token) {
  lin_ptx_body *body = p->body;
  body->target = LIN_ROOM(p->arena, body->target, body->num_targets, &p->target_capacity);
  body->target[body->num_targets++] = (lin_ptx_target){token.start, token.end, LIN_NONE};
}
