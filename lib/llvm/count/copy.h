// Functions with one more parameter, the last one. LLVM's C API copies no functions, so this is
// C++.
#ifndef LIN_LLVM_COUNT_COPY_H
#define LIN_LLVM_COUNT_COPY_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

// A copy of a definition without variable arguments, for its module alone, in which whoever calls
// it may write memory. Its blocks are in the same order. O(instructions).
LLVMValueRef lin_ir_copy_function(LLVMValueRef function, LLVMTypeRef parameter);

// Has a call call `copy`, of what it calls, with the argument `last`. The call is replaced.
// O(arguments + uses).
void lin_ir_call_copy(LLVMValueRef call, LLVMValueRef copy, LLVMValueRef last);

#ifdef __cplusplus
}
#endif

#endif
