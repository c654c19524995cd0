// What a lane has: slots, and the prologue that sets them.
#include "state.h"

#include "llvm/ask/names.h"
#include "llvm/ask/questions.h"
#include "llvm/ask/versions.h"
#include "llvm/edit/move.h"
#include "llvm/regroup/carry.h"

#include <string.h>

static LLVMValueRef keep_slot(lin_ir_refiller *r, LLVMValueRef slot) {
  r->slot = LIN_ROOM(r->arena, r->slot, r->num_slots, &r->slot_room);
  r->slot[r->num_slots++] = slot;
  return slot;
}

static LLVMValueRef new_slot(lin_ir_refiller *r, LLVMTypeRef type, const char *name) {
  return keep_slot(r, lin_ir_new_slot(&r->e, type, name));
}

// ---- the prologue ------------------------------------------------------------------------------

static void move_slots(const lin_ir_refiller *r) {
  lin_ir_go_on(&r->e, r->prologue);
  for (LLVMValueRef at = LLVMGetFirstInstruction(r->entry), next; at != NULL; at = next) {
    next = LLVMGetNextInstruction(at);
    if (LLVMIsAAllocaInst(at) != NULL)
      lin_ir_move_instruction(r->arena, r->e.builder, at);
  }
}

// Known from the launch alone, and done by anybody at any time.
static bool is_for_all(const lin_ir_refiller *r, LLVMValueRef at) {
  const lin_nvptx *read = lin_ir_register_read(at);
  if (!lin_ir_is_cheap(at) && (read == NULL || read->gives != LIN_GIVES_LAUNCH))
    return false;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++) {
    LLVMValueRef operand = LLVMGetOperand(at, i);
    if (LLVMIsAInstruction(operand) != NULL && LLVMGetInstructionParent(operand) != r->prologue)
      return false;
  }
  return true;
}

// Else each lane would carry it.
static void hoist(const lin_ir_refiller *r) {
  const lin_order *order = lin_order_build(r->arena, r->f->graph);
  lin_ir_go_on(&r->e, r->prologue);
  for (lin_block b = 0; b < order->graph->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(r->f, order, b)), next; at != NULL;
         at = next) {
      next = LLVMGetNextInstruction(at);
      if (is_for_all(r, at))
        lin_ir_move_instruction(r->arena, r->e.builder, at);
    }
}

static LLVMValueRef count_items(const lin_ir_refiller *r) {
  LLVMValueRef items = NULL;
  for (int axis = 0; axis < 3; axis++) {
    LLVMValueRef threads = lin_ir_multiply(&r->e, lin_ir_special(&r->e, LIN_NVPTX_NTID, axis),
                                           lin_ir_special(&r->e, LIN_NVPTX_NCTAID, axis));
    items = items == NULL ? threads : lin_ir_multiply(&r->e, items, threads);
  }
  return items;
}

void lin_ir_refill_begin(lin_ir_refiller *r) {
  const lin_ir_emitter *e = &r->e;
  r->entry = LLVMGetEntryBasicBlock(e->function);
  r->prologue = LLVMInsertBasicBlockInContext(e->context, r->entry, "linearize.prologue");
  move_slots(r);
  keep_slot(r, r->item);
  r->busy = new_slot(r, e->flag, "linearize.busy");
  r->exit = new_slot(r, e->word, "linearize.exit");
  r->round = new_slot(r, e->word, "linearize.round");
  r->more = new_slot(r, e->flag, "linearize.more");
  r->base = new_slot(r, e->word, "linearize.base");
  hoist(r);
  lin_ir_go_on(e, r->prologue);
  r->items = count_items(r);
  r->members = lin_ir_ballot(e, lin_ir_word(e, UINT32_MAX), LLVMConstInt(e->flag, 1, false));
}

// ---- values ------------------------------------------------------------------------------------

static bool leaves_block(LLVMValueRef value) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) != NULL &&
        (LLVMIsAPHINode(user) != NULL || LLVMGetInstructionParent(user) != block))
      return true;
  }
  return false;
}

static void demote_values(lin_ir_refiller *r) {
  lin_ir_state state = {.num_carried = 0};
  uint32_t room = 0;
  for (lin_block b = 0; b < r->f->graph->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(r->f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      if (!leaves_block(at))
        continue;
      state.carried = LIN_ROOM(r->arena, state.carried, state.num_carried, &room);
      state.carried[state.num_carried++] = at;
    }
  const lin_ir_carry carry = lin_ir_carry_values(r->arena, &r->e, &state);
  for (uint32_t i = 0; i < state.num_carried; i++)
    keep_slot(r, carry.slot[i]);
}

// No phi reads another one: what it reads of a block is loaded there.
static void demote_phi(lin_ir_refiller *r, LLVMValueRef phi) {
  LLVMBuilderRef builder = r->e.builder;
  LLVMValueRef slot = new_slot(r, LLVMTypeOf(phi), ""), behind = phi;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
    LLVMBuildStore(builder, LLVMGetIncomingValue(phi, i), slot);
  }
  while (LLVMIsAPHINode(behind) != NULL)
    behind = LLVMGetNextInstruction(behind);
  LLVMPositionBuilderBefore(builder, behind);
  LLVMReplaceAllUsesWith(phi, LLVMBuildLoad2(builder, LLVMTypeOf(phi), slot, ""));
  LLVMInstructionEraseFromParent(phi);
}

static void demote_phis(lin_ir_refiller *r) {
  for (lin_block b = 0; b < r->f->graph->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(r->f->block[b]), next;
         LLVMIsAPHINode(at) != NULL; at = next) {
      next = LLVMGetNextInstruction(at);
      demote_phi(r, at);
    }
}

// A slot that no item has set yet is zero: of two phis of `look` that are undefined, ptxas could
// take one for the other (llvm/finish/undefined.h).
static void clear_slots(const lin_ir_refiller *r) {
  lin_ir_go_on(&r->e, r->prologue);
  for (uint32_t i = 0; i < r->num_slots; i++)
    LLVMBuildStore(r->e.builder, LLVMConstNull(LLVMGetAllocatedType(r->slot[i])), r->slot[i]);
}

void lin_ir_refill_demote(lin_ir_refiller *r) {
  demote_values(r);
  demote_phis(r);
  clear_slots(r);
  LLVMBuildStore(r->e.builder, LLVMConstInt(r->e.flag, 1, false), r->more);
}
