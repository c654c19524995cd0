// Branches that ask for the thread's number alone. Warps have 32 numbers in a row, so their threads
// mostly agree where it is compared, or counted in units of 32 or more:
//
//     if (thread < n)                  one warp of all parts at most; or n[2], in memory of others
//     if ((thread >> 6 & 63) < 62)     none, if thread blocks have one dimension
//     if (thread & 1)                  every one does: not coherent
//
// No proof, as LLVM's uniformity analysis has one: thread blocks may have any shape.
#ifndef LIN_LLVM_ASK_COHERENT_H
#define LIN_LLVM_ASK_COHERENT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// True for a conditional branch of that kind. O(1).
bool lin_ir_is_coherent(LLVMValueRef terminator);

#endif
