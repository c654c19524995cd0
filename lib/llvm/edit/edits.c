// 1. Make each edit, in order.
// 2. Blocks that only lead to each other become one, where exits have become free.
#include "edits.h"

#include "copy.h"
#include "loops.h"
#include "move.h"
#include "records.h"
#include "stages.h"
#include "vote.h"
#include "llvm/ask/questions.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct editor {
  lin_arena *arena;
  const lin_ir_function *f;
  const lin_result *result;
  LLVMContextRef context;
  lin_numbers number;       // of LLVM's blocks in the order
  LLVMBasicBlockRef *block; // [blocks of the edited graph] NULL: not made
} editor;

static LLVMBasicBlockRef block_of(const editor *e, lin_block block) {
  return block == LIN_NONE ? NULL : e->block[block];
}

// ---- copies

static void erase_unused(LLVMBasicBlockRef block) {
  LLVMValueRef before, at = LLVMGetLastInstruction(block);
  for (at = LLVMGetPreviousInstruction(at); at != NULL; at = before) {
    before = LLVMGetPreviousInstruction(at);
    if (LLVMGetFirstUse(at) == NULL && (LLVMIsAPHINode(at) || lin_ir_is_cheap(at)))
      LLVMInstructionEraseFromParent(at);
  }
}

// What a condition is if one of its operands is a constant: true and c, false or c, true ? c : d.
static LLVMValueRef simplified(LLVMValueRef condition) {
  LLVMOpcode opcode =
      LLVMIsAInstruction(condition) ? LLVMGetInstructionOpcode(condition) : LLVMUnreachable;
  for (unsigned i = 0; i < 2 && (opcode == LLVMAnd || opcode == LLVMOr); i++)
    if (lin_ir_is_flag(LLVMGetOperand(condition, i), opcode == LLVMAnd))
      return LLVMGetOperand(condition, 1 - i);
  for (unsigned i = 0; i < 2 && opcode == LLVMSelect; i++)
    if (lin_ir_is_flag(LLVMGetOperand(condition, 0), i == 0))
      return LLVMGetOperand(condition, 1 + i);
  return condition;
}

static void simplify_condition(LLVMBasicBlockRef block) {
  LLVMValueRef condition = lin_ir_condition(block);
  LLVMValueRef simpler = condition == NULL ? NULL : simplified(condition);
  if (simpler == condition)
    return;
  LLVMReplaceAllUsesWith(condition, simpler);
  LLVMInstructionEraseFromParent(condition);
}

// The block goes on to `only`, without a test.
static void drop_test(const editor *e, LLVMBasicBlockRef block, LLVMBasicBlockRef only) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(e->context);
  LLVMValueRef test = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(test); i++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(test, i);
    lin_ir_move_incoming(e->arena, to, block, to == only ? block : NULL);
  }
  LLVMPositionBuilderBefore(builder, test);
  lin_ir_replace_branch(test, LLVMBuildBr(builder, only));
  LLVMDisposeBuilder(builder);
}

static bool leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(from);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
    if (LLVMGetSuccessor(terminator, i) == to)
      return true;
  return false;
}

// The blocks whose edges go to the copy, but those that an edit before has led elsewhere.
static lin_numbers find_sources(const editor *e, const lin_edit *edit) {
  lin_numbers found = {0};
  for (uint32_t i = 0; i < edit->count; i++) {
    LLVMBasicBlockRef from = block_of(e, edit->from[i]);
    if (from != NULL && leads_to(from, block_of(e, edit->block)))
      lin_numbers_add(e->arena, &found, from, i);
  }
  return found;
}

static LLVMBasicBlockRef copy_block(const editor *e, const lin_edit *edit) {
  lin_numbers from = find_sources(e, edit);
  if (from.count == 0)
    return NULL;
  bool is_exit = edit->to != LIN_NONE;
  lin_ir_copying copying = {
      .block = block_of(e, edit->block),
      .loop = {&e->number, e->result->shape.analysis->loops, edit->loop},
      .from = &from,
      .only = block_of(e, edit->to),
      .exit = block_of(e, edit->exit),
      .name = is_exit ? "linearize.exit" : "linearize.entry",
  };
  LLVMBasicBlockRef made = lin_ir_copy_block(e->arena, &copying);
  if (!is_exit)
    return made;
  lin_ir_resolve_phis(made);
  erase_unused(made);
  if (edit->rest != LIN_NONE)
    drop_test(e, copying.block, block_of(e, edit->rest));
  else // what is known of how often it goes which way is of before
    LLVMSetMetadata(LLVMGetBasicBlockTerminator(copying.block),
                    LLVMGetMDKindIDInContext(e->context, "prof", 4), NULL);
  lin_ir_resolve_phis(copying.block);
  simplify_condition(copying.block);
  return made;
}

