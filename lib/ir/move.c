#include "move.h"

#include "llvm_versions.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>

const char *lin_ir_name(lin_arena *arena, LLVMValueRef value, size_t *length) {
  const char *name = LLVMGetValueName2(value, length);
  return lin_arena_text(arena, name, *length);
}

void lin_ir_replace_branch(LLVMValueRef old, LLVMValueRef made) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(old));
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  unsigned loop_kind = LLVMGetMDKindIDInContext(context, "llvm.loop", 9);
  LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(old));
  LLVMSetMetadata(made, loop_kind, LLVMGetMetadata(old, loop_kind));
  LLVMInstructionEraseFromParent(old);
}

void lin_ir_move_instruction(lin_arena *arena, LLVMBuilderRef builder, LLVMValueRef instruction) {
  size_t length;
  const char *name = lin_ir_name(arena, instruction, &length);
  LLVMInstructionRemoveFromParent(instruction);
  LLVMInsertIntoBuilderWithName(builder, instruction, name);
}

static LLVMValueRef rebuild(LLVMBuilderRef builder, LLVMValueRef phi, LLVMBasicBlockRef from,
                            LLVMBasicBlockRef to) {
  LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, phi);
  LLVMValueRef made = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
  bool moved = false;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef at = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    bool is_moved = at == from;
    at = is_moved ? to : at;
    if (at != NULL && !(is_moved && moved))
      LLVMAddIncoming(made, &value, &at, 1);
    moved |= is_moved;
  }
  return made;
}

void lin_ir_move_incoming(lin_arena *arena, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                          LLVMBasicBlockRef to) {
  LLVMValueRef function = LLVMGetBasicBlockParent(block);
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
  LLVMValueRef next, phi = LLVMGetFirstInstruction(block);
  for (; LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    size_t length;
    const char *name = lin_ir_name(arena, phi, &length);
    LLVMValueRef made = rebuild(builder, phi, from, to);
    LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(phi));
    LLVMReplaceAllUsesWith(phi, made);
    LLVMInstructionEraseFromParent(phi);
    LLVMSetValueName2(made, name, length);
  }
  LLVMDisposeBuilder(builder);
}

void lin_ir_resolve_phis(LLVMBasicBlockRef block) {
  LLVMValueRef next, at = LLVMGetFirstInstruction(block);
  for (; LLVMIsAPHINode(at) && LLVMCountIncoming(at) == 1; at = next) {
    next = LLVMGetNextInstruction(at);
    LLVMReplaceAllUsesWith(at, LLVMGetIncomingValue(at, 0));
    LLVMInstructionEraseFromParent(at);
  }
}
