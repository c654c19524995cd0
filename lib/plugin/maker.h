// Versions of a module's kernels, with LLVM's analyses.
#ifndef LIN_PLUGIN_MAKER_H
#define LIN_PLUGIN_MAKER_H

#include "settings.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace linearize {

// lin_ir_make_versions
void makeVersions(llvm::Module &M, llvm::ModuleAnalysisManager &MAM, const Settings &Here);

// lin_ir_copy_nests. Returns whether there are any.
bool copyNests(llvm::Module &M, llvm::ModuleAnalysisManager &MAM, const Settings &Here);

} // namespace linearize

#endif
