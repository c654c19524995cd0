#include "function.h"

#include "divergence.h"
#include "remarks.h"
#include "settings.h"

#include "llvm-c/Core.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

bool linearize::isSkipped(const Function &F, StringRef Pass) {
  OptPassGate &Gate = F.getContext().getOptPassGate();
  return Gate.isEnabled() && !Gate.shouldRunPass(Pass, ("function (" + F.getName() + ")").str());
}

namespace {

// What the library asks about while it works on a function.
struct Work {
  Function &F;
  FunctionAnalysisManager &FAM;
  linearize::Divergence Branches;
  linearize_report Report = {};
  size_t Told = 0; // remarks that were emitted

  Work(Function &F, FunctionAnalysisManager &FAM) : F(F), FAM(FAM), Branches(F, FAM) {}
  Work(const Work &) = delete;
  Work &operator=(const Work &) = delete;
  ~Work() { linearize_report_release(&Report); }

  void tell() {
    if (Told == Report.num_remarks)
      return;
    auto &Emitter = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
    for (; Told < Report.num_remarks; ++Told)
      linearize::emit(F, Emitter, Report.remarks[Told]);
  }
};

bool isUniform(LLVMValueRef Terminator, void *Context) {
  return static_cast<Work *>(Context)->Branches.isUniform(*cast<Instruction>(unwrap(Terminator)));
}

unsigned mostTrips(LLVMBasicBlockRef Header, bool *Counted, void *Context) {
  return static_cast<Work *>(Context)->Branches.mostTrips(*unwrap(Header), *Counted);
}

// Remarks point to what may go.
void beforeChange(void *Context) {
  static_cast<Work *>(Context)->tell();
  static_cast<Work *>(Context)->Branches.forget();
}

// What the plugin knows of a function, for who asks.
linearize_options optionsFor(linearize_options Options, Work &Job) {
  if (Job.Branches.isKnown()) {
    Options.is_uniform = isUniform;
    Options.most_trips = mostTrips;
  }
  Options.context = &Job;
  return Options;
}

} // namespace

bool linearize::linearizeFunction(Function &F, FunctionAnalysisManager &FAM,
                                  const linearize_options &Asked) {
  Work Job(F, FAM);
  linearize_options Options = optionsFor(Asked, Job);
  Options.changing = beforeChange;
  Options.quiet |= !OptimizationRemarkEmitter::allowExtraAnalysis(F, "linearize");
  bool Changed = linearize_function(wrap(&F), &Options, &Job.Report);
  if (Changed && verifiesEach() && verifyFunction(F, &errs()))
    report_fatal_error("linearize: function '" + F.getName() + "' is broken");
  if (Changed) // before the emitter asks for block frequencies of what is no longer there
    FAM.invalidate(F, PreservedAnalyses::none());
  Job.tell();
  return Changed;
}

bool linearize::findPoints(Function &F, FunctionAnalysisManager &FAM,
                           const linearize_options &Asked) {
  Work Job(F, FAM);
  linearize_options Options = optionsFor(Asked, Job);
  Options.changing = beforeChange;
  bool Changed = linearize_find_points(wrap(&F), &Options, &Job.Report);
  Job.tell();
  return Changed;
}

static void ignore(LLVMBasicBlockRef, void *) {}

static void keepLoop(LLVMBasicBlockRef Header, void *Context) {
  Work &Job = *static_cast<Work *>(Context);
  if (Loop *L = Job.FAM.getResult<LoopAnalysis>(Job.F).getLoopFor(unwrap(Header)))
    L->setLoopAlreadyUnrolled();
}

size_t linearize::findNests(Function &F, FunctionAnalysisManager &FAM,
                            const linearize_options &Asked, bool Keep) {
  Work Job(F, FAM);
  linearize_options Options = optionsFor(Asked, Job);
  Options.mode = LINEARIZE_NONE;
  Options.profile = nullptr; // it knows the blocks of the pipeline's end
  return linearize_find_nests(wrap(&F), &Options, Keep ? keepLoop : ignore, &Job);
}
