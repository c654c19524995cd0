// A value keeps its definition; what changes is which blocks it dominates. A use that it no longer
// dominates reads the variable that the definition sets: through the phis of the joins between,
// with poison where the value doesn't exist. No thread that reads it comes that way.
//
// An address made from an alloca, a global or a parameter is made again at the use instead: a phi
// of such addresses would hide from the back end what they point into, and make it copy a whole
// parameter to local memory.
//
// Values are visited last to first, so that what a copied address needs is repaired after it.
#include "writer.h"

#include <assert.h>
#include <string.h>

// A use to repair: operand number `operand` of `user`, which reads the value at `point`.
typedef struct broken_use {
  LLVMValueRef user;
  unsigned operand;
  lin_point point;
} broken_use;

typedef struct broken_uses {
  broken_use *use;
  uint32_t count, capacity;
} broken_uses;

static void add_use(writer *w, broken_uses *uses, broken_use use) {
  uses->use = LIN_ROOM(w->arena, uses->use, uses->count, &uses->capacity);
  uses->use[uses->count++] = use;
}

// A phi reads its operands at the ends of the blocks that they come from.
static lin_block place_of_use(const writer *w, LLVMValueRef user, unsigned operand) {
  if (LLVMIsAPHINode(user))
    return lin_writer_place(w, LLVMGetIncomingBlock(user, operand));
  return lin_writer_place(w, LLVMGetInstructionParent(user));
}

static bool is_broken(const writer *w, lin_block definition, lin_block place) {
  return place != LIN_NONE && !lin_tree_contains(w->flow->dominators, definition, place);
}

static void find_broken_uses(writer *w, LLVMValueRef value, lin_block definition,
                             broken_uses *uses) {
  uses->count = 0;
  for (LLVMUseRef at = LLVMGetFirstUse(value); at != NULL; at = LLVMGetNextUse(at)) {
    LLVMValueRef user = LLVMGetUser(at);
    if (!LLVMIsAPHINode(user) &&
        !is_broken(w, definition, lin_writer_place(w, LLVMGetInstructionParent(user))))
      continue; // most uses; without looking for the operand
    unsigned operand = lin_ir_operand(at);
    lin_block place = place_of_use(w, user, operand);
    if (is_broken(w, definition, place))
      add_use(w, uses, (broken_use){user, operand, {place, LLVMIsAPHINode(user) != NULL}});
  }
}

// ---- addresses

static void make_again(writer *w, LLVMValueRef value, const broken_uses *uses) {
  for (uint32_t i = 0; i < uses->count; i++) {
    const broken_use *use = &uses->use[i];
    LLVMValueRef copy = NULL;
    for (uint32_t j = 0; j < i && use->point.at_end && copy == NULL; j++)
      if (uses->use[j].user == use->user && uses->use[j].point.block == use->point.block)
        copy = LLVMGetOperand(use->user, uses->use[j].operand); // a phi: one value for each block
    if (copy == NULL) {
      LLVMValueRef before =
          use->point.at_end ? LLVMGetBasicBlockTerminator(w->block[use->point.block]) : use->user;
      copy = LLVMInstructionClone(value);
      LLVMPositionBuilderBefore(w->builder, before);
      LLVMInsertIntoBuilder(w->builder, copy);
    }
    LLVMSetOperand(use->user, use->operand, copy);
  }
}

// ---- lifetimes

static bool is_lifetime_marker(LLVMValueRef user) {
  LLVMValueRef called = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
  if (called == NULL || !LLVMIsAFunction(called))
    return false;
  size_t length;
  const char *prefix = "llvm.lifetime.";
  return strncmp(LLVMGetValueName2(called, &length), prefix, strlen(prefix)) == 0;
}

// A lifetime marker names its alloca directly. Where one no longer can, all of the alloca's go: it
// lives from its definition on.
static void drop_broken_markers(writer *w, LLVMValueRef alloca, lin_block definition) {
  bool broken = false;
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    broken |= is_lifetime_marker(user) &&
              is_broken(w, definition, lin_writer_place(w, LLVMGetInstructionParent(user)));
  }
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); broken && use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    if (is_lifetime_marker(LLVMGetUser(use)))
      LLVMInstructionEraseFromParent(LLVMGetUser(use));
  }
}

// ---- other values

static void pass_through_phis(writer *w, LLVMValueRef value, lin_block definition,
                              const broken_uses *uses) {
  lin_point *read = LIN_ARRAY(w->arena, lin_point, uses->count);
  for (uint32_t i = 0; i < uses->count; i++)
    read[i] = uses->use[i].point;
  lin_ir_variable chosen = {.type = LLVMTypeOf(value),
                            .num_sets = 1,
                            .set = &definition,
                            .value = &value,
                            .num_reads = uses->count,
                            .read = read,
                            .carried = w->carry->value[w->flow->original[definition]],
                            .name = ""};
  lin_writer_build(w, &chosen);
  for (uint32_t i = 0; i < uses->count; i++) {
    assert(lin_phis_at(w->values, read[i]).kind != LIN_FROM_NOWHERE);
    LLVMSetOperand(uses->use[i].user, uses->use[i].operand,
                   lin_writer_value_at(w, &chosen, read[i]));
  }
}

void lin_writer_repair(writer *w) {
  broken_uses uses = {0};
  for (lin_block block = w->graph->num_blocks; block-- > 0;) {
    if (lin_writer_input(w, block) == LIN_NONE)
      continue;
    LLVMValueRef before;
    for (LLVMValueRef at = LLVMGetLastInstruction(w->block[block]); at != NULL; at = before) {
      before = LLVMGetPreviousInstruction(at);
      if (lin_writer_is_variable(w, at))
        continue;
      if (LLVMIsAAllocaInst(at))
        drop_broken_markers(w, at, block);
      find_broken_uses(w, at, block, &uses);
      if (uses.count == 0)
        continue;
      if (lin_writer_is_made_again(at))
        make_again(w, at, &uses);
      else
        pass_through_phis(w, at, block, &uses);
    }
  }
}
