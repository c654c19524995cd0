// How many registers a kernel may have after a change that takes more of them: no launch must fail
// for those that didn't without.
#ifndef LIN_LLVM_READ_REGISTERS_H
#define LIN_LLVM_READ_REGISTERS_H

#include <llvm-c/Core.h>
#include <stdint.h>

// Has ptxas keep to the limit; what doesn't fit is in local memory, where ptxas finds that it costs
// least. Not where the source has a limit, nor where functions of other modules are called, which
// may need more: the linker refuses such kernels. O(instructions of the module).
void lin_ir_limit_registers(LLVMValueRef function, uint32_t limit);

#endif
