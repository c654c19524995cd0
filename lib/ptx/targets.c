#include "targets.h"

static bool resolve_target(lin_ptx_parser *p, uint32_t scope, lin_ptx_target *target) {
  lin_ptx_token word = {LIN_PTX_WORD, target->start, target->end, p->text[target->start]};
  const lin_ptx_name *found = lin_ptx_find_outwards(p, scope, word);
  if (found == NULL || found->meant != LIN_PTX_LABEL)
    return lin_ptx_refuse_word(p, word, "there is no label");
  target->label = found->value;
  return true;
}

static bool resolve_table(lin_ptx_parser *p, uint32_t at, lin_ptx_token word) {
  lin_ptx_body *body = p->body;
  uint32_t scope = body->instruction[at].scope;
  const lin_ptx_name *found = lin_ptx_find_outwards(p, scope, word);
  if (found == NULL || found->meant != LIN_PTX_TABLE)
    return lin_ptx_refuse_word(p, word, "there is no list of labels");
  lin_ptx_table *table = &body->table[found->value];
  body->leads_to[at] = found->value;
  for (uint32_t i = 0; i < table->count && table->users == 0; i++)
    if (!resolve_target(p, found->scope, &body->target[table->first + i]))
      return false;
  table->users++;
  return true;
}

// Whether an instruction that is no branch names a label: then it may go there.
static bool names_label(lin_ptx_parser *p, uint32_t at) {
  const lin_ptx_instruction *i = &p->body->instruction[at];
  lin_ptx_scan scan = {p->text, i->end, i->operands};
  while (scan.at < i->end) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.kind != LIN_PTX_WORD)
      continue;
    const lin_ptx_name *found = lin_ptx_find_outwards(p, i->scope, token);
    if (found != NULL && (found->meant == LIN_PTX_LABEL || found->meant == LIN_PTX_TABLE))
      return true;
  }
  return false;
}

static bool resolve_branch(lin_ptx_parser *p, uint32_t at) {
  lin_ptx_body *body = p->body;
  const lin_ptx_instruction *i = &body->instruction[at];
  lin_ptx_scan scan = {p->text, i->end, i->operands};
  lin_ptx_token word = lin_ptx_next(&scan), then = lin_ptx_next(&scan);
  switch (lin_ptx_meaning(body, at)->flow) {
  case LIN_PTX_BRA:
    if (word.kind != LIN_PTX_WORD || then.first != ';')
      return lin_ptx_refuse(p, i->start, "a branch that isn't written as usual");
    body->leads_to[at] = body->num_targets;
    lin_ptx_add_target(p, word);
    return resolve_target(p, i->scope, &body->target[body->num_targets - 1]);
  case LIN_PTX_BRX:
    word = lin_ptx_next(&scan);
    if (then.first != ',' || word.kind != LIN_PTX_WORD || lin_ptx_next(&scan).first != ';')
      return lin_ptx_refuse(p, i->start, "a branch that isn't written as usual");
    return resolve_table(p, at, word);
  case LIN_PTX_RETURN:
  case LIN_PTX_EXIT:
  case LIN_PTX_TRAP:
    return word.first == ';' ||
           lin_ptx_refuse(p, i->start, "an instruction that isn't written as usual");
  case LIN_PTX_JUMP:
    return lin_ptx_refuse(p, i->start, "a branch to nobody knows where");
  default:
    if (!lin_ptx_meaning(body, at)->is_known && names_label(p, at))
      return lin_ptx_refuse(p, i->start, "an unknown instruction that names a label");
    return true;
  }
}

void lin_ptx_resolve_branches(lin_ptx_parser *p) {
  for (uint32_t at = 0; at < p->body->count && p->body->refused == NULL; at++)
    resolve_branch(p, at);
}
