#include "occupancy.h"

#include "annotations.h"

#include <llvm-c/Target.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SHARED_SPACE = 3, WARP = 32, LARGEST_BLOCK = 1024, REGISTER_STEP = 8 };

// N of the target sm_N; 0 if it isn't known.
static long target_of(LLVMValueRef function) {
  unsigned length = 0;
  const char *name = lin_ir_string_attribute(function, "target-cpu", &length);
  return length > 3 && strncmp(name, "sm_", 3) == 0 ? strtol(name + 3, NULL, 10) : 0;
}

// Shared memory of a multiprocessor, in bytes.
static uint64_t shared_of_target(LLVMValueRef function) {
  long sm = target_of(function);
  uint64_t kilobytes = sm >= 90 ? 228 : sm == 80 || sm == 87 ? 164 : sm > 80 ? 100 : 64;
  return kilobytes * 1024;
}

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
    return LARGEST_BLOCK;
  uint64_t threads = 1;
  for (char *end; *text != '\0'; text = *end == ',' ? end + 1 : end) {
    threads *= strtoull(text, &end, 10);
    if (end == text)
      return LARGEST_BLOCK;
  }
  return threads == 0 || threads > LARGEST_BLOCK ? LARGEST_BLOCK : threads;
}

uint32_t lin_ir_warps(LLVMValueRef function) {
  uint64_t shared = shared_of_function(function);
  if (shared == 0)
    return LIN_MOST_WARPS;
  uint64_t blocks = shared_of_target(function) / shared;
  uint64_t warps = (blocks == 0 ? 1 : blocks) * ((threads_of_block(function) + WARP - 1) / WARP);
  return warps < LIN_MOST_WARPS ? (uint32_t)warps : LIN_MOST_WARPS;
}

// A register file, and the most a thread can name (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability").
uint32_t lin_ir_registers(LLVMValueRef function, uint32_t warps) {
  bool is_fermi = target_of(function) / 10 == 2;
  uint64_t file = is_fermi ? 32768 : 65536, most = is_fermi ? 63 : 255;
  uint64_t registers = file / WARP / warps / REGISTER_STEP * REGISTER_STEP;
  unsigned length;
  const char *text = lin_ir_string_attribute(function, "nvvm.maxnreg", &length);
  uint64_t asked = text == NULL ? 0 : strtoull(text, NULL, 10);
  if (asked > 0 && asked < most)
    most = asked;
  return (uint32_t)(registers < most ? registers : most);
}
