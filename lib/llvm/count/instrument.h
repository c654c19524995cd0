// Kernels that count: each thread has the counters that count/counters.h chooses, and writes them
// when it ends, into a buffer that whoever launches the kernel may give it (count/description.h).
#ifndef LIN_LLVM_COUNT_INSTRUMENT_H
#define LIN_LLVM_COUNT_INSTRUMENT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Has all kernels of a module for nvptx count. Counters are stack slots that LLVM's mem2reg makes
// registers of; what writes them is a function that is marked `alwaysinline`. Both passes are the
// caller's to run. A module that counts already is left alone, and so is a kernel without counters
// that stands for one (LIN_COUNT_PLAIN_SUFFIX). `passes`: how often warps enter blocks is counted
// as well. Returns whether something was changed. O(instructions + edges log edges).
bool lin_ir_count(LLVMModuleRef module, bool passes);

#endif
