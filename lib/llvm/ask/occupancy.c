#include "occupancy.h"

#include "annotations.h"
#include "launch_bounds.h"
#include "spaces.h"
#include "target.h"

#include <llvm-c/Target.h>

#include <stdlib.h>
#include <string.h>

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

static bool is_shared(LLVMValueRef global, LLVMValueRef function) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == LIN_IR_SHARED &&
         is_used_in(global, function);
}

static uint64_t size_of(LLVMValueRef global) {
  LLVMModuleRef module = LLVMGetGlobalParent(global);
  return LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGlobalGetValueType(global));
}

uint64_t lin_ir_shared(LLVMValueRef function) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  uint64_t bytes = 0;
  for (LLVMValueRef global = LLVMGetFirstGlobal(module); global != NULL;
       global = LLVMGetNextGlobal(global))
    if (is_shared(global, function))
      bytes += size_of(global);
  return bytes;
}

bool lin_ir_has_dynamic_shared(LLVMValueRef function) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  for (LLVMValueRef global = LLVMGetFirstGlobal(module); global != NULL;
       global = LLVMGetNextGlobal(global))
    if (is_shared(global, function) && LLVMGetInitializer(global) == NULL && size_of(global) == 0)
      return true;
  return false;
}

// Launch bounds: "128" or "16,8,1".
static uint32_t product(const char *text) {
  uint64_t threads = 1;
  for (char *end; *text != '\0'; text = *end == ',' ? end + 1 : end) {
    threads *= strtoull(text, &end, 10);
    if (end == text)
      return 0;
  }
  return threads > LIN_LARGEST_BLOCK ? 0 : (uint32_t)threads;
}

uint32_t lin_ir_block_threads(LLVMValueRef function, bool *exact) {
  unsigned length;
  const char *text = lin_ir_string_attribute(function, "nvvm.reqntid", &length);
  *exact = text != NULL && product(text) != 0;
  if (text == NULL)
    text = lin_ir_string_attribute(function, "nvvm.maxntid", &length);
  return text == NULL ? 0 : product(text);
}

uint32_t lin_ir_warps(LLVMValueRef function) {
  uint64_t shared = lin_ir_shared(function);
  bool exact;
  if (shared == 0)
    return LIN_MOST_WARPS;
  uint64_t blocks = lin_ir_target(function)->shared / shared;
  uint64_t threads = lin_ir_block_threads(function, &exact);
  threads = threads == 0 ? LIN_LARGEST_BLOCK : threads;
  uint64_t warps = (blocks == 0 ? 1 : blocks) * ((threads + LIN_WARP - 1) / LIN_WARP);
  return warps < LIN_MOST_WARPS ? (uint32_t)warps : LIN_MOST_WARPS;
}

uint32_t lin_ir_registers(LLVMValueRef function, uint32_t warps) {
  const lin_target *target = lin_ir_target(function);
  uint64_t most = target->thread_registers;
  uint64_t registers = target->registers / LIN_WARP / warps / LIN_REGISTER_STEP * LIN_REGISTER_STEP;
  unsigned length;
  const char *text = lin_ir_string_attribute(function, "nvvm.maxnreg", &length);
  uint64_t asked =
      text == NULL ? lin_ir_nvvm_annotation(function, "maxnreg") : strtoull(text, NULL, 10);
  if (asked > 0 && asked < most)
    most = asked;
  return (uint32_t)(registers < most ? registers : most);
}
