// Which kernels get versions, and which functions go with them.
#ifndef LIN_LLVM_VERSIONS_KERNELS_H
#define LIN_LLVM_VERSIONS_KERNELS_H

#include "state.h"

// Finds the kernels, in the module's order, and what is to be built of each; tells why others get
// none. O(instructions).
void lin_ir_find_kernels(lin_ir_versions *v);

// The same before the code is what it will be, so that its hash isn't known, nor whether it is too
// large: those that may be found then. Tells nothing.
void lin_ir_guess_kernels(lin_ir_versions *v);

// Numbers these and what they call, and makes the arrays about them. O(instructions).
void lin_ir_find_functions(lin_ir_versions *v);

#endif
