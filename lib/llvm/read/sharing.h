// Which blocks load and store memory in which the threads of a warp may meet: shared memory, and
// what is volatile. Programs exchange values there without a word of it (__syncwarp), and rely on
// who has come as far as they have.
#ifndef LIN_LLVM_READ_SHARING_H
#define LIN_LLVM_READ_SHARING_H

#include "read.h"

// Fills f->graph->sharing, or leaves it NULL if there is no such memory. Generic pointers are
// followed to the variable that they come from; of others one that may be of shared memory counts
// as all of it. Threads don't meet in a variable that each of a warp accesses in a place of its
// own: base + size * threadIdx.x + a multiple of 32 sizes or more. O(instructions, and uses of the
// module's shared variables).
void lin_ir_read_sharing(lin_arena *arena, lin_ir_function *f);

#endif
