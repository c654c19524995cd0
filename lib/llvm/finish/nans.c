#include "nans.h"

#include "graph/graph.h"
#include "llvm/ask/numbers.h"

#include <llvm-c/DebugInfo.h>

#include <stdbool.h>
#include <string.h>

// Clang's attribute, which says it of all that the function computes.
static const char no_nans[] = "no-nans-fp-math";

// A select between conditions is part of one.
static bool is_for_one_select(LLVMValueRef comparison) {
  LLVMUseRef use = LLVMGetFirstUse(comparison);
  if (use == NULL || LLVMGetNextUse(use) != NULL || !LLVMIsASelectInst(LLVMGetUser(use)))
    return false;
  LLVMValueRef select = LLVMGetUser(use);
  return LLVMGetOperand(select, 0) == comparison && LLVMTypeOf(select) != LLVMTypeOf(comparison);
}

static bool is_wrong_for_nans(LLVMValueRef at) {
  return LLVMIsAFCmpInst(at) && (LLVMGetFastMathFlags(at) & LLVMFastMathNoNaNs) != 0 &&
         !is_for_one_select(at);
}

// LLVM's C interface sets flags, but takes none off: another comparison stands in its place.
// Returns that, or a constant.
static LLVMValueRef replace(lin_arena *arena, LLVMBuilderRef builder, LLVMValueRef comparison) {
  size_t length;
  const char *name = LLVMGetValueName2(comparison, &length);
  name = lin_arena_text(arena, name, length);
  LLVMPositionBuilderBefore(builder, comparison);
  LLVMValueRef same =
      LLVMBuildFCmp(builder, LLVMGetFCmpPredicate(comparison), LLVMGetOperand(comparison, 0),
                    LLVMGetOperand(comparison, 1), "");
  LLVMReplaceAllUsesWith(comparison, same);
  if (LLVMIsAInstruction(same)) {
    LLVMSetFastMathFlags(same, LLVMGetFastMathFlags(comparison) & ~(unsigned)LLVMFastMathNoNaNs);
    LLVMInstructionSetDebugLoc(same, LLVMInstructionGetDebugLoc(comparison));
    LLVMSetValueName2(comparison, "", 0);
    LLVMSetValueName2(same, name, length);
  }
  return same;
}

void lin_ir_compare_nans(lin_arena *arena, LLVMValueRef function, LLVMValueRef *const *held,
                         size_t num_held) {
  LLVMRemoveStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   no_nans, strlen(no_nans));
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
  LLVMValueRef *old = NULL, *now = NULL;
  lin_numbers replaced = {0};
  uint32_t count = 0, capacity = 0, same_capacity = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (is_wrong_for_nans(at)) {
        old = LIN_ROOM(arena, old, count, &capacity);
        now = LIN_ROOM(arena, now, count, &same_capacity);
        old[count] = at;
        now[count] = replace(arena, builder, at);
        lin_numbers_add(arena, &replaced, at, count++);
      }
  for (size_t i = 0; i < num_held; i++) {
    uint32_t number = lin_numbers_find(&replaced, *held[i]);
    if (now != NULL && number < count)
      *held[i] = LLVMIsAInstruction(now[number]) ? now[number] : LLVMGetNextInstruction(*held[i]);
  }
  while (count > 0)
    LLVMInstructionEraseFromParent(old[--count]);
  LLVMDisposeBuilder(builder);
}
