// The counter of a loop that threads now leave early goes through the guard that they leave by, as
// it was for those that leave and a step further for the others:
//
//       h: %i = phi [0, %p], [%j, %l]              h: %i = phi [0, %p], [%k, %l]
//          br %leave, %l, %b                          %k = add %i, 1
//       b: %k = add %i, 1                             br %leave, %l, %b
//          br %l                                   b: br %l
//       l: %j = phi [%i, %h], [%k, %b]             l: %stay = phi [false, %h], [true, %b]
//          %stay = phi [false, %h], [true, %b]        br %stay, %h, %exit
//          br %stay, %h, %exit
//
// Only those that stay read it. So the step may be taken above the guard, by all threads: to LLVM
// (scalar evolution, and with it strength reduction) the loop is one that counts, and a register
// and a move go.
#include "writer.h"

static bool is_phi_of(LLVMValueRef value, LLVMBasicBlockRef block) {
  return LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == block;
}

// The operand of `phi` on the way of operand `i` of `other`, in the same block: mostly it is the
// same one.
static LLVMValueRef incoming_beside(LLVMValueRef phi, LLVMValueRef other, unsigned i) {
  LLVMBasicBlockRef from = LLVMGetIncomingBlock(other, i);
  return LLVMGetIncomingBlock(phi, i) == from ? LLVMGetIncomingValue(phi, i)
                                              : lin_ir_incoming(phi, from);
}

// What the phi `next` of a latch is for all threads that go around, those for which `condition` is
// `stays`, or NULL if it is several things.
static LLVMValueRef value_around(LLVMValueRef next, LLVMValueRef condition, bool stays) {
  LLVMValueRef only = NULL;
  for (unsigned i = 0; i < LLVMCountIncoming(next); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(next, i);
    if (value == only || lin_ir_is_flag(incoming_beside(condition, next, i), !stays))
      continue;
    if (only != NULL)
      return NULL;
    only = value;
  }
  return only;
}

static bool is_known_at_end(const writer *w, LLVMValueRef value, lin_block block) {
  if (!LLVMIsAInstruction(value))
    return true;
  lin_block definition = lin_writer_place(w, LLVMGetInstructionParent(value));
  return definition != LIN_NONE && lin_tree_contains(w->flow->dominators, definition, block);
}

// True if `step` is known at the end of `block`, or was moved there.
static bool move_up(const writer *w, LLVMValueRef step, lin_block block) {
  if (is_known_at_end(w, step, block))
    return true;
  if (LLVMIsAPHINode(step) || !lin_ir_is_cheap(step))
    return false;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(step); i++)
    if (!is_known_at_end(w, LLVMGetOperand(step, i), block))
      return false;
  LLVMInstructionRemoveFromParent(step);
  LLVMPositionBuilderBefore(w->builder, LLVMGetBasicBlockTerminator(w->block[block]));
  LLVMInsertIntoBuilderWithName(w->builder, step, LLVMGetValueName(step));
  return true;
}

static void straighten(const writer *w, lin_block latch, lin_block header) {
  LLVMBasicBlockRef block = w->block[latch];
  LLVMValueRef condition = lin_ir_condition(block);
  if (latch == header || condition == NULL || !is_phi_of(condition, block))
    return;
  bool stays = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), 0) == w->block[header];
  for (LLVMValueRef phi = LLVMGetFirstInstruction(w->block[header]); LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi)) {
    LLVMValueRef next = lin_ir_incoming(phi, block);
    if (!is_phi_of(next, block) || next == condition || lin_ir_only_reader(next) == NULL)
      continue;
    LLVMValueRef step = value_around(next, condition, stays);
    if (step == NULL || !move_up(w, step, w->flow->dominators->parent[latch]))
      continue;
    LLVMReplaceAllUsesWith(next, step);
    LLVMInstructionEraseFromParent(next);
  }
}

void lin_writer_straighten_latches(const writer *w) {
  for (lin_edge edge = 0; edge < w->graph->num_edges; edge++)
    if (lin_loop_around(w->flow->loops, w->graph, edge) != 0)
      straighten(w, w->graph->source[edge], w->graph->destination[edge]);
}
