#include "passes.h"

#include "divergence.h"
#include "function.h"
#include "linearize/linearize.h"
#include "maker.h"
#include "remarks.h"
#include "versions/excepted.h"
#include "llvm/versions/plain.h"
#include "llvm/versions/versions.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;
using namespace linearize;

namespace {

// A pass that runs at -O0, too.
template <typename Pass> struct Required : PassInfoMixin<Pass> {
  static bool isRequired() { return true; }
};

template <typename Pass> struct WithSettings : Required<Pass> {
  Settings Here;

  explicit WithSettings(const Settings &Here) : Here(Here) {}
};

PreservedAnalyses preserved(bool Changed) {
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

bool isFirst(const Function &F) {
  return &*find_if_not(*F.getParent(), [](const Function &G) { return G.isDeclaration(); }) == &F;
}

// What concerns a module for another target than ours is said at its first function.
bool isToldOfTarget(const Function &F) {
  return isFirst(F) && !Triple(F.getParent()->getTargetTriple()).isNVPTX();
}

// Who asks for the pass on a host's module by name may have taken the wrong file; clang's pipeline
// comes by there whenever it compiles CUDA.
void warnOfHost(const Function &F) {
  const Module &M = *F.getParent();
  Triple Target(M.getTargetTriple());
  WithColor::warning(errs(), "linearize")
      << M.getName() << " is for " << (Target.str().empty() ? "no target" : Target.str())
      << ", not for nvptx: left alone, unless any-target is among the options\n";
}

// Mode needed weighs what a warp of an NVIDIA GPU runs. A back end that structurizes control flow
// by itself lets no block run twice.
void warnOfOtherGpu(const Function &F) {
  const Module &M = *F.getParent();
  WithColor::warning(errs(), "linearize")
      << M.getName() << ": no numbers for " << Triple(M.getTargetTriple()).getArchName()
      << ": mode needed decides as for NVIDIA's GPUs; mode paper linearizes all that is "
         "unstructured\n";
}

// Names of kernels that no function has are told once for a module.
void warnOfUnknown(Module &M, const linearize_options &Options) {
  size_t Length;
  const char *Name = Options.except;
  std::vector<std::string> Symbols;
  std::vector<const char *> Here;
  if (!Name || !Triple(M.getTargetTriple()).isNVPTX())
    return;
  for (const Function &F : M)
    if (!F.isDeclaration())
      Symbols.push_back(F.getName().str());
  for (const std::string &Symbol : Symbols)
    Here.push_back(Symbol.c_str());
  for (; (Name = lin_excepted_next(Name, &Length)); Name += Length) {
    char Message[320];
    if (any_of(Here, [&](const char *Symbol) { return lin_is_called(Symbol, Name, Length); }))
      continue;
    lin_excepted_say_unknown(Message, sizeof Message, Name, Length, Here.data(), Here.size());
    emitForModule(M, true, "NoSuchKernel", Message);
  }
}

struct LinearizePass : WithSettings<LinearizePass> {
  bool IsNamed; // by -passes=

  LinearizePass(const Settings &Here, bool IsNamed) : WithSettings(Here), IsNamed(IsNamed) {}
  static StringRef name() { return "LinearizePass"; }
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    linearize_options Options = Here.options();
    // What is counted is the code that would be merged: nests are kept for that.
    if (Options.count && !Here.hasMode())
      Options.merge_loops = false;
    if (IsNamed && !Options.any_target && isToldOfTarget(F))
      warnOfHost(F);
    if (Options.except && isFirst(F))
      warnOfUnknown(*F.getParent(), Options);
    if (isSkipped(F, name()))
      return PreservedAnalyses::all();
    if (Options.mode == LINEARIZE_NEEDED && Options.any_target && isToldOfTarget(F) &&
        Divergence(F, FAM).isKnown())
      warnOfOtherGpu(F);
    return preserved(linearizeFunction(F, FAM, Options));
  }
};

// Loops that will be merged with the one around them, by the pass at the pipeline's end: the one
// around is not to be unrolled, for copies of the inner loop can't all be merged with it.
struct KeepNestsPass : WithSettings<KeepNestsPass> {
  using WithSettings::WithSettings;
  static bool isRequired() { return false; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    linearize_options Options = Here.options(), OfVersion;
    if (lin_ir_find_nest(wrap(&F), &Options, &OfVersion))
      Options = OfVersion;
    findNests(F, FAM, Options, /*Keep=*/true);
    return PreservedAnalyses::all(); // all but metadata
  }
};

struct VersionsPass : WithSettings<VersionsPass> {
  using WithSettings::WithSettings;
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    warnOfUnknown(M, Here.options());
    makeVersions(M, MAM, Here);
    return PreservedAnalyses::none();
  }
};

// Before loops are vectorized and unrolled: copies of kernels whose loops will be merged.
struct CopyNestsPass : WithSettings<CopyNestsPass> {
  using WithSettings::WithSettings;
  static bool isRequired() { return false; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    return preserved(copyNests(M, MAM, Here));
  }
};

// In clang's pipeline, a fatal error would count as a crash; an error from a pass is one line.
struct ReportErrorPass : Required<ReportErrorPass> {
  std::string Message;

