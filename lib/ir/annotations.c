// clang keeps annotations in an array of { function, text, file, line, arguments }:
//   @llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [...]
#include "annotations.h"

#include <string.h>

static bool is_text(LLVMValueRef global, const char *text) {
  if (LLVMIsAGlobalVariable(global) == NULL)
    return false;
  LLVMValueRef value = LLVMGetInitializer(global);
  size_t length;
  if (value == NULL || !LLVMIsConstantString(value))
    return false;
  const char *bytes = LLVMGetAsString(value, &length); // the NUL is one of them
  return length == strlen(text) + 1 && memcmp(bytes, text, length) == 0;
}

bool lin_ir_is_annotated(LLVMValueRef function, const char *text) {
  LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  if (LLVMGetStringAttributeAtIndex(function, at, text, (unsigned)strlen(text)) != NULL)
    return true;
  LLVMValueRef all = LLVMGetNamedGlobal(LLVMGetGlobalParent(function), "llvm.global.annotations");
  LLVMValueRef list = all == NULL ? NULL : LLVMGetInitializer(all);
  for (int i = 0; list != NULL && i < LLVMGetNumOperands(list); i++) {
    LLVMValueRef entry = LLVMGetOperand(list, (unsigned)i);
    if (LLVMGetNumOperands(entry) >= 2 && LLVMGetOperand(entry, 0) == function &&
        is_text(LLVMGetOperand(entry, 1), text))
      return true;
  }
  return false;
}
