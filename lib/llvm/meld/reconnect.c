// Edges into what is melded, and into what stays.
#include "state.h"

#include "merge.h"
#include "llvm/ask/questions.h"
#include "llvm/edit/move.h"
#include "llvm/edit/records.h"

void lin_ir_meld_add_edge(melder *m, edge e) {
  LLVMBasicBlockRef to = e.to[0] != NULL ? e.to[0] : e.to[1];
  e.next = lin_ir_meld_push(m->arena, &m->targets, to, m->num_edges);
  m->edges = LIN_ROOM(m->arena, m->edges, m->num_edges, &m->edge_capacity);
  m->edges[m->num_edges++] = e;
}

// Edges of blocks that stay go to what is melded.
static void enter_melded(melder *m, lin_block block, uint32_t arm) {
  LLVMBasicBlockRef old = lin_ir_meld_block(m, block);
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(old)); use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
      continue;
    LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
    if (lin_numbers_find(&m->gone, from) != LIN_NONE)
      continue;
    edge e = {.from = from};
    e.to[arm] = old;
    e.last[arm] = from;
    lin_ir_meld_add_edge(m, e);
    lin_ir_set_use(use, LLVMBasicBlockAsValue(m->first[block]));
  }
}

// What comes by an edge; for threads of both arms it is chosen at its end.
static LLVMValueRef value_on_edge(melder *m, const edge *e, const LLVMValueRef old[2],
                                  LLVMTypeRef type) {
  LLVMValueRef value[2];
  for (uint32_t arm = 0; arm < 2; arm++)
    value[arm] = e->to[arm] == NULL || old[arm] == NULL ? LLVMGetPoison(type)
                                                        : lin_ir_incoming(old[arm], e->last[arm]);
  if (LLVMIsPoison(value[0]) || LLVMIsPoison(value[1]))
    return value[LLVMIsPoison(value[0]) ? 1 : 0];
  m->repeats = false;
  LLVMPositionBuilderBefore(m->builder, LLVMGetBasicBlockTerminator(e->from));
  return lin_ir_meld_choose(m, e->from, value[0], value[1]);
}

static void add_incoming(melder *m, LLVMValueRef phi, const LLVMValueRef old[2],
                         LLVMBasicBlockRef to) {
  for (uint32_t i = lin_ir_meld_newest(&m->targets, to); i != LIN_NONE; i = m->edges[i].next) {
    LLVMValueRef value = value_on_edge(m, &m->edges[i], old, LLVMTypeOf(phi));
    LLVMAddIncoming(phi, &value, &m->edges[i].from, 1);
  }
}

static void fill_melded(melder *m) {
  for (uint32_t i = 0; i < m->num_phis; i++) {
    const phi_pair *pair = &m->phis[i];
    for (uint32_t arm = 0; arm < 2; arm++)
      add_incoming(m, pair->made, pair->old, lin_ir_meld_block(m, pair->twins[arm]));
  }
}

// Phis of a block that stays, to which melded ones lead.
static void fill_staying(melder *m, LLVMBasicBlockRef block) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi) != NULL;
       phi = LLVMGetNextInstruction(phi)) {
    unsigned count = LLVMCountIncoming(phi), num_gone = 0;
    LLVMBasicBlockRef *gone = LIN_ARRAY(m->arena, LLVMBasicBlockRef, count);
    for (unsigned i = 0; i < count; i++)
      if (lin_numbers_find(&m->gone, LLVMGetIncomingBlock(phi, i)) != LIN_NONE)
        gone[num_gone++] = LLVMGetIncomingBlock(phi, i);
    add_incoming(m, phi, (LLVMValueRef[2]){phi, phi}, block);
    for (unsigned i = 0; i < num_gone; i++)
      lin_ir_remove_incoming(phi, gone[i]);
  }
}

static void erase_instructions(LLVMBasicBlockRef block) {
  LLVMValueRef at;
  while ((at = LLVMGetLastInstruction(block)) != NULL) {
    if (LLVMGetFirstUse(at) != NULL)
      LLVMReplaceAllUsesWith(at, LLVMGetPoison(LLVMTypeOf(at)));
    LLVMInstructionEraseFromParent(at);
  }
}

void lin_ir_meld_reconnect(melder *m) {
  uint32_t staying = (uint32_t)m->targets.number.count;
  LLVMBasicBlockRef *target = LIN_ARRAY(m->arena, LLVMBasicBlockRef, staying);
  for (uint32_t i = 0; i < m->num_edges; i++) {
    LLVMBasicBlockRef to = m->edges[i].to[m->edges[i].to[0] != NULL ? 0 : 1];
    target[lin_numbers_find(&m->targets.number, to)] = to;
  }
  for (uint32_t i = 0; i < staying; i++)
    if (lin_numbers_find(&m->gone, target[i]) == LIN_NONE)
      fill_staying(m, target[i]);
  uint32_t count = m->arms->count[0] + m->arms->count[1];
  for (uint32_t i = 0; i < count; i++)
    if (lin_ir_meld_is_melded(m, m->arms->block[i]))
      enter_melded(m, m->arms->block[i], i < m->arms->count[0] ? 0 : 1);
  fill_melded(m);
  for (uint32_t i = 0; i < count; i++)
    if (lin_ir_meld_is_melded(m, m->arms->block[i]))
      erase_instructions(lin_ir_meld_block(m, m->arms->block[i]));
  for (uint32_t i = 0; i < count; i++)
    if (lin_ir_meld_is_melded(m, m->arms->block[i]))
      lin_ir_delete_block(lin_ir_meld_block(m, m->arms->block[i]));
}
