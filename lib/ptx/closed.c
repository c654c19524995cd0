// From the inside out.
#include "closed.h"

// What branches in a scope, and in those in it, need: the outermost scope that they lead to.
typedef struct needs {
  uint32_t depth; // of that; LIN_NONE: no branches
} needs;

static void need(needs *n, uint32_t depth) {
  if (n->depth == LIN_NONE || depth < n->depth)
    n->depth = depth;
}

static void need_target(const lin_ptx_body *body, needs *n, uint32_t target) {
  need(n, body->scope[body->label[body->target[target].label].scope].depth);
}

static void find_needs(const lin_ptx_body *body, uint32_t at, needs *n) {
  const lin_ptx_table *table;
  switch (lin_ptx_meaning(body, at)->flow) {
  case LIN_PTX_BRA:
    need_target(body, n, body->leads_to[at]);
    break;
  case LIN_PTX_BRX:
    table = &body->table[body->leads_to[at]];
    for (uint32_t i = 0; i < table->count; i++)
      need_target(body, n, table->first + i);
    break;
  case LIN_PTX_RETURN:
  case LIN_PTX_EXIT:
    need(n, 0);
    break;
  case LIN_PTX_TRAP: // in a scope that is closed otherwise it is nobody's end but the thread's
    need(n, body->scope[body->instruction[at].scope].depth);
    break;
  default:
    break;
  }
}

void lin_ptx_close_scopes(lin_arena *arena, lin_ptx_body *body) {
  needs *of = LIN_ARRAY(arena, needs, body->num_scopes);
  for (uint32_t scope = 0; scope < body->num_scopes; scope++)
    of[scope].depth = LIN_NONE;
  for (uint32_t at = 0; at < body->count; at++)
    find_needs(body, at, &of[body->instruction[at].scope]);
  for (uint32_t scope = body->num_scopes; scope-- > 1;) { // a scope before the one around it
    lin_ptx_scope *s = &body->scope[scope];
    s->is_closed = of[scope].depth == LIN_NONE || of[scope].depth >= s->depth;
    if (!s->is_closed)
      need(&of[s->parent], of[scope].depth);
  }
  uint32_t *closed = LIN_ARRAY(arena, uint32_t, body->num_scopes); // a closed one that branches
  closed[0] = LIN_NONE;
  for (uint32_t scope = 1; scope < body->num_scopes; scope++) {
    const lin_ptx_scope *s = &body->scope[scope];
    bool branches = s->is_closed && of[scope].depth != LIN_NONE;
    closed[scope] = closed[s->parent] != LIN_NONE ? closed[s->parent] : branches ? scope : LIN_NONE;
  }
  for (uint32_t at = 0; at < body->count; at++) {
    lin_ptx_instruction *i = &body->instruction[at];
    i->is_closed = closed[i->scope] != LIN_NONE;
    for (LIN_PTX_ACCESSES(body, at, access))
      if (i->is_closed && body->access[access].kind == LIN_PTX_SET)
        body->access[access].kind = LIN_PTX_MAY_SET;
  }
}

void lin_ptx_mark_targets(lin_ptx_body *body) {
  for (uint32_t at = 0; at < body->count; at++) {
    if (body->instruction[at].is_closed || body->leads_to[at] == LIN_NONE)
      continue;
    if (lin_ptx_meaning(body, at)->flow == LIN_PTX_BRA) {
      body->label[body->target[body->leads_to[at]].label].is_target = true;
      continue;
    }
    const lin_ptx_table *table = &body->table[body->leads_to[at]];
    for (uint32_t i = 0; i < table->count; i++)
      body->label[body->target[table->first + i].label].is_target = true;
  }
}
