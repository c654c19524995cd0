#include "occupancy.h"

#include "annotations.h"
#include "target.h"

#include <llvm-c/Target.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SHARED_SPACE = 3 };

// Uses by constant expressions are of the functions that use those.
static bool is_used_in(LLVMValueRef value, LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) != NULL) {
      if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
        return true;
    } else if (LLVMIsAConstantExpr(user) != NULL) {
      for (LLVMUseRef at = LLVMGetFirstUse(user); at != NULL; at = LLVMGetNextUse(at)) {
        LLVMValueRef instruction = LLVMGetUser(at);
        if (LLVMIsAInstruction(instruction) != NULL &&
            LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)) == function)
          return true;
      }
    }
  }
  return false;
}

static uint64_t shared_of_function(LLVMValueRef function) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  uint64_t bytes = 0;
  for (LLVMValueRef global = LLVMGetFirstGlobal(module); global != NULL;
       global = LLVMGetNextGlobal(global))
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == SHARED_SPACE &&
        is_used_in(global, function))
      bytes += LLVMABISizeOfType(layout, LLVMGlobalGetValueType(global));
  return bytes;
}

// Launch bounds: "128" or "16,8,1".
static uint64_t threads_of_block(LLVMValueRef function) {
  unsigned length;
  const char *text = lin_ir_string_attribute(function, "nvvm.reqntid", &length);
  if (text == NULL)
    text = lin_ir_string_attribute(function, "nvvm.maxntid", &length);
  if (text == NULL)
    return LIN_LARGEST_BLOCK;
  uint64_t threads = 1;
  for (char *end; *text != '\0'; text = *end == ',' ? end + 1 : end) {
    threads *= strtoull(text, &end, 10);
    if (end == text)
      return LIN_LARGEST_BLOCK;
  }
  return threads == 0 || threads > LIN_LARGEST_BLOCK ? LIN_LARGEST_BLOCK : threads;
}

uint32_t lin_ir_warps(LLVMValueRef function) {
  uint64_t shared = shared_of_function(function);
  if (shared == 0)
    return LIN_MOST_WARPS;
  uint64_t blocks = lin_ir_target(function)->shared / shared;
  uint64_t warps =
      (blocks == 0 ? 1 : blocks) * ((threads_of_block(function) + LIN_WARP - 1) / LIN_WARP);
  return warps < LIN_MOST_WARPS ? (uint32_t)warps : LIN_MOST_WARPS;
}

uint32_t lin_ir_registers(LLVMValueRef function, uint32_t warps) {
  const lin_target *target = lin_ir_target(function);
  uint64_t most = target->thread_registers;
  uint64_t registers = target->registers / LIN_WARP / warps / LIN_REGISTER_STEP * LIN_REGISTER_STEP;
  unsigned length;
  const char *text = lin_ir_string_attribute(function, "nvvm.maxnreg", &length);
  uint64_t asked = text == NULL ? 0 : strtoull(text, NULL, 10);
  if (asked > 0 && asked < most)
    most = asked;
  return (uint32_t)(registers < most ? registers : most);
}
