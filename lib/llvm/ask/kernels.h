// Which functions are kernels.
#ifndef LIN_LLVM_ASK_KERNELS_H
#define LIN_LLVM_ASK_KERNELS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Whether the host may launch `function`: by its calling convention, or, before LLVM 20, by
// `!nvvm.annotations`. O(annotations of the module).
bool lin_ir_is_kernel(LLVMValueRef function);

#endif
