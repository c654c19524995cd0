// Functions that a kernel calls, and that are counted with it.
//
//     kernel ──▶ f ──▶ g        kernel ──▶ f' ──▶ g'      f' and g' are copies that count, with the
//       other ──▶ f   ▲ │         other ──▶ f    ▲ │      kernel's counters as one more parameter;
//                     └─┘                        └─┘      who doesn't count calls what there was
//
// Counters are the thread's, so recursion adds up. Not counted are functions that are called by
// pointer, as another type or with variable arguments, that stand in another module, or for which
// the linker may take another module's.
#ifndef LIN_LLVM_COUNT_CALLS_H
#define LIN_LLVM_COUNT_CALLS_H

#include "graph/arena.h"

#include <llvm-c/Core.h>

typedef struct lin_ir_called {
  LLVMValueRef *function; // [count] the kernel is 0
  uint32_t count, capacity;
} lin_ir_called;

// The kernel, and what it calls, and so on, in the order of the calls; in the arena.
// Expected O(instructions).
lin_ir_called lin_ir_find_called(lin_arena *arena, LLVMValueRef kernel);

// The function that an instruction calls, if it is one that is counted; else NULL. O(1).
LLVMValueRef lin_ir_called_by(LLVMValueRef instruction);

#endif
