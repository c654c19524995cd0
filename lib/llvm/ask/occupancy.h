// How many warps of a function a multiprocessor can have at a time, and what they may take.
#ifndef LIN_LLVM_ASK_OCCUPANCY_H
#define LIN_LLVM_ASK_OCCUPANCY_H

#include "gpu/target.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

// At most, by the shared memory that the function names itself and the threads of a block that it
// is compiled for; LIN_MOST_WARPS if neither says less. O(global variables and their uses).
uint32_t lin_ir_warps(LLVMValueRef function);

// The bytes of shared memory that the function names itself. O(global variables and their uses).
uint64_t lin_ir_shared(LLVMValueRef function);

// Whether it uses shared memory of a size that is chosen at the launch. O(global variables and
// their uses).
bool lin_ir_has_dynamic_shared(LLVMValueRef function);

// The threads of a block that it is compiled for, at most; 0 if nothing says so. `*exact`: no
// fewer. O(1).
uint32_t lin_ir_block_threads(LLVMValueRef function, bool *exact);

// Registers that a thread may have if a multiprocessor is to have so many warps, at least 1: by its
// register file, and by `nvvm.maxnreg`. O(1).
uint32_t lin_ir_registers(LLVMValueRef function, uint32_t warps);

#endif
