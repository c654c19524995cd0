// A kernel whose lanes take the next item of the launch when they are done with one
// (llvm/refill/refill.h).
#ifndef LIN_LLVM_VERSIONS_REFILLED_H
#define LIN_LLVM_VERSIONS_REFILLED_H

#include "graph/arena.h"
#include "llvm/refill/refill.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

// A copy of a kernel with one more parameter, the last one, `counter`: a pointer to global memory.
// O(instructions + annotations of the module).
LLVMValueRef lin_ir_copy_for_refill(LLVMValueRef kernel, const char *name);

// Has that copy take items. The kernel has to be as lin_ir_find_alone and lin_ir_refuse_refill want
// it; it is launched in one dimension if `is_line`. As lin_ir_refill, but for how->item, which is
// made here. O(instructions and their uses).
const char *lin_ir_take_items(lin_arena *arena, LLVMValueRef copy, bool is_line,
                              lin_ir_refilling *how);

#endif
