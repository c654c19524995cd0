// A kernel's plain form beside what becomes of it, for thread blocks of other sizes than those that
// it is made for:
//
//     entry                     threads of the block == 128?
//       │               ==>       │no               │yes
//     kernel                    plain form       kernel, regrouped
//
// LLVM's C API copies no functions, so this is C++.
#ifndef LIN_LLVM_REGROUP_BESIDE_H
#define LIN_LLVM_REGROUP_BESIDE_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

// A copy of a kernel, which nobody calls, at the end of its module. O(instructions).
LLVMValueRef lin_ir_copy_plain(LLVMValueRef kernel);

// Removes it again. O(instructions).
void lin_ir_drop_plain(LLVMValueRef plain);

// Has the kernel go to the code of `plain`, which is no function any longer, unless `condition`,
// the last that is computed in its first block. That is a new block then, which has the kernel's
// variables and leads nowhere. O(instructions).
void lin_ir_put_beside(LLVMValueRef kernel, LLVMValueRef plain, LLVMBasicBlockRef first,
                       LLVMValueRef condition);

#ifdef __cplusplus
}
#endif

#endif
