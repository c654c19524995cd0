// Copies of whole functions, and what else of a module LLVM's C API can't change, so this is C++.
#ifndef LIN_LLVM_EDIT_CLONE_H
#define LIN_LLVM_EDIT_CLONE_H

#include <llvm-c/Types.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// A copy of a definition in its module, at the end: attributes, linkage, calling convention,
// comdat, metadata, lines of `!nvvm.annotations` and all; of its debug information it has its own
// subprogram. It calls what `function` calls. `name`: if another one has it, LLVM makes another of
// it. O(instructions + annotations of the module).
LLVMValueRef lin_ir_clone(LLVMValueRef function, const char *name);

// The same with one more parameter, the last one, of that type and name, which may point to memory.
LLVMValueRef lin_ir_clone_with(LLVMValueRef function, const char *name, LLVMTypeRef parameter,
                               const char *parameter_name);

// Has LLVM keep a variable that nothing uses. O(variables that it keeps).
void lin_ir_keep_variable(LLVMValueRef variable);

// Takes a function that nobody uses out of its module, with its lines of `!nvvm.annotations`.
// O(instructions + annotations).
void lin_ir_erase(LLVMValueRef function);

// Gives `function` the code of its copy, which is erased; all else of `function` stays.
// O(instructions + annotations).
void lin_ir_take_code(LLVMValueRef function, LLVMValueRef copy);

// Has debuggers and profilers know `copy` as `function` with `suffix` behind its names. O(1).
void lin_ir_name_subprogram(LLVMValueRef copy, LLVMValueRef function, const char *suffix);

// Whether two functions do the same, instruction by instruction, names, debug information and the
// order of blocks aside. Both are copies of one function. O(instructions).
bool lin_ir_is_same_code(LLVMValueRef a, LLVMValueRef b);

#ifdef __cplusplus
}
#endif

#endif
