// How many warps of a function a multiprocessor can have at a time, and what they may take.
#ifndef LIN_LLVM_ASK_OCCUPANCY_H
#define LIN_LLVM_ASK_OCCUPANCY_H

#include "gpu/target.h"

#include <llvm-c/Core.h>
#include <stdint.h>

// At most, by the shared memory that the function names itself and the threads of a block that it
// is compiled for; LIN_MOST_WARPS if neither says less. O(global variables and their uses).
uint32_t lin_ir_warps(LLVMValueRef function);

// Registers that a thread may have if a multiprocessor is to have so many warps, at least 1: by its
// register file, and by `nvvm.maxnreg`. O(1).
uint32_t lin_ir_registers(LLVMValueRef function, uint32_t warps);

#endif
