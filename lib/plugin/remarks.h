// What is said of functions, in LLVM's words: its remarks, warnings and errors, and the records of
// -fsave-optimization-record.
//
//   kernel.cu:37:7: remark: function 'app::kernel(int*)', block 'or': linearized a region with 2
//   |                                 demangled
//   a line of the function's own file, for that is what its reader knows
//
//     guards ... (for sm_90, at hash.h:9 in 'hash<int>', inlined at kernel.cu:37)
//                     |         where that was written, if somewhere else
//                     clang compiles once for each target, and doesn't say for which
#ifndef LIN_PLUGIN_REMARKS_H
#define LIN_PLUGIN_REMARKS_H

#include "linearize/linearize.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace linearize {

// Sends a remark about `F`. O(length of its message).
void emit(llvm::Function &F, llvm::OptimizationRemarkEmitter &Emitter,
          const linearize_remark &Remark);

// Sends a message about all of a module, at the first function that it defines, if any: a warning,
// or else a remark of what is missed. O(functions).
void emitForModule(llvm::Module &M, bool IsWarning, llvm::StringRef Name, llvm::StringRef Message);

} // namespace linearize

#endif
