// What this LLVM's code generator for NVPTX knows: each version of LLVM knows other GPUs and other
// versions of PTX, and writes code for its oldest GPU where it doesn't know one. LLVM's C API
// doesn't tell, so this is C++.
#ifndef LIN_LIFT_KNOWN_H
#define LIN_LIFT_KNOWN_H

#include <llvm-c/TargetMachine.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether there is a processor of that name: sm_90a. `machine` may be for any. O(log processors).
bool lin_lift_knows_target(LLVMTargetMachineRef machine, const char *name);

// The newest version of PTX that is not newer than `most`, both in tenths; 0: there is none.
// O(features).
unsigned lin_lift_newest_version(LLVMTargetMachineRef machine, unsigned most);

#ifdef __cplusplus
}
#endif

#endif
