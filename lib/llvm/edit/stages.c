#include "stages.h"

#include "move.h"
#include "llvm/read/answers.h"

static void enter(const lin_ir_function *f, lin_block block, LLVMBasicBlockRef head) {
  const lin_graph *graph = f->graph;
  for (LIN_IN_EDGES(graph, block, i)) {
    lin_edge edge = graph->in_edge[i];
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(f->block[graph->source[edge]]);
    LLVMSetSuccessor(branch, edge - graph->first_edge[graph->source[edge]], head);
  }
}

// What comes before the cut, and before those in front of it in the block that aren't made: the
// last `length` instructions up to it.
static void move_first(lin_arena *arena, LLVMBuilderRef builder, const lin_front *front,
                       const lin_edit *edit) {
  uint32_t place = edit->place, left = edit->length - lin_ir_place(front, place)->num_first;
  while (left > 0)
    left -= lin_ir_place(front, --place)->num_first;
  for (; place <= edit->place; place++) {
    const lin_ir_cut *cut = lin_ir_place(front, place);
    for (uint32_t i = 0; i < cut->num_first; i++)
      lin_ir_move_instruction(arena, builder, cut->first[i]);
  }
}

LLVMBasicBlockRef lin_ir_cut_block(lin_arena *arena, const lin_ir_function *f,
                                   const lin_front *front, const lin_edit *edit,
                                   LLVMBasicBlockRef before) {
  LLVMBasicBlockRef block = f->block[edit->block];
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(context, block, "linearize.stage");
  LLVMPositionBuilderAtEnd(builder, head);
  while (LLVMIsAPHINode(LLVMGetFirstInstruction(block)))
    lin_ir_move_instruction(arena, builder, LLVMGetFirstInstruction(block));
  move_first(arena, builder, front, edit);
  if (before != NULL)
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(before), 0, head);
  else
    enter(f, edit->block, head);
  LLVMBuildBr(builder, block);
  LLVMDisposeBuilder(builder);
  return head;
}
