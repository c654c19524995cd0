// Loads that both arms of a branch end with become one behind it, of the address that a thread's
// arm has chosen: one instruction for a whole warp, instead of one for each part of it.
//
//     a: %x = load %p       b: %y = load %q            a: ...            b: ...
//                                               ==>
//     J: phi [%x, %a], [poison, %b]                    J: %r = phi [%p, %a], [%q, %b]
//        phi [poison, %a], [%y, %b]                       %v = load %r
//
// Each thread loads what it loaded before, when it did.
#include "writer.h"
#include "llvm/ask/effects.h"

#include <llvm-c/DebugInfo.h>

// Whether nothing after `load` in its block may write.
static bool may_sink(LLVMValueRef load) {
  for (LLVMValueRef at = LLVMGetNextInstruction(load); at != NULL; at = LLVMGetNextInstruction(at))
    if (LLVMIsAStoreInst(at) != NULL || LLVMIsACallInst(at) != NULL ||
        LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL ||
        LLVMIsAFenceInst(at) != NULL)
      return false;
  return true;
}

// Whether all that uses `load` are phis of `join` that hold it and, on the other side, nothing.
static bool is_for_join(LLVMValueRef load, LLVMBasicBlockRef join) {
  for (LLVMUseRef use = LLVMGetFirstUse(load); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) != join)
      return false;
    for (unsigned i = 0; i < LLVMCountIncoming(user); i++)
      if (LLVMGetIncomingValue(user, i) != load && !LLVMIsPoison(LLVMGetIncomingValue(user, i)))
        return false;
  }
  return LLVMGetFirstUse(load) != NULL;
}

static bool may_meld(LLVMValueRef at, LLVMBasicBlockRef join) {
  return lin_ir_is_plain_load(at) && may_sink(at) && is_for_join(at, join);
}

// The first load of `block` that may be melded with `other`, or NULL.
static LLVMValueRef find_partner(LLVMBasicBlockRef block, LLVMBasicBlockRef join,
                                 LLVMValueRef other) {
  LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(other, 0));
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at))
    if (may_meld(at, join) && LLVMTypeOf(at) == LLVMTypeOf(other) &&
        LLVMTypeOf(LLVMGetOperand(at, 0)) == pointer)
      return at;
  return NULL;
}

static LLVMValueRef after_phis(LLVMBasicBlockRef block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(at))
    at = LLVMGetNextInstruction(at);
  return at;
}

static void replace_phis(LLVMValueRef load, LLVMValueRef melded) {
  while (LLVMGetFirstUse(load) != NULL) {
    LLVMValueRef phi = LLVMGetUser(LLVMGetFirstUse(load));
    LLVMReplaceAllUsesWith(phi, melded);
    LLVMInstructionEraseFromParent(phi);
  }
  LLVMInstructionEraseFromParent(load);
}

// `place` is where the next melded load goes, behind those of before.
static void meld(writer *w, LLVMBasicBlockRef join, LLVMValueRef place, LLVMValueRef *loads) {
  LLVMValueRef address[2] = {LLVMGetOperand(loads[0], 0), LLVMGetOperand(loads[1], 0)};
  LLVMBasicBlockRef from[2] = {LLVMGetInstructionParent(loads[0]),
                               LLVMGetInstructionParent(loads[1])};
  unsigned alignment[2] = {LLVMGetAlignment(loads[0]), LLVMGetAlignment(loads[1])};
  LLVMPositionBuilderBeforeInstrAndDbgRecords(w->builder, LLVMGetFirstInstruction(join));
  LLVMValueRef chosen = LLVMBuildPhi(w->builder, LLVMTypeOf(address[0]), "");
  LLVMAddIncoming(chosen, address, from, 2);
  LLVMPositionBuilderBefore(w->builder, place);
  LLVMSetCurrentDebugLocation2(w->builder, w->nowhere);
  LLVMValueRef melded = LLVMBuildLoad2(w->builder, LLVMTypeOf(loads[0]), chosen, "");
  LLVMSetCurrentDebugLocation2(w->builder, NULL);
  LLVMSetAlignment(melded, alignment[0] < alignment[1] ? alignment[0] : alignment[1]);
  replace_phis(loads[0], melded);
  replace_phis(loads[1], melded);
}

static void meld_arms(writer *w, LLVMBasicBlockRef join, const LLVMBasicBlockRef *arm) {
  LLVMValueRef place = after_phis(join);
  for (LLVMValueRef at = LLVMGetFirstInstruction(arm[0]), next; at != NULL; at = next) {
    next = LLVMGetNextInstruction(at);
    LLVMValueRef loads[2] = {at, NULL};
    if (may_meld(at, join))
      loads[1] = find_partner(arm[1], join, at);
    if (loads[1] != NULL)
      meld(w, join, place, loads);
  }
}

void lin_writer_meld_loads(writer *w) {
  for (lin_block block = 1; block < w->graph->num_blocks; block++) {
    if (w->flow->node[block] == LIN_NONE || lin_in_degree(w->graph, block) != 2)
      continue;
    LLVMBasicBlockRef arm[2] = {NULL, NULL};
    unsigned plain = 0;
    for (LIN_IN_EDGES(w->graph, block, i)) {
      lin_block from = w->graph->source[w->graph->in_edge[i]];
      plain += lin_out_degree(w->graph, from) == 1;
      arm[w->graph->first_in[block] == i ? 0 : 1] = w->block[from];
    }
    if (plain == 2)
      meld_arms(w, w->block[block], arm);
  }
}
