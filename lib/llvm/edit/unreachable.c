#include "unreachable.h"

#include "move.h"
#include "records.h"

// [blocks of f] whether the entry reaches each.
static bool *find_reached(lin_arena *arena, const lin_graph *graph) {
  bool *reached = LIN_ARRAY(arena, bool, graph->num_blocks);
  lin_block *work = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  uint32_t num_work = 0;
  work[num_work++] = 0;
  reached[0] = true;
  while (num_work > 0) {
    lin_block block = work[--num_work];
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_block to = graph->destination[edge];
      if (!reached[to])
        work[num_work++] = to;
      reached[to] = true;
    }
  }
  return reached;
}

bool lin_ir_has_unreachable(lin_arena *arena, const lin_ir_function *f) {
  const bool *reached = find_reached(arena, f->graph);
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    if (!reached[block])
      return true;
  return false;
}

static void forget_values(LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    LLVMTypeRef type = LLVMTypeOf(at);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMTokenTypeKind)
      LLVMReplaceAllUsesWith(at, LLVMConstNull(type));
    else if (kind != LLVMVoidTypeKind)
      LLVMReplaceAllUsesWith(at, LLVMGetPoison(type));
  }
}

static void drop(lin_arena *arena, const lin_ir_function *f, const bool *reached) {
  const lin_graph *graph = f->graph;
  lin_numbers dead = {0};
  bool *entered = LIN_ARRAY(arena, bool, graph->num_blocks); // from there
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    if (reached[block])
      continue;
    lin_numbers_add(arena, &dead, f->block[block], block);
    for (LIN_OUT_EDGES(graph, block, edge))
      entered[graph->destination[edge]] = true;
  }
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if (reached[block] && entered[block])
      lin_ir_drop_incoming(arena, f->block[block], &dead);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if (!reached[block])
      forget_values(f->block[block]);
  for (lin_block block = 0; block < graph->num_blocks; block++) // they may lead to each other
    if (!reached[block])
      LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(f->block[block]));
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if (!reached[block])
      lin_ir_delete_block(f->block[block]);
}

lin_ir_function *lin_ir_drop_unreachable(lin_arena *arena, const lin_ir_function *f,
                                         const lin_ir_read_options *options) {
  const bool *reached = find_reached(arena, f->graph);
  drop(arena, f, reached);
  lin_ir_function *left = lin_ir_read(arena, f->function, options);
  lin_block next = 0;
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    if (reached[block])
      left->graph->name[next++] = f->graph->name[block];
  return left;
}
