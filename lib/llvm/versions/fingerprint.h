// By which a kernel is known again (graph/fingerprint.h), and how large it is.
#ifndef LIN_LLVM_VERSIONS_FINGERPRINT_H
#define LIN_LLVM_VERSIONS_FINGERPRINT_H

#include "graph/arena.h"

#include <llvm-c/Core.h>

typedef struct lin_ir_fingerprint {
  uint64_t hash;
  uint32_t instructions;
} lin_ir_fingerprint;

// Of a kernel with all that it calls (llvm/ask/calls.h), in the order of the calls.
// Expected O(instructions).
lin_ir_fingerprint lin_ir_find_fingerprint(LLVMValueRef kernel);

#endif