  explicit ReportErrorPass(std::string Message) : Message(std::move(Message)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    M.getContext().emitError("linearize: " + Message);
    return PreservedAnalyses::all();
  }
};

// Why nothing is done in this pipeline to a module that could be linearized.
struct ExplainPass : Required<ExplainPass> {
  bool IsWarning, AnyTarget;
  const char *Name;
  std::string Message;

  ExplainPass(bool IsWarning, const char *Name, std::string Message, bool AnyTarget)
      : IsWarning(IsWarning), AnyTarget(AnyTarget), Name(Name), Message(std::move(Message)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (AnyTarget || Triple(M.getTargetTriple()).isNVPTX())
      emitForModule(M, IsWarning, Name, Message);
    return PreservedAnalyses::all();
  }
};

// Kernels count what their threads do. What it leaves to others is done by the passes behind it.
struct CountPass : Required<CountPass> {
  const bool Passes, Plain;

  CountPass(bool Passes, bool Plain) : Passes(Passes), Plain(Plain) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (Plain)
      lin_ir_keep_plain(wrap(&M));
    return preserved(linearize_count(wrap(&M), Passes));
  }
};

// Calls of linearize/reorder.h, before LLVM drops them.
struct MarkPointsPass : Required<MarkPointsPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return preserved(linearize_mark_points(wrap(&M)));
  }
};

// Threads change places at these. What it leaves to others is done by the pass behind it.
struct RegroupPass : WithSettings<RegroupPass> {
  using WithSettings::WithSettings;
  struct Work {
    Module &M;
    linearize_report Report = {};
    size_t Told = 0;

    explicit Work(Module &M) : M(M) {}
    Work(const Work &) = delete;
    Work &operator=(const Work &) = delete;
    ~Work() { linearize_report_release(&Report); }

    void tell() {
      for (; Told < Report.num_remarks; ++Told) {
        Function *F = M.getFunction(Report.remarks[Told].function);
        OptimizationRemarkEmitter Emitter(F);
        emit(*F, Emitter, Report.remarks[Told]);
      }
    }
  };

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    Work Job(M);
    linearize_options Options = Here.options();
    Options.changing = [](void *Context) { static_cast<Work *>(Context)->tell(); };
    Options.context = &Job;
    bool Changed = linearize_regroup_threads(wrap(&M), &Options, &Job.Report);
    Job.tell();
    return preserved(Changed);
  }
};

// Places at which it pays, as marks for the pass behind it.
struct FindPointsPass : WithSettings<FindPointsPass> {
  using WithSettings::WithSettings;
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    if (isSkipped(F, "FindPointsPass") || F.hasOptNone())
      return PreservedAnalyses::all();
    return preserved(findPoints(F, FAM, Here.options()));
  }
};

} // namespace

void linearize::addCounting(ModulePassManager &MPM, bool Passes, bool Plain) {
  MPM.addPass(CountPass(Passes, Plain));
  MPM.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  MPM.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
}

void linearize::addMarking(ModulePassManager &MPM) { MPM.addPass(MarkPointsPass()); }

void linearize::addRegrouping(ModulePassManager &MPM, const Settings &Here) {
  if (!Here.Error.empty())
    return;
  MPM.addPass(RegroupPass(Here));
  MPM.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
}

void linearize::addFinding(ModulePassManager &MPM, const Settings &Here) {
  if (!Here.Error.empty())
    return;
  MPM.addPass(createModuleToFunctionPassAdaptor(FindPointsPass(Here)));
  addRegrouping(MPM, Here);
}

void linearize::addVersions(ModulePassManager &MPM, const Settings &Here) {
  MPM.addPass(VersionsPass(Here));
}

void linearize::addCopying(ModulePassManager &MPM, const Settings &Here) {
  MPM.addPass(CopyNestsPass(Here));
}

void linearize::addKeeping(FunctionPassManager &FPM, const Settings &Here) {
  FPM.addPass(KeepNestsPass(Here));
}

void linearize::addLinearizing(FunctionPassManager &FPM, const Settings &Here) {
  FPM.addPass(LinearizePass(Here, /*IsNamed=*/true));
}

void linearize::addTransformations(ModulePassManager &MPM, const Settings &Here) {
  if (Here.makesVersions()) {
    addVersions(MPM, Here);
  } else {
    if (Here.options().regroup)
      addFinding(MPM, Here);
    MPM.addPass(createModuleToFunctionPassAdaptor(LinearizePass(Here, /*IsNamed=*/false)));
  }
}

void linearize::addWhatIsCounted(ModulePassManager &MPM, const Settings &Here) {
  if (Here.options().count)
    addCounting(MPM, Here.options().count_passes, Here.options().count_plain);
}

void linearize::addError(ModulePassManager &MPM, const std::string &Message) {
  MPM.addPass(ReportErrorPass(Message));
}

void linearize::addExplanation(ModulePassManager &MPM, bool IsWarning, const char *Name,
                               const std::string &Message, bool AnyTarget) {
  MPM.addPass(ExplainPass(IsWarning, Name, Message, AnyTarget));
}
