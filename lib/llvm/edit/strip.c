// An inner loop goes around at most so many times, in a loop that is made around it.
#include "loops.h"
#include "move.h"

#include <llvm-c/DebugInfo.h>

typedef struct strip {
  lin_arena *arena;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMBasicBlockRef header, end; // of the inner loop; its last block
  LLVMBasicBlockRef entry, exit; // M and X
} strip;

// A phi of M for one of the header's: what comes into the loop from outside, and what the last
// iteration of a strip leaves.
static void split_phi(strip *s, LLVMValueRef phi) {
  LLVMTypeRef type = LLVMTypeOf(phi);
  LLVMPositionBuilderAtEnd(s->builder, s->entry);
  LLVMValueRef outer = LLVMBuildPhi(s->builder, type, "");
  LLVMPositionBuilderBeforeInstrAndDbgRecords(s->builder, phi);
  LLVMValueRef inner = LLVMBuildPhi(s->builder, type, "");
  LLVMAddIncoming(inner, &outer, &s->entry, 1);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (from == s->end) {
      LLVMAddIncoming(inner, &value, &from, 1);
      LLVMAddIncoming(outer, &value, &s->exit, 1);
    } else {
      LLVMAddIncoming(outer, &value, &from, 1);
    }
  }
  LLVMReplaceAllUsesWith(phi, inner);
  LLVMInstructionEraseFromParent(phi);
}

static void split_phis(strip *s) {
  LLVMValueRef at = LLVMGetFirstInstruction(s->header);
  while (LLVMIsAPHINode(at)) {
    LLVMValueRef next = LLVMGetNextInstruction(at);
    split_phi(s, at);
    at = next;
  }
}

// All edges into the header from outside lead to M.
static void enter(const strip *s) {
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(s->header)); use != NULL;
       use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) && LLVMGetInstructionParent(user) != s->end)
      lin_ir_set_use(use, LLVMBasicBlockAsValue(s->entry));
  }
}

// Replaces the branch of the end: it goes on in the strip, or to X, which goes on with the next one
// or leaves.
static void split_branch(strip *s, LLVMValueRef old, uint32_t length) {
  LLVMTypeRef integer = LLVMInt32TypeInContext(s->context);
  LLVMPositionBuilderBeforeInstrAndDbgRecords(s->builder, LLVMGetFirstInstruction(s->header));
  LLVMValueRef count = LLVMBuildPhi(s->builder, integer, "");
  bool stays_if_true = LLVMGetSuccessor(old, 0) == s->header;
  LLVMBasicBlockRef behind = LLVMGetSuccessor(old, stays_if_true ? 1 : 0);
  LLVMValueRef condition = LLVMGetCondition(old);
  LLVMPositionBuilderBefore(s->builder, old);
  LLVMValueRef next = LLVMBuildAdd(s->builder, count, LLVMConstInt(integer, 1, false), "");
  LLVMValueRef limit = LLVMConstInt(integer, length, false);
  LLVMTypeRef truth = LLVMInt1TypeInContext(s->context);
  LLVMValueRef stays,
      short_of = LLVMBuildICmp(s->builder, stays_if_true ? LLVMIntNE : LLVMIntEQ, next, limit, "");
  if (stays_if_true)
    stays = LLVMBuildSelect(s->builder, condition, short_of, LLVMConstNull(truth), "");
  else
    stays = LLVMBuildSelect(s->builder, condition, LLVMConstAllOnes(truth), short_of, "");
  LLVMValueRef in_strip = LLVMBuildCondBr(s->builder, stays, stays_if_true ? s->header : s->exit,
                                          stays_if_true ? s->exit : s->header);
  LLVMInstructionSetDebugLoc(in_strip, LLVMInstructionGetDebugLoc(old));
  LLVMPositionBuilderAtEnd(s->builder, s->exit);
  LLVMValueRef goes_on = LLVMBuildCondBr(s->builder, condition, stays_if_true ? s->entry : behind,
                                         stays_if_true ? behind : s->entry);
  LLVMInstructionSetDebugLoc(goes_on, LLVMInstructionGetDebugLoc(old));
  LLVMInstructionEraseFromParent(old);
  LLVMValueRef first = LLVMConstNull(integer);
  LLVMAddIncoming(count, &first, &s->entry, 1);
  LLVMAddIncoming(count, &next, &s->end, 1);
  lin_ir_move_incoming(s->arena, behind, s->end, s->exit);
}

void lin_ir_strip(lin_arena *arena, const lin_ir_function *f, const lin_edit *edit,
                  LLVMBasicBlockRef made[2]) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
  strip s = {.arena = arena,
             .context = context,
             .builder = LLVMCreateBuilderInContext(context),
             .header = f->block[edit->block],
             .end = f->block[edit->to]};
  s.entry = LLVMInsertBasicBlockInContext(context, s.header, "linearize.strip");
  s.exit = LLVMAppendBasicBlockInContext(context, f->function, "linearize.strip.end");
  LLVMMoveBasicBlockAfter(s.exit, s.end);
  enter(&s);
  split_phis(&s);
  LLVMPositionBuilderAtEnd(s.builder, s.entry);
  LLVMValueRef old = LLVMGetBasicBlockTerminator(s.end);
  LLVMInstructionSetDebugLoc(LLVMBuildBr(s.builder, s.header), LLVMInstructionGetDebugLoc(old));
  split_branch(&s, old, edit->length);
  LLVMDisposeBuilder(s.builder);
  made[0] = s.entry;
  made[1] = s.exit;
}
