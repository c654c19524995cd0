// How long a block takes a warp that is alone.
#ifndef LIN_LLVM_COUNT_CYCLES_H
#define LIN_LLVM_COUNT_CYCLES_H

#include "llvm/read/function.h"

// [num_blocks] cycles of each block of `f`: its instructions are issued in order, each when what it
// uses from the block is there, and the block ends when all is there (gpu/target.h has the
// latencies and where they are from). In the arena. O(uses).
uint32_t *lin_ir_cycles(lin_arena *arena, const lin_ir_function *f);

#endif
