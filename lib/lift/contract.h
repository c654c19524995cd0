// Products and sums that ptxas may contract stay beside each other.
#ifndef LIN_LIFT_CONTRACT_H
#define LIN_LIFT_CONTRACT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Of all functions of a module that was lifted, once registers are values: each product with the
// one sum that takes it, where ptxas makes one fma of both, becomes one piece of assembly.
// O(instructions).
void lin_lift_keep_contracted(LLVMModuleRef module);

#endif
