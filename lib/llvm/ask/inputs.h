// Which values decide how often a thread enters a kernel's blocks, as far as they are known before
// it runs: a backward slice from what its branches ask, up to loads at addresses that depend only
// on the kernel's arguments and the thread's index.
//
//     for (i = 0; i < length[tid]; i++)     length[tid] is an input
//       if (table[word[i]] > 3) ...         table[...] isn't: its address is loaded
#ifndef LIN_LLVM_ASK_INPUTS_H
#define LIN_LLVM_ASK_INPUTS_H

#include "graph/arena.h"

#include <llvm-c/Core.h>

typedef struct lin_ir_inputs {
  LLVMValueRef *load; // [count] in the function's order
  uint32_t count, capacity;
} lin_ir_inputs;

// In the arena. O(instructions and their uses).
lin_ir_inputs lin_ir_find_inputs(lin_arena *arena, LLVMValueRef function);

#endif
