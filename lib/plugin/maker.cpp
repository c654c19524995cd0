#include "maker.h"

#include "function.h"
#include "remarks.h"
#include "llvm/versions/versions.h"

#include "llvm-c/Core.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"

using namespace llvm;

static FunctionAnalysisManager &analyses(void *Context) {
  return *static_cast<FunctionAnalysisManager *>(Context);
}

static bool linearizeOne(void *Context, LLVMValueRef Value, const linearize_options *Options) {
  auto &F = *unwrap<Function>(Value);
  return !linearize::isSkipped(F, "LinearizePass") &&
         linearize::linearizeFunction(F, analyses(Context), *Options);
}

static bool hasNests(void *Context, LLVMValueRef Value, const linearize_options *Options) {
  auto &F = *unwrap<Function>(Value);
  return linearize::findNests(F, analyses(Context), *Options, /*Keep=*/false) > 0;
}

static void forget(void *Context, LLVMValueRef Value) {
  auto &F = *unwrap<Function>(Value);
  analyses(Context).clear(F, F.getName());
}

static void tell(void *Context, LLVMValueRef Value, const linearize_remark *Remark) {
  auto &F = *unwrap<Function>(Value);
  auto &FAM = analyses(Context);
  FAM.invalidate(F, PreservedAnalyses::none()); // its calls may have changed
  linearize::emit(F, FAM.getResult<OptimizationRemarkEmitterAnalysis>(F), *Remark);
}

static lin_ir_maker makerFor(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  return {&FAM, linearizeOne, hasNests, forget, tell};
}

void linearize::makeVersions(Module &M, ModuleAnalysisManager &MAM, const Settings &Here) {
  const linearize_options Options = Here.options();
  const lin_ir_maker Maker = makerFor(M, MAM);
  lin_ir_make_versions(wrap(&M), &Options, Here.winners(), &Maker);
}

bool linearize::copyNests(Module &M, ModuleAnalysisManager &MAM, const Settings &Here) {
  const linearize_options Options = Here.options();
  const lin_ir_maker Maker = makerFor(M, MAM);
  return lin_ir_copy_nests(wrap(&M), &Options, Here.winners(), &Maker);
}
