// The plugin for opt, clang and llc: where its passes (passes.h) stand in pipelines.
//
// In clang's and opt's pipelines calls of linearize/reorder.h are marked at the start, and threads
// regrouped there once functions are inlined and before loops are unrolled, for device LTO at link
// time; loops that will be merged are kept from being unrolled, where loops are vectorized; and
// `linearize` runs as the last optimisation, for device LTO at link time; on nvptx and nvptx64
// only, unless asked; at -O0 only if a mode is given. Versions of kernels are made there, too, in
// its place; but those that merge loops are copied before any loop is unrolled.
#include "parse.h"
#include "passes.h"
#include "llvm/ask/versions.h"

#include <string>

using namespace llvm;
using namespace linearize;

namespace {

enum class Phase { Compile, BeforeLink, Link };

// What is compiled for LTO is linearized once, when all of it is there, and by whoever links it.
void addToPipeline(ModulePassManager &MPM, OptimizationLevel Level, Phase When) {
  Settings Here;
  bool AnyTarget = Here.options().any_target;
  Here.finish();
  if (!Here.Error.empty() && When == Phase::Link)
    die(Here.Error); // clang's linker for nvptx prints errors and goes on
  if (!Here.Error.empty())
    addError(MPM, Here.Error);
  else if (When == Phase::BeforeLink)
    addExplanation(
        MPM, true, "LeftForTheLink",
        "nothing is linearized yet: with LTO that is done at the link, which has to load the "
        "plugin: -Xoffload-linker -mllvm=-load-pass-plugin=" +
            ownPath() + " in place of -fpass-plugin",
        AnyTarget);
  else if (Level == OptimizationLevel::O0 && !Here.hasMode())
    addExplanation(MPM, false, "NotOptimised",
                   "nothing is linearized at -O0: build with -O1 or more", AnyTarget);
  else
    addTransformations(MPM, Here);
  if (Here.Error.empty() && When != Phase::BeforeLink)
    addWhatIsCounted(MPM, Here);
}

// Before any loop is vectorized or unrolled, of whatever function.
void addBeforeLoops(ModulePassManager &MPM, Phase When) {
  Settings Here;
  if (!Here.makesVersions() || When == Phase::BeforeLink)
    return;
  Here.finish();
  if (Here.Error.empty()) // else it is told at the end
    addCopying(MPM, Here);
}

// Before loops are vectorized and unrolled.
void addBeforeUnrolling(FunctionPassManager &FPM, OptimizationLevel) {
  Settings Here;
  if (Here.Error.empty()) // else it is told at the end
    addKeeping(FPM, Here);
}

// At -O0 nothing is inlined, and points are calls that do nothing.
void addMarks(ModulePassManager &MPM, OptimizationLevel Level) {
  Settings Here;
  if (Level != OptimizationLevel::O0 && !Here.options().no_reorder)
    addMarking(MPM);
}

void registerPasses(PassBuilder &PB) {
  if (!registerNames(PB))
    return;
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) { addMarks(MPM, Level); });
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, auto... IfKnown) {
        if (Level != OptimizationLevel::O0 && !isBeforeLink(IfKnown...))
          addRegrouping(MPM, Settings());
      });
  PB.registerVectorizerStartEPCallback(addBeforeUnrolling);
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, auto... IfKnown) {
        addBeforeLoops(MPM, isBeforeLink(IfKnown...) ? Phase::BeforeLink : Phase::Compile);
      });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, auto...) { addBeforeLoops(MPM, Phase::Link); });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, auto... IfKnown) {
        addToPipeline(MPM, Level, isBeforeLink(IfKnown...) ? Phase::BeforeLink : Phase::Compile);
      });
  PB.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, auto...) {
        addRegrouping(MPM, Settings());
        addToPipeline(MPM, Level, Phase::Link);
      });
}

} // namespace

// The first fields, which every LLVM's PassPluginLibraryInfo has: where the caller is another LLVM,
// its struct may be smaller than ours, and writing all of ours would write past its end.
struct Refusal {
  uint32_t APIVersion;
  const char *PluginName;
  const char *PluginVersion;
  void (*RegisterPassBuilderCallbacks)(PassBuilder &);
};
static Refusal refuseToLoad() { return {0, "linearize", "0.1", nullptr}; }
using AnyFunction = void (*)();

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  if (!canBeUsed() && !isSecondCopy())
    return reinterpret_cast<PassPluginLibraryInfo (*)()>(AnyFunction(refuseToLoad))();
  PassPluginLibraryInfo Info = {};
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "linearize";
  Info.PluginVersion = "0.1";
  Info.RegisterPassBuilderCallbacks = isSecondCopy() ? [](PassBuilder &) {} : registerPasses;
  return Info;
}
