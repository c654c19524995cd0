// The variables of the function: phis and what flows into them, webs of which live in one register
// each (linearize/webs.h).
//
//   1. Before anything changes, phis and their operands are numbered and their webs found. A phi
//      dissolves if its block is entered otherwise than before: it becomes what its web holds
//      there.
//   2. At the end of each block that leads to dissolving phis, their webs are set to the operands
//      that are not in the web already:
//
//          p: ...                                   p: ...
//             br c, a, b             ==>               x' = select c, 1, x
//          a: x2 = phi [1, p], ...                     (x is still needed in b)
//
//      An operand that is another variable is read through a placeholder, so that its use stands
//      where it is read until step 3 has found out what it is there.
//   3. Web by web, every use reads what the web holds, through phis where several values meet.
#include "variables.h"

// ---- numbering

static lin_block ordered_block(const writer *w, LLVMBasicBlockRef block) {
  lin_block place = lin_writer_place(w, block);
  return place == LIN_NONE ? LIN_NONE : w->flow->original[place];
}

// Addresses that the back end must keep in sight, an alloca's own too, are no variables.
static void add_value(writer *w, LLVMValueRef value) {
  lin_variables *v = w->variables;
  if (!LLVMIsAInstruction(value) || LLVMIsAAllocaInst(value) || lin_writer_is_made_again(value) ||
      lin_numbers_find(&v->number, value) != LIN_NONE ||
      lin_writer_place(w, LLVMGetInstructionParent(value)) == LIN_NONE)
    return;
  v->value = LIN_ROOM(w->arena, v->value, v->count, &v->capacity);
  lin_numbers_add(w->arena, &v->number, value, v->count);
  v->value[v->count++] = value;
}

static void number_values(writer *w) {
  lin_variables *v = w->variables;
  for (lin_block block = 0; block < w->graph->num_blocks; block++) {
    if (lin_writer_input(w, block) == LIN_NONE)
      continue;
    uint32_t position = 1;
    for (LLVMValueRef at = LLVMGetFirstInstruction(w->block[block]); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      if (LLVMIsAPHINode(at))
        add_value(w, at);
      lin_numbers_add(w->arena, &v->position, at, LLVMIsAPHINode(at) ? 0 : position++);
    }
  }
  for (uint32_t phi = 0, phis = v->count; phi < phis; phi++)
    for (unsigned i = 0; i < LLVMCountIncoming(v->value[phi]); i++)
      add_value(w, LLVMGetIncomingValue(v->value[phi], i));
}

// ---- uses

static void add_use(writer *w, LLVMBasicBlockRef block, uint32_t position) {
  lin_variables *v = w->variables;
  lin_block ordered = ordered_block(w, block);
  if (ordered == LIN_NONE)
    return;
  v->use = LIN_ROOM(w->arena, v->use, v->num_uses, &v->use_capacity);
  v->use[v->num_uses++] = (lin_place){ordered, position};
}

// An address that is made again where it is used needs its operands there.
static void list_uses(writer *w, LLVMValueRef value) {
  const lin_variables *v = w->variables;
  LLVMValueRef *address = NULL;
  uint32_t count = 0, capacity = 0;
  for (LLVMValueRef of = value; of != NULL; of = count > 0 ? address[--count] : NULL)
    for (LLVMUseRef use = LLVMGetFirstUse(of); use != NULL; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (LLVMIsAPHINode(user)) {
        add_use(w, LLVMGetIncomingBlock(user, lin_ir_operand(use)), LIN_AT_END);
        continue;
      }
      add_use(w, LLVMGetInstructionParent(user), lin_numbers_find(&v->position, user));
      if (lin_writer_is_made_again(user)) {
        address = LIN_ROOM(w->arena, address, count, &capacity);
        address[count++] = user;
      }
    }
}

static lin_web_pair *list_pairs(writer *w, uint32_t *num_pairs) {
  const lin_variables *v = w->variables;
  lin_web_pair *pair = NULL;
  uint32_t count = 0, capacity = 0;
  for (uint32_t phi = 0; phi < v->count; phi++) {
    if (!LLVMIsAPHINode(v->value[phi]))
      continue;
    for (unsigned i = 0; i < LLVMCountIncoming(v->value[phi]); i++) {
      uint32_t operand = lin_numbers_find(&v->number, LLVMGetIncomingValue(v->value[phi], i));
      if (operand == LIN_NONE)
        continue;
      pair = LIN_ROOM(w->arena, pair, count, &capacity);
      pair[count++] = (lin_web_pair){phi, operand};
    }
  }
  *num_pairs = count;
  return pair;
}

void lin_writer_find_variables(writer *w, bool unite) {
  lin_variables *v = w->variables = LIN_NEW(w->arena, lin_variables);
  number_values(w);
  v->place = LIN_ARRAY(w->arena, lin_web_value, v->count);
  for (uint32_t i = 0; i < v->count; i++) {
    lin_place definition = {ordered_block(w, LLVMGetInstructionParent(v->value[i])),
                            lin_numbers_find(&v->position, v->value[i])};
    v->place[i] = (lin_web_value){definition, v->num_uses, 0};
    list_uses(w, v->value[i]);
    v->place[i].num_uses = v->num_uses - v->place[i].first_use;
  }
  lin_web_input input = {.num_values = v->count, .value = v->place, .use = v->use};
  input.pair = list_pairs(w, &input.num_pairs);
  v->webs = lin_webs_build(w->arena, w->flow->plan->analysis, &input, unite);
  v->settings = LIN_ARRAY(w->arena, lin_setting *, v->webs->num_webs);
}

bool lin_writer_is_variable(const writer *w, LLVMValueRef value) {
  return lin_numbers_find(&w->variables->number, value) != LIN_NONE;
}

LLVMValueRef lin_writer_hold(writer *w, lin_block block, LLVMValueRef value) {
  lin_variables *v = w->variables;
  if (!LLVMIsAInstruction(value))
    return value;
  LLVMPositionBuilderBefore(w->builder, LLVMGetBasicBlockTerminator(w->block[block]));
  v->placeholder =
      LIN_ROOM(w->arena, v->placeholder, v->num_placeholders, &v->placeholder_capacity);
  return v->placeholder[v->num_placeholders++] = LLVMBuildFreeze(w->builder, value, "");
}
