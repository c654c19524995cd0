// What differs between LLVM 19, 20, 21 and 22 for those who call it: all of it is here, with the
// version that brought it. For C, and for the shim in C++.
#ifndef LIN_LLVM_ASK_VERSIONS_H
#define LIN_LLVM_ASK_VERSIONS_H

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

// The value of the case that is a switch's successor number `successor` (0 is the default). O(1).
// Since LLVM 22 cases are no operands.
static inline LLVMValueRef lin_ir_case(LLVMValueRef terminator, unsigned successor) {
#if LLVM_VERSION_MAJOR >= 22
  return LLVMGetSwitchCaseValue(terminator, successor);
#else
  return LLVMGetOperand(terminator, 2 * successor);
#endif
}

// Has an atomic be one of the whole GPU. Before LLVM 20 C can't say so, and none is written.
static inline void lin_ir_set_device_scope(LLVMContextRef context, LLVMValueRef atomic) {
#if LLVM_VERSION_MAJOR >= 20
  static const char device[] = "device";
  LLVMSetAtomicSyncScopeID(atomic, LLVMGetSyncScopeID(context, device, sizeof device - 1));
#else
  (void)context;
  (void)atomic;
#endif
}

// Since LLVM 21 NVPTX reads bounds of kernels from attributes (ask/launch_bounds.h).
#define LIN_BOUNDS_ARE_ATTRIBUTES (LLVM_VERSION_MAJOR >= 21)

#ifdef __cplusplus
#include "llvm/Pass.h"
#include "llvm/Passes/PassBuilder.h"

// LLVM 22 moved the header.
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace linearize {

// Since LLVM 20 the callbacks of the pipeline's end are told the phase of LTO: whether what is
// compiled is linked before it is optimised once more.
inline bool isBeforeLink() { return false; }
inline bool isBeforeLink(llvm::ThinOrFullLTOPhase Phase) {
  return Phase == llvm::ThinOrFullLTOPhase::ThinLTOPreLink ||
         Phase == llvm::ThinOrFullLTOPhase::FullLTOPreLink;
}

} // namespace linearize
#endif

#endif
