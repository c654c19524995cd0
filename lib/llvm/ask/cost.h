// What an instruction costs a warp.
#ifndef LIN_LLVM_ASK_COST_H
#define LIN_LLVM_ASK_COST_H

#include <llvm-c/Core.h>
#include <stdint.h>

// In simple instructions; 0 for what is none in machine code. Roughly: what a division or a call
// expands to isn't looked at. O(operands).
uint32_t lin_ir_cost(LLVMValueRef instruction);

#endif
