// One function, and what the library asks about it.
#ifndef LIN_PLUGIN_FUNCTION_H
#define LIN_PLUGIN_FUNCTION_H

#include "linearize/linearize.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace linearize {

// Passes that must run, since clang and opt skip others on optnone functions and those are to be
// told of, or `force` is for them; LLVM's own switches to skip passes (-opt-bisect-limit) are
// honoured by hand.
bool isSkipped(const llvm::Function &F, llvm::StringRef Pass);

// Does to a function what the options say, and emits the remarks. Returns whether it changed.
bool linearizeFunction(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                       const linearize_options &Asked);

// Marks where it pays to regroup the threads of a block, and emits the remarks. Returns whether it
// did.
bool findPoints(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                const linearize_options &Asked);

// How many loops of a function the options would have merged with the one around them; of these
// `Keep` has the loop around, if LLVM knows it as one, kept from being unrolled.
size_t findNests(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                 const linearize_options &Asked, bool Keep);

} // namespace linearize

#endif
