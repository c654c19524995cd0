// What versions, and the functions that belong to them, are called and known by.
#ifndef LIN_LLVM_VERSIONS_NAMES_H
#define LIN_LLVM_VERSIONS_NAMES_H

#include "graph/arena.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

// O(1).
const char *lin_ir_symbol(LLVMValueRef function);

// The symbol of a version of `function`, and of the variable that tells of a kernel's versions
// (versions/format.h). O(length).
const char *lin_ir_version_symbol(lin_arena *arena, LLVMValueRef function, const char *version);
const char *lin_ir_versions_variable(lin_arena *arena, LLVMValueRef kernel);

// A version, and what only versions call, has an attribute with the version's name. O(1).
bool lin_ir_is_version(LLVMValueRef function);
void lin_ir_mark_version(LLVMValueRef function, const char *version);

// So has a copy that will become one, until it does or is dropped. O(1).
bool lin_ir_is_nest(LLVMValueRef function);
void lin_ir_mark_nest(LLVMValueRef function, const char *version);
void lin_ir_unmark_nest(LLVMValueRef function);

// Names a copy of `function`, marks it, and has debuggers know it as such. O(length).
void lin_ir_name_version(lin_arena *arena, LLVMValueRef copy, LLVMValueRef function,
                         const char *version);

#endif
