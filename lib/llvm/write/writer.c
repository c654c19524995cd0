// What all parts ask of the flow and of the function.
#include "writer.h"

#include "llvm/ask/effects.h"

bool lin_writer_is_rerouted(const writer *w, lin_edge edge) {
  lin_edge original = w->flow->original_edge[edge];
  if (original == LIN_NONE)
    return true;
  lin_block destination = w->flow->plan->analysis->graph->destination[original];
  return w->graph->destination[edge] != w->flow->place[destination];
}

bool lin_writer_sets_guard(const writer *w, lin_block block) {
  for (LIN_OUT_EDGES(w->graph, block, edge))
    if (lin_writer_is_rerouted(w, edge))
      return true;
  return false;
}

bool lin_writer_returns(const writer *w, lin_block block) {
  return lin_writer_input(w, block) != LIN_NONE &&
         LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(w->block[block])) == LLVMRet;
}

bool lin_writer_keeps_return(const writer *w, lin_block block) {
  if (!lin_writer_returns(w, block))
    return false;
  lin_edge edge = w->graph->first_edge[block];
  bool in_region = lin_writer_is_rerouted(w, edge) || w->flow->leaves[edge];
  return w->block[w->graph->destination[edge]] == NULL || !in_region;
}

lin_block lin_writer_place(const writer *w, LLVMBasicBlockRef block) {
  return lin_numbers_find(&w->places, block);
}

LLVMValueRef lin_writer_mark(const writer *w, LLVMValueRef value) {
  if (LLVMIsAInstruction(value))
    LLVMSetMetadata(value, w->guard_kind, w->mark);
  return value;
}

bool lin_writer_is_branch(const writer *w, lin_edge edge) {
  lin_block from = w->graph->source[edge];
  if (lin_writer_keeps_return(w, from))
    return false;
  return !w->collapsed[from] || edge == w->graph->first_edge[from];
}

static bool is_address_step(LLVMValueRef value) {
  if (!LLVMIsAInstruction(value))
    return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return opcode == LLVMGetElementPtr || opcode == LLVMAddrSpaceCast || opcode == LLVMBitCast;
}

static bool has_constant_indices(LLVMValueRef step) {
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(step); i++)
    if (!LLVMIsAConstant(LLVMGetOperand(step, i)))
      return false;
  return true;
}

bool lin_writer_is_made_again(LLVMValueRef value) {
  if (!is_address_step(value) || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind)
    return false;
  bool constant = true;
  LLVMValueRef base = value;
  for (; is_address_step(base); base = LLVMGetOperand(base, 0))
    constant &= has_constant_indices(base);
  if (LLVMIsAConstant(base) || LLVMIsAAllocaInst(base))
    return true;
  return LLVMIsAArgument(base) && (constant || lin_ir_is_by_value(base));
}
