// Kernels that are going to count (llvm/count/instrument.h), as they are without that: launches
// that nobody counts take as long as ever then.
#ifndef LIN_LLVM_VERSIONS_PLAIN_H
#define LIN_LLVM_VERSIONS_PLAIN_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Puts a copy K__linearize_plain (count/description.h) of each kernel K at the module's end. They
// call what the kernels call. O(instructions + kernels * annotations of the module).
void lin_ir_keep_plain(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
