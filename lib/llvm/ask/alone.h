// Whether the threads of a kernel could do each other's work: whether all that a thread knows of
// itself is its index, and none knows what others do, or did before it.
//
//     i = blockIdx * blockDim + threadIdx  │ i = D[...]      any permutation D of all threads
//     if (i < n) out[i] = f(in[i])         │ if (i < n) out[i] = f(in[i])
//
// It would be another program if threads met at a barrier, in shared memory or in a warp operation,
// asked where they run (laneid, clock), waited for each other, or if it showed who came first at an
// atomic operation. Threads that know of each other in no such way have no order, whatever D is:
// who writes what another one reads has a race as it is.
#ifndef LIN_LLVM_ASK_ALONE_H
#define LIN_LLVM_ASK_ALONE_H

#include "gpu/nvptx.h"

#include "graph/arena.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

typedef struct lin_ir_alone {
  bool is_alone;
  bool is_line;       // nobody asks for y or z: threads of a launch of one dimension have x alone
  char why[160];      // not: a clause
  LLVMValueRef where; // and the instruction
} lin_ir_alone;

// A kernel, with all that it calls. Expected O(instructions).
lin_ir_alone lin_ir_find_alone(lin_arena *arena, LLVMValueRef kernel);

// Whether a register (lin_ir_register_read), or NULL, is of the thread's index: of tid or ctaid.
// O(1).
bool lin_ir_is_of_index(const lin_nvptx *read);

#endif
