#include "names.h"

#include <string.h>

bool lin_ir_begins_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

const char *lin_ir_called_name(LLVMValueRef instruction) {
  size_t length;
  if (LLVMIsACallInst(instruction) == NULL ||
      LLVMIsAFunction(LLVMGetCalledValue(instruction)) == NULL)
    return "";
  return LLVMGetValueName2(LLVMGetCalledValue(instruction), &length);
}

const lin_nvptx *lin_ir_register_read(LLVMValueRef instruction) {
  return lin_nvptx_register_read(lin_ir_called_name(instruction));
}

const lin_nvptx *lin_ir_intrinsic(LLVMValueRef instruction) {
  return lin_nvptx_intrinsic(lin_ir_called_name(instruction));
}
