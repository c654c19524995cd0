// A kernel's instructions as values that the core knows (values/values.h).
#ifndef LIN_LLVM_VALUES_EXPRESS_H
#define LIN_LLVM_VALUES_EXPRESS_H

#include "values/values.h"
#include "llvm/read/read.h"

typedef struct lin_ir_values {
  lin_values *values;
  const lin_order *order; // of the function's graph, its returns united
  LLVMValueRef *llvm;     // [values->count]
  lin_numbers numbers;    // of these
} lin_ir_values;

// Reads the kernel that `f` is of. Lives in the arena. O(instructions and their operands, edges log
// blocks).
lin_ir_values *lin_ir_express(lin_arena *arena, const lin_ir_function *f);

#endif
