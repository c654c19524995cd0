// The phis of a variable that is set at the ends of blocks and read where the flow needs it
// (linearize/phis.h).
#include "writer.h"

#include <llvm-c/DebugInfo.h>

static void position_at_top(writer *w, lin_block block) {
  LLVMValueRef first = LLVMGetFirstInstruction(w->block[block]);
  if (first == NULL)
    LLVMPositionBuilderAtEnd(w->builder, w->block[block]);
  else // in front of the debug records that stand before it, too
    LLVMPositionBuilderBeforeInstrAndDbgRecords(w->builder, first);
}

LLVMValueRef lin_writer_value_at(const writer *w, const lin_ir_variable *chosen, lin_point point) {
  lin_source source = lin_phis_at(w->values, point);
  if (source.kind == LIN_FROM_PHI)
    return w->phi[source.block];
  if (source.kind == LIN_FROM_NOWHERE)
    return chosen->otherwise != NULL ? chosen->otherwise : LLVMGetPoison(chosen->type);
  uint32_t low = 0, high = chosen->num_sets;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (chosen->set[middle] <= source.block)
      low = middle;
    else
      high = middle;
  }
  return chosen->value[low];
}

void lin_writer_add_incoming(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef block) {
  LLVMAddIncoming(phi, &value, &block, 1);
}

void lin_writer_inherit(const writer *w, LLVMValueRef from, LLVMValueRef to) {
  size_t length;
  const char *name = LLVMGetValueName2(from, &length);
  name = lin_arena_text(w->arena, name, length);
  LLVMSetValueName2(from, "", 0);
  LLVMSetValueName2(to, name, length);
  LLVMInstructionSetDebugLoc(to, LLVMInstructionGetDebugLoc(from));
  if (LLVMCanValueUseFastMathFlags(from))
    LLVMSetFastMathFlags(to, LLVMGetFastMathFlags(from));
}

void lin_writer_rebuild_phi(writer *w, LLVMValueRef phi, LLVMBasicBlockRef from,
                            LLVMBasicBlockRef too, LLVMBasicBlockRef now, LLVMValueRef value) {
  bool others = false;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    others |= LLVMGetIncomingBlock(phi, i) != from && LLVMGetIncomingBlock(phi, i) != too;
  if (!others) {
    LLVMReplaceAllUsesWith(phi, value);
    LLVMInstructionEraseFromParent(phi);
    return;
  }
  LLVMPositionBuilderBeforeInstrAndDbgRecords(w->builder, phi);
  LLVMValueRef result = LLVMBuildPhi(w->builder, LLVMTypeOf(phi), "");
  lin_writer_inherit(w, phi, result);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef at = LLVMGetIncomingBlock(phi, i);
    if (at != from && at != too)
      lin_writer_add_incoming(result, LLVMGetIncomingValue(phi, i), at);
  }
  lin_writer_add_incoming(result, value, now);
  LLVMReplaceAllUsesWith(phi, result);
  LLVMInstructionEraseFromParent(phi);
}

// True if an edge from one block to another needs what the first one's end says of a variable. The
// edges between them begin at in_edge[first].
static bool matters(const writer *w, const lin_ir_variable *chosen, uint32_t first, lin_block to) {
  lin_block from = w->graph->source[w->graph->in_edge[first]];
  if (!chosen->is_guard || w->flow->original[from] == LIN_NONE)
    return true;
  for (uint32_t i = first; i < w->graph->first_in[to + 1]; i++) {
    lin_edge edge = w->graph->in_edge[i];
    if (w->graph->source[edge] != from)
      return false;
    if (lin_guard_matters(w->uses, w->flow, edge, chosen->guard))
      return true;
  }
  return false;
}

static void add_entries(const writer *w, const lin_ir_variable *chosen, LLVMValueRef phi,
                        lin_block place) {
  LLVMValueRef value = NULL;
  lin_block last = LIN_NONE; // edges from one block stand together
  for (LIN_IN_EDGES(w->graph, place, in)) {
    lin_edge edge = w->graph->in_edge[in];
    lin_block from = w->graph->source[edge];
    if (!lin_writer_is_branch(w, edge))
      continue;
    if (from != last)
      value = matters(w, chosen, in, place)
                  ? lin_writer_value_at(w, chosen, (lin_point){from, true})
                  : LLVMGetPoison(chosen->type);
    last = from;
    lin_writer_add_incoming(phi, value, w->block[from]);
  }
}

void lin_writer_build(writer *w, const lin_ir_variable *chosen) {
  lin_variable variable = {.num_sets = chosen->num_sets,
                           .set = chosen->set,
                           .num_reads = chosen->num_reads,
                           .read = chosen->read,
                           .num_carried = chosen->carried.count,
                           .carried = chosen->carried.block,
                           .is_guard = chosen->is_guard};
  const lin_block *blocks;
  uint32_t count = lin_phis_place(w->values, &variable, &blocks);
  for (uint32_t i = 0; i < count; i++) {
    position_at_top(w, blocks[i]);
    w->phi[blocks[i]] = LLVMBuildPhi(w->builder, chosen->type, chosen->name);
  }
  for (uint32_t i = 0; i < count; i++)
    add_entries(w, chosen, w->phi[blocks[i]], blocks[i]);
}
