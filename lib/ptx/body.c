// 1. Statements in their order: declarations name registers, instructions are cut into operands.
// 2. Branches and tables, whose labels may stand behind them, are resolved.
// 3. Scopes are closed.
#include "body.h"

#include "closed.h"
#include "declarations.h"
#include "instructions.h"
#include "targets.h"

enum { MOST_NESTED = 64 }; // scopes: names are looked for in each

static void open_scope(lin_ptx_parser *p, uint32_t parent, uint32_t start) {
  lin_ptx_body *body = p->body;
  body->scope = LIN_ROOM(p->arena, body->scope, body->num_scopes, &p->scope_capacity);
  body->scope[body->num_scopes] = (lin_ptx_scope){
      .parent = parent,
      .depth = parent == LIN_NONE ? 0 : body->scope[parent].depth + 1,
      .first = body->count,
      .start = start,
      .variable = body->variables.count,
  };
  p->scope = body->num_scopes++;
}

static bool read_statement(lin_ptx_parser *p, lin_ptx_token token) {
  lin_ptx_body *body = p->body;
  if (token.first == ';')
    return true;
  if (token.first == '{') {
    if (body->scope[p->scope].depth >= MOST_NESTED)
      return lin_ptx_refuse(p, token.start, "scopes nested over 64 deep");
    open_scope(p, p->scope, token.start);
    return true;
  }
  if (token.first == '}') {
    if (p->scope == 0)
      return lin_ptx_refuse(p, token.start, "'}' closes nothing");
    body->scope[p->scope].behind = body->count;
    body->scope[p->scope].end = token.end;
    p->scope = lin_ptx_parser_around(p, p->scope);
    return true;
  }
  if (token.kind == LIN_PTX_WORD && lin_ptx_peek(&p->scan).first == ':') {
    lin_ptx_next(&p->scan);
    return lin_ptx_read_label(p, token);
  }
  if (token.kind == LIN_PTX_WORD && token.first == '.')
    return lin_ptx_read_directive(p, token);
  if (token.kind == LIN_PTX_WORD || token.first == '@')
    return lin_ptx_read_instruction(p, token);
  return lin_ptx_refuse(p, token.start, "something that is no statement");
}

static void read_statements(lin_ptx_parser *p) {
  lin_ptx_body *body = p->body;
  open_scope(p, LIN_NONE, body->place->body);
  lin_ptx_declare_signature(p);
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&p->scan);
    if (token.kind == LIN_PTX_END) {
      if (p->scope != 0) // its '}' was taken for an operand
        lin_ptx_refuse(p, body->place->end, "a scope that doesn't end");
      break;
    }
    if (!read_statement(p, token))
      break;
  }
  body->scope[0].behind = body->count;
  p->scope = 0;
  lin_ptx_instruction *end = lin_ptx_add_instruction(p);
  end->start = end->operands = end->end = body->place->end;
}

lin_ptx_body *lin_ptx_body_read(lin_arena *arena, const lin_ptx_module *module,
                                const lin_ptx_place *place) {
  lin_ptx_body *body = LIN_NEW(arena, lin_ptx_body);
  body->module = module;
  body->place = place;
  lin_ptx_parser p = {.arena = arena,
                      .body = body,
                      .names = lin_ptx_names_new(arena),
                      .opcodes = lin_ptx_names_new(arena),
                      .text = module->text,
                      .scan = {module->text, place->end, place->body},
                      .loc = LIN_NONE};
  read_statements(&p);
  lin_ptx_resolve_branches(&p);
  if (body->refused != NULL)
    return body;
  lin_ptx_close_scopes(arena, body);
  lin_ptx_mark_targets(body);
  return body;
}
