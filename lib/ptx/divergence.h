// At which branches the threads of a warp may part, by data flow over registers.
//
// What differs from thread to thread: %tid, %laneid and the like, what atomics, shuffles, calls and
// generic or local loads give; then whatever is computed from that; and a register that threads
// come to with different values, because a branch has parted them:
//
//     @%p bra $L1;          %p differs: so does %r, behind $L2
//     mov %r, 1;
//     bra $L2;              and a register that a loop sets, where threads leave the loop in
//     different $L1: mov %r, 2;       iterations and read it behind the loop $L2: ... %r
//
// Uniform: parameters of kernels, constants, %ctaid, %ntid, loads of global, shared and constant
// memory at uniform addresses, as LLVM's uniformity analysis has it; and a branch with .uni, which
// is what its author says.
#ifndef LIN_PTX_DIVERGENCE_H
#define LIN_PTX_DIVERGENCE_H

#include "read.h"

// Sets LIN_UNIFORM on the blocks of the function's graph at whose branches threads don't part.
// O(rounds * (accesses + blocks in which registers with several values are needed)): a round for
// each time that a branch found divergent makes others so, 16 at most; then every branch is.
void lin_ptx_find_uniform(lin_ptx_function *f);

#endif
