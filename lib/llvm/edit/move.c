#include "move.h"

#include "graph/graph.h"
#include "llvm/ask/versions.h"

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
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
  LLVMInstructionRemoveFromParent(instruction);
  LLVMInsertIntoBuilderWithName(builder, instruction, name);
  LLVMInstructionSetDebugLoc(instruction, location); // not the builder's
}

// Where who came from a block comes from now, by one edge; NULL: nobody comes from there any more.
typedef struct detour {
  LLVMBasicBlockRef from, to; // or
  const lin_numbers *gone;    // these, if it isn't NULL
} detour;

static bool is_redirected(const detour *d, LLVMBasicBlockRef from) {
  return d->gone != NULL ? lin_numbers_find(d->gone, from) != LIN_NONE : from == d->from;
}

static LLVMValueRef rebuild(LLVMBuilderRef builder, LLVMValueRef phi, const detour *d) {
  LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, phi);
  LLVMValueRef made = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
  bool moved = false;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef at = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    bool is_moved = is_redirected(d, at);
    at = is_moved ? d->to : at;
    if (at != NULL && !(is_moved && moved))
      LLVMAddIncoming(made, &value, &at, 1);
    moved |= is_moved;
  }
  if (LLVMCanValueUseFastMathFlags(phi))
    LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(phi));
  LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(phi));
  return made;
}

static void rebuild_phis(lin_arena *arena, LLVMBasicBlockRef block, const detour *d) {
  LLVMValueRef function = LLVMGetBasicBlockParent(block);
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
  LLVMValueRef next, phi = LLVMGetFirstInstruction(block);
  for (; LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    size_t length;
    const char *name = lin_ir_name(arena, phi, &length);
    LLVMValueRef made = rebuild(builder, phi, d);
    LLVMReplaceAllUsesWith(phi, made);
    LLVMInstructionEraseFromParent(phi);
    LLVMSetValueName2(made, name, length);
  }
  LLVMDisposeBuilder(builder);
}

void lin_ir_move_incoming(lin_arena *arena, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                          LLVMBasicBlockRef to) {
  detour d = {.from = from, .to = to};
  rebuild_phis(arena, block, &d);
}

void lin_ir_drop_incoming(lin_arena *arena, LLVMBasicBlockRef block, const lin_numbers *blocks) {
  detour d = {.gone = blocks};
  rebuild_phis(arena, block, &d);
}

void lin_ir_resolve_phis(LLVMBasicBlockRef block) {
  LLVMValueRef next, at = LLVMGetFirstInstruction(block);
  for (; LLVMIsAPHINode(at) && LLVMCountIncoming(at) == 1; at = next) {
    next = LLVMGetNextInstruction(at);
    LLVMReplaceAllUsesWith(at, LLVMGetIncomingValue(at, 0));
    LLVMInstructionEraseFromParent(at);
  }
}
