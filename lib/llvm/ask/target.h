// The GPU that a function is compiled for.
#ifndef LIN_LLVM_ASK_TARGET_H
#define LIN_LLVM_ASK_TARGET_H

#include "gpu/target.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

// Has a function run on GPUs of another kind than it is compiled for: `sm_90`. O(1).
void lin_ir_set_target(LLVMValueRef function, const char *target);

// N of sm_N, as that or its attribute "target-cpu" says; 0 if neither does. O(1).
uint32_t lin_ir_target_number(LLVMValueRef function);

// What is known of that GPU, never NULL. O(1).
const lin_target *lin_ir_target(LLVMValueRef function);

// Whether the function may ask which threads are there and what these agree on (activemask,
// vote.sync): PTX 6.2 has both, which targets from sm_75 on are never written without. O(length of
// its features).
bool lin_ir_has_votes(LLVMValueRef function);

#endif
