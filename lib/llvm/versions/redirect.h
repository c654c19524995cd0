// A kernel whose threads do each other's work (seed 003, section 3.1: reference redirection).
//
//     walk(in, out)                       walk__linearize_redirected(in, out, order)
//       i = blockIdx.x * blockDim.x         i = order[blockIdx.x * blockDim.x
//         + threadIdx.x                             + threadIdx.x]
//       ... threadIdx.x ...                 ... i % blockDim.x ...
//
// `order` has an element for each thread of the launch, in the order of blocks and of threads in
// them; it is a permutation. Where the index is used in that form alone, as in most kernels, one
// load is all that it costs; else a division for each of blockIdx and threadIdx, and four more if
// there are y and z.
#ifndef LIN_LLVM_VERSIONS_REDIRECT_H
#define LIN_LLVM_VERSIONS_REDIRECT_H

#include "graph/arena.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

// A copy of a kernel with one more parameter, the last one: a pointer to global memory. `is_line`:
// it is launched in one dimension alone. The kernel has to be as lin_ir_find_alone wants it
// (llvm/ask/alone.h). O(instructions + annotations of the module).
LLVMValueRef lin_ir_redirect(lin_arena *arena, LLVMValueRef kernel, const char *name, bool is_line);

#endif
