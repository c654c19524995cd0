// What variables of PTX hold at first.
#ifndef LIN_TOOLS_PTX_VARIABLES_H
#define LIN_TOOLS_PTX_VARIABLES_H

#include "ptx/module.h"

#include <llvm-c/Types.h>

// Defines the variables of a lifted module as `ptx` has them. Lifting declares them as bytes.
// Shared memory has no value; global and constant memory has what the text says, else zeros. A
// variable stays a declaration if it is extern, or its value isn't numbers in one pair of braces.
// O(length, and bytes of values).
void tool_define_variables(lin_arena *arena, const lin_ptx_module *ptx, LLVMModuleRef module);

#endif
