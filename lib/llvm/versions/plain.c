#include "plain.h"

#include "counts/description.h"
#include "llvm/ask/kernels.h"
#include "llvm/edit/clone.h"

#include <string.h>

static void copy(LLVMValueRef kernel) {
  lin_arena arena = {0};
  size_t length;
  const char *name = LLVMGetValueName2(kernel, &length);
  char *text = lin_arena_bytes(&arena, length + sizeof LIN_COUNT_PLAIN_SUFFIX);
  memcpy(text, name, length);
  memcpy(text + length, LIN_COUNT_PLAIN_SUFFIX, sizeof LIN_COUNT_PLAIN_SUFFIX);
  if (LLVMGetNamedFunction(LLVMGetGlobalParent(kernel), text) == NULL)
    lin_ir_clone(kernel, text);
  lin_arena_release(&arena);
}

// Copies come last, so that the last function of before is the end.
void lin_ir_keep_plain(LLVMModuleRef module) {
  LLVMValueRef last = LLVMGetLastFunction(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL;
       f = f == last ? NULL : LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && lin_ir_is_kernel(f))
      copy(f);
}
