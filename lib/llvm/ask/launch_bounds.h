// What the source says of a kernel for who launches it and for ptxas: __launch_bounds__ and
// __maxnreg__. Since LLVM 21 that is in attributes. Before, and that a function is a kernel before
// LLVM 20, it is in lines of metadata:
//
//     !nvvm.annotations = !{!0}
//     !0 = !{ptr @kernel, !"maxnreg", i32 64}
#ifndef LIN_LLVM_ASK_LAUNCH_BOUNDS_H
#define LIN_LLVM_ASK_LAUNCH_BOUNDS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

// What `!nvvm.annotations` say of `name` for `function`, 0 if nothing. O(annotations of the
// module).
uint64_t lin_ir_nvvm_annotation(LLVMValueRef function, const char *name);

// Whether the kernel's blocks or registers are bounded. O(annotations of the module).
bool lin_ir_is_bounded(LLVMValueRef function);

// Has ptxas use no more registers than that for each thread. O(1).
void lin_ir_bound_registers(LLVMValueRef function, uint32_t registers);

#endif
