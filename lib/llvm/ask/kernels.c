#include "kernels.h"

#include <stdlib.h>
#include <string.h>

// Before LLVM 20: !nvvm.annotations has {function, "kernel", 1}.
static bool is_annotated(LLVMValueRef function) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  unsigned count = LLVMGetNamedMetadataNumOperands(module, "nvvm.annotations");
  LLVMValueRef *line = calloc(count + 1, sizeof(LLVMValueRef));
  bool found = false;
  if (line == NULL)
    abort();
  LLVMGetNamedMetadataOperands(module, "nvvm.annotations", line);
  for (unsigned i = 0; i < count && !found; i++) {
    LLVMValueRef part[3];
    unsigned length = 0;
    if (LLVMGetMDNodeNumOperands(line[i]) != 3)
      continue;
    LLVMGetMDNodeOperands(line[i], part);
    const char *text = part[0] == function ? LLVMGetMDString(part[1], &length) : NULL;
    found = text != NULL && length == 6 && strncmp(text, "kernel", 6) == 0;
  }
  free(line);
  return found;
}

// Calling conventions of LLVM: SPIR_KERNEL, PTX_Kernel, AMDGPU_KERNEL.
bool lin_ir_is_kernel(LLVMValueRef function) {
  enum { PTX_KERNEL = 71, SPIR_KERNEL = 76, AMDGPU_KERNEL = 91 };
  unsigned convention = LLVMGetFunctionCallConv(function);
  return convention == PTX_KERNEL || convention == SPIR_KERNEL || convention == AMDGPU_KERNEL ||
         is_annotated(function);
}
