#include "registers.h"

#include "llvm/ask/annotations.h"
#include "llvm/ask/calls.h"
#include "llvm/ask/effects.h"
#include "llvm/ask/names.h"

#include <stdio.h>
#include <string.h>

static bool is_known(LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  return LLVMIsAInlineAsm(called) != NULL || LLVMGetIntrinsicID(called) != 0 ||
         lin_ir_called_by(call) != NULL || lin_ir_is_of_runtime(lin_ir_called_name(call));
}

static bool calls_known_alone(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (LLVMIsACallInst(at) != NULL && !is_known(at))
        return false;
  return true;
}

// Whether all that is called from the kernel stands in this module, or is of CUDA's runtime.
static bool is_whole(LLVMValueRef kernel) {
  lin_arena arena = {0};
  const lin_ir_called called = lin_ir_find_called(&arena, kernel);
  bool whole = true;
  for (uint32_t i = 0; i < called.count && whole; i++)
    whole = calls_known_alone(called.function[i]);
  lin_arena_release(&arena);
  return whole;
}

void lin_ir_limit_registers(LLVMValueRef function, uint32_t limit) {
  static const char name[] = "nvvm.maxnreg";
  static const char *const of_source[] = {name, "nvvm.minctasm", "nvvm.maxntid", "nvvm.reqntid"};
  unsigned length;
  for (unsigned i = 0; i < sizeof of_source / sizeof *of_source; i++)
    if (lin_ir_string_attribute(function, of_source[i], &length) != NULL)
      return;
  if (!is_whole(function))
    return;
  char text[16];
  snprintf(text, sizeof text, "%u", limit);
  LLVMAddAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(LLVMGetModuleContext(LLVMGetGlobalParent(function)), name,
                                sizeof name - 1, text, (unsigned)strlen(text)));
}
