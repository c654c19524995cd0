// What a kernel has to count: count/description.h of LLVM's functions.
#ifndef LIN_LLVM_COUNT_DESCRIBE_H
#define LIN_LLVM_COUNT_DESCRIBE_H

#include "counts/description.h"
#include "llvm/read/function.h"

typedef struct lin_ir_counted {
  lin_count_description *description;
  lin_ir_function **function; // [description->num_functions]
  bool may_end_inside;        // threads may end elsewhere than at a return, in any of the functions
} lin_ir_counted;

// Whether a thread may end at `at`, an instruction, without returning: PTX's `exit`, as an
// intrinsic or in assembly. O(length of the assembly).
bool lin_ir_ends_thread(LLVMValueRef at);

// Blocks, cycles, places in the source and counters of `kernel`, a definition, and of what it calls
// (calls.h), and what follows from them. Changes nothing; all is in the arena. The same whenever
// the code is the same. O(edges log edges + uses).
// `passes`: with counters of passes of warps, behind all others.
lin_ir_counted lin_ir_describe(lin_arena *arena, LLVMValueRef kernel, bool passes);

#endif
