// What memory an instruction touches, as far as its address says.
#ifndef LIN_LLVM_VALUES_MEMORY_H
#define LIN_LLVM_VALUES_MEMORY_H

#include "values/values.h"
#include "llvm/ask/numbers.h"

#include <llvm-c/Core.h>

typedef struct lin_ir_memory {
  lin_arena *arena;
  LLVMValueRef function;
  lin_numbers numbers; // of variables
  bool *is_written;    // [parameters] a copy of the caller's, that the function writes
} lin_ir_memory;

// O(instructions).
lin_ir_memory lin_ir_read_memory(lin_arena *arena, LLVMValueRef function);

// Sets what `address` points to. O(length of the chain of addresses).
void lin_ir_set_memory(lin_ir_memory *memory, LLVMValueRef address, lin_touch *touch);

#endif