// A block and the only one before it that goes nowhere else become one.
static void unite_with_entry(LLVMBasicBlockRef block) {
  LLVMBasicBlockRef entry = lin_ir_only_entry(block);
  LLVMValueRef branch = entry == NULL ? NULL : LLVMGetBasicBlockTerminator(entry);
  if (branch == NULL || LLVMGetNumSuccessors(branch) != 1 || !LLVMIsABranchInst(branch) ||
      entry == block)
    return;
  lin_ir_resolve_phis(block);
  LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(entry)); // phis
  lin_ir_append_block(entry, block);
  lin_ir_delete_block(block);
}

// Blocks behind copies first, so that each becomes one with what stands before it then.
static void unite_blocks(const editor *e, const lin_edits *edits) {
  lin_numbers tested = {0};
  for (uint32_t i = 0; i < edits->count; i++)
    lin_numbers_add(e->arena, &tested, block_of(e, edits->edit[i].block), i);
  for (uint32_t i = 0; i < edits->count; i++) {
    LLVMBasicBlockRef block = block_of(e, edits->edit[i].block);
    LLVMBasicBlockRef next = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), 0);
    if (lin_numbers_find(&tested, next) == LIN_NONE) // else its turn comes
      unite_with_entry(next);
  }
  for (uint32_t i = 0; i < edits->count; i++)
    unite_with_entry(block_of(e, edits->edit[i].block));
}

// ---- all

static bool frees_exits(const lin_edits *edits) {
  return edits->count > 0 && edits->edit[0].kind == LIN_EDIT_COPY && edits->edit[0].to != LIN_NONE;
}

// How each block ends.
static LLVMValueRef *find_ends(const editor *e, uint32_t count) {
  LLVMValueRef *end = LIN_ARRAY(e->arena, LLVMValueRef, count);
  for (lin_block block = 0; block < count; block++)
    if (e->block[block] != NULL)
      end[block] = LLVMGetBasicBlockTerminator(e->block[block]);
  return end;
}

LLVMValueRef *lin_ir_apply(lin_arena *arena, const lin_ir_function *f, const lin_front *front,
                           const lin_result *result, const lin_edits *edits) {
  uint32_t count = f->graph->num_blocks;
  for (uint32_t i = 0; i < edits->count; i++)
    count += lin_edit_adds(&edits->edit[i]);
  editor e = {.arena = arena,
              .f = f,
              .result = result,
              .context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function)),
              .number = lin_ir_number_blocks(arena, f, result->shape.order),
              .block = LIN_ARRAY(arena, LLVMBasicBlockRef, count)};
  memcpy(e.block, f->block, f->graph->num_blocks * sizeof(LLVMBasicBlockRef));
  LLVMBasicBlockRef *made = e.block + f->graph->num_blocks, head = NULL;
  for (uint32_t i = 0; i < edits->count; i++) {
    const lin_edit *edit = &edits->edit[i];
    switch (edit->kind) {
    case LIN_EDIT_COPY:
      made[0] = copy_block(&e, edit);
      break;
    case LIN_EDIT_FOLD:
      made[0] = lin_ir_fold_tests(arena, f, edit, e.block);
      break;
    case LIN_EDIT_STRIP:
      lin_ir_strip(arena, f, edit, made);
      break;
    case LIN_EDIT_CUT:
      head = i > 0 && edits->edit[i - 1].block == edit->block ? head : NULL;
      if (edit->length > 0) // else nothing stands before the cut
        made[0] = head = lin_ir_cut_block(arena, f, front, edit, head);
      break;
    case LIN_EDIT_VOTE:
      lin_ir_vote(arena, f, edit, e.block, made);
      break;
    }
    made += lin_edit_adds(edit);
  }
  LLVMValueRef *end = find_ends(&e, count);
  if (frees_exits(edits))
    unite_blocks(&e, edits);
  return end;
}

lin_block *lin_ir_match(lin_arena *arena, const lin_ir_function *f, const LLVMValueRef *end,
                        uint32_t count) {
  lin_numbers number = {0};
  lin_block *was = LIN_ARRAY(arena, lin_block, f->graph->num_blocks);
  for (lin_block block = 0; block < count; block++)
    if (end[block] != NULL)
      lin_numbers_add(arena, &number, end[block], block);
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    was[block] = lin_numbers_find(&number, LLVMGetBasicBlockTerminator(f->block[block]));
  return was;
}
