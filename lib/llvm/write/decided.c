// Guards that say again what a branch has decided. Where the arms of a branch meet, a flag that is
// one constant behind one arm and the other constant behind the other arm is the branch's
// condition:
//
//     D: br %c, %a, %b                       J: br %c, ...
//     J: %next = phi [true, %a1], [false, %b1]
//        br %next, ...
#include "writer.h"

// On which side of `branch`, that ends `above`, an edge from `from` to the block `to` comes;
// 2: neither.
static unsigned side_of(const writer *w, LLVMValueRef branch, lin_block above, lin_block from,
                        lin_block to) {
  for (unsigned side = 0; side < 2; side++) {
    lin_block arm = lin_writer_place(w, LLVMGetSuccessor(branch, side));
    bool on_way = from == above ? arm == to
                                : lin_in_degree(w->graph, arm) == 1 &&
                                      lin_tree_contains(w->flow->dominators, arm, from);
    if (on_way)
      return side;
  }
  return 2;
}

// The value of `phi` on either side of `branch`, which ends `above`, NULL where it is poison.
// Returns false if it is more than that.
static bool find_sides(const writer *w, LLVMValueRef phi, lin_block block, LLVMValueRef branch,
                       lin_block above, LLVMValueRef *on_side) {
  on_side[0] = on_side[1] = NULL;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (LLVMIsPoison(value))
      continue;
    lin_block from = lin_writer_place(w, LLVMGetIncomingBlock(phi, i));
    unsigned side = from == LIN_NONE ? 2 : side_of(w, branch, above, from, block);
    if (LLVMIsAConstantInt(value) == NULL || side == 2 ||
        (on_side[side] != NULL && on_side[side] != value))
      return false;
    on_side[side] = value;
  }
  return on_side[0] != NULL && on_side[1] != NULL && on_side[0] != on_side[1];
}

void lin_writer_reuse_conditions(writer *w) {
  for (lin_block block = 1; block < w->graph->num_blocks; block++) {
    lin_block above = w->flow->dominators->parent[block];
    if (w->flow->node[block] == LIN_NONE || w->block[block] == NULL || w->block[above] == NULL)
      continue;
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(w->block[above]);
    LLVMValueRef asked = lin_ir_condition(w->block[above]);
    if (asked == NULL || LLVMGetSuccessor(terminator, 0) == LLVMGetSuccessor(terminator, 1))
      continue;
    LLVMValueRef phi = LLVMGetFirstInstruction(w->block[block]);
    for (LLVMValueRef next; LLVMIsAPHINode(phi); phi = next) {
      LLVMValueRef on_side[2];
      next = LLVMGetNextInstruction(phi);
      if (LLVMTypeOf(phi) != w->flag_type || !find_sides(w, phi, block, terminator, above, on_side))
        continue;
      LLVMValueRef condition = asked;
      LLVMPositionBuilderBefore(w->builder, terminator);
      if (LLVMIsNull(on_side[0]))
        condition = lin_writer_mark(w, LLVMBuildNot(w->builder, condition, ""));
      LLVMReplaceAllUsesWith(phi, condition);
      LLVMInstructionEraseFromParent(phi);
    }
  }
}
