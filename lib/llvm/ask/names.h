// What is known by its name: functions that are called, registers that are read.
#ifndef LIN_LLVM_ASK_NAMES_H
#define LIN_LLVM_ASK_NAMES_H

#include "gpu/nvptx.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

// Whether a text begins with another one. O(length of that).
bool lin_ir_begins_with(const char *text, const char *prefix);

// The name of what an instruction calls, if that is a function known by name; else "". O(1).
const char *lin_ir_called_name(LLVMValueRef instruction);

// The special register that an instruction reads, or NULL. O(log rows of gpu/nvptx.def).
const lin_nvptx *lin_ir_register_read(LLVMValueRef instruction);

// What gpu/nvptx.def knows of the intrinsic that an instruction calls, or NULL. O(log rows).
const lin_nvptx *lin_ir_intrinsic(LLVMValueRef instruction);

#endif
