// How many registers a function's values take at once, before ptxas has a say.
#ifndef LIN_IR_LIVE_H
#define LIN_IR_LIVE_H

#include "read.h"

// Registers of 32 bits for a value of that type; 0 for a condition, which is a predicate. O(1) but
// for structures.
uint32_t lin_ir_registers_of(const lin_ir_function *f, LLVMTypeRef type);

// Registers that are needed behind each block, for what instructions have given: [num_blocks].
// Parameters are memory on a GPU. O(blocks in which each value is needed, summed up).
uint32_t *lin_ir_live_out(lin_arena *arena, const lin_ir_function *f);

#endif
