// Conditions that are kept in registers across calls.
#ifndef LIN_LLVM_FINISH_SPILL_H
#define LIN_LLVM_FINISH_SPILL_H

#include "llvm/read/read.h"

// True if a function calls another one, which stays a call in machine code. O(instructions).
bool lin_ir_has_calls(LLVMValueRef function);

// Keeps what is a condition in one block and needed in others in a register, if there is a call on
// the way. O(instructions, and blocks in which each condition is needed, summed up).
void lin_ir_spill_conditions(lin_arena *arena, const lin_ir_function *f);

#endif
