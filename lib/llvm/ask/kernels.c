#include "kernels.h"

#include "launch_bounds.h"

// Calling conventions of LLVM: SPIR_KERNEL, PTX_Kernel, AMDGPU_KERNEL.
bool lin_ir_is_kernel(LLVMValueRef function) {
  enum { PTX_KERNEL = 71, SPIR_KERNEL = 76, AMDGPU_KERNEL = 91 };
  unsigned convention = LLVMGetFunctionCallConv(function);
  return convention == PTX_KERNEL || convention == SPIR_KERNEL || convention == AMDGPU_KERNEL ||
         lin_ir_nvvm_annotation(function, "kernel") != 0;
}
