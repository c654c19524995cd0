// How many warps of a function a multiprocessor can have at a time.
#ifndef LIN_IR_OCCUPANCY_H
#define LIN_IR_OCCUPANCY_H

#include <llvm-c/Core.h>
#include <stdint.h>

// At most, by the shared memory that the function names itself and the threads of a block that it
// is compiled for; 64 if neither says less. O(global variables and their uses).
uint32_t lin_ir_warps(LLVMValueRef function);

#endif
