// The plugin's passes, and what puts them into a pipeline. The work is done in lib/llvm. Settings
// are copied.
#ifndef LIN_PLUGIN_PASSES_H
#define LIN_PLUGIN_PASSES_H

#include "settings.h"

#include "llvm/IR/PassManager.h"

#include <string>

namespace linearize {

// Kernels count what their threads do; with `Passes`, how often warps enter blocks, too. `Plain`:
// those stay, as well.
void addCounting(llvm::ModulePassManager &MPM, bool Passes, bool Plain);

// The same as the options have it, if they do.
void addWhatIsCounted(llvm::ModulePassManager &MPM, const Settings &Here);

// Calls of linearize/reorder.h are kept from vanishing.
void addMarking(llvm::ModulePassManager &MPM);

// Threads are regrouped there. Nothing if the settings are wrong, which others say.
void addRegrouping(llvm::ModulePassManager &MPM, const Settings &Here);

// And where it pays: at the pipeline's end, where a profile knows the blocks.
void addFinding(llvm::ModulePassManager &MPM, const Settings &Here);

// Versions of kernels; and before any loop is vectorized or unrolled, copies of those whose loops
// will be merged.
void addVersions(llvm::ModulePassManager &MPM, const Settings &Here);
void addCopying(llvm::ModulePassManager &MPM, const Settings &Here);

// Loops that will be merged are kept from being unrolled.
void addKeeping(llvm::FunctionPassManager &FPM, const Settings &Here);

// `linearize` by its name.
void addLinearizing(llvm::FunctionPassManager &FPM, const Settings &Here);

// All that the options ask for, counting apart.
void addTransformations(llvm::ModulePassManager &MPM, const Settings &Here);

// One line, where a fatal error would count as clang's crash.
void addError(llvm::ModulePassManager &MPM, const std::string &Message);

// Why nothing is done in this pipeline to a module that could be linearized: one for nvptx, or
// `AnyTarget`.
void addExplanation(llvm::ModulePassManager &MPM, bool IsWarning, const char *Name,
                    const std::string &Message, bool AnyTarget);

} // namespace linearize

#endif
