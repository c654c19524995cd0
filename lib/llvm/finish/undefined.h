// Phis that have poison on some ways.
#ifndef LIN_LLVM_FINISH_UNDEFINED_H
#define LIN_LLVM_FINISH_UNDEFINED_H

#include "graph/arena.h"

#include <llvm-c/Core.h>

// Puts zeros in the place of poison and undef where ptxas could take one phi of the function for
// another. O(instructions * log instructions).
void lin_ir_define_phis(lin_arena *arena, LLVMValueRef function);

#endif
