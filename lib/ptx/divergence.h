// At which branches the threads of a warp may part, by data flow over registers.
//
// What differs from thread to thread: %tid, %laneid and the like, what atomics, shuffles, calls and
// generic or local loads give; then whatever is computed from that; and, where a branch parts
// threads, each register that is set at two places, or in a loop. More may be taken to differ than
// does, and never less.
//
// Uniform: parameters of kernels, constants, %ctaid, %ntid, loads of global, shared and constant
// memory at uniform addresses, as LLVM's uniformity analysis has it; and a branch with .uni, which
// is what its author says.
#ifndef LIN_PTX_DIVERGENCE_H
#define LIN_PTX_DIVERGENCE_H

#include "read.h"

// Sets LIN_UNIFORM on the blocks of the function's graph at whose branches threads don't part.
// O(accesses + edges).
void lin_ptx_find_uniform(lin_ptx_function *f);

#endif
