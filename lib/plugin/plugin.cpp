// The plugin for opt, clang and llc: registration, options and remarks. The work is done in
// lib/llvm.
//
// Passes, for -passes=...
//   linearize<MODE;LEVEL;any-target;force;threshold=N;...>   any may be left out, in any order
//   linearize-merge-loops, linearize-interleave<warps=N>, linearize-limit-depth<N>
//                                            mode none, and one of the passes of docs/algorithm.md
//   linearize-versions<NAME:NAME:...;...>    versions of kernels beside them (docs/versions.md)
//   linearize-tuned<FILE;...>                the versions that are the fastest by a file
//   linearize-count                          kernels count what their threads do
//   linearize-count-passes                   and how often warps enter blocks
//   linearize-reorder-mark                   keeps calls of linearize/reorder.h from vanishing
//   linearize-reorder                        threads are regrouped there
//   linearize-regroup<OPTION;...>            and where it pays, points or none
//   linearize-pipeline<OPTION;...>           all that the options ask for, as in clang's pipeline
//   print<unstructured>                      prints the unstructured edges of each function
//   print<linearize-passes>                  prints the passes that linearize consists of
//   verify<linearized>                       an error if a function has any, or an irreducible loop
//   mark<uniform>                            writes down what is known of divergence, see there
// In clang's and opt's pipelines calls of linearize/reorder.h are marked at the start, and threads
// regrouped there once functions are inlined and before loops are unrolled, for device LTO at link
// time; loops that will be merged are kept from being unrolled, where loops are vectorized; and
// `linearize` runs as the last optimisation, for device LTO at link time; on nvptx and nvptx64
// only, unless asked; at -O0 only if a mode is given. Versions of kernels are made there, too, in
// its place; but those that merge loops are copied before any loop is unrolled.
#include "divergence.h"
#include "function.h"
#include "linearize/linearize.h"
#include "maker.h"
#include "remarks.h"
#include "settings.h"
#include "versions/excepted.h"
#include "llvm/ask/versions.h"
#include "llvm/versions/plain.h"
#include "llvm/versions/versions.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

#include <string>

using namespace llvm;
using linearize::Settings;

namespace {

// A wrong parameter ends opt with one line, as LLVM's own options do.
[[noreturn]] void die(const Twine &Message) {
  report_fatal_error("linearize: " + Message, /*gen_crash_diag=*/false);
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
  const char *Name = Triple(M.getTargetTriple()).isNVPTX() ? Options.except : nullptr;
  std::vector<std::string> Symbols;
  std::vector<const char *> Here;
  for (const Function &F : M)
    if (Name && !F.isDeclaration())
      Symbols.push_back(F.getName().str());
  for (const std::string &Symbol : Symbols)
    Here.push_back(Symbol.c_str());
  for (; Name && (Name = lin_excepted_next(Name, &Length)); Name += Length) {
    char Message[320];
    if (any_of(Here, [&](const char *Symbol) { return lin_is_called(Symbol, Name, Length); }))
      continue;
    lin_excepted_say_unknown(Message, sizeof Message, Name, Length, Here.data(), Here.size());
    linearize::emitForModule(M, true, "NoSuchKernel", Message);
  }
}

struct LinearizePass : PassInfoMixin<LinearizePass> {
  Settings Here;
  bool IsNamed; // by -passes=

  explicit LinearizePass(const Settings &Here, bool IsNamed = false)
      : Here(Here), IsNamed(IsNamed) {}
  static StringRef name() { return "LinearizePass"; }
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    linearize_options Options = Here.options();
    // What is counted is the code that would be merged: nests are kept for that.
    if (Options.count && !Here.hasMode())
      Options.merge_loops = false;
    if (IsNamed && !Options.any_target && isToldOfTarget(F))
      warnOfHost(F);
    if (Options.except && isFirst(F))
      warnOfUnknown(*F.getParent(), Options);
    if (linearize::isSkipped(F, name()))
      return PreservedAnalyses::all();
    if (Options.mode == LINEARIZE_NEEDED && Options.any_target && isToldOfTarget(F) &&
        linearize::Divergence(F, FAM).isKnown())
      warnOfOtherGpu(F);
    bool Changed = linearize::linearizeFunction(F, FAM, Options);
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// Loops that will be merged with the one around them, by the pass at the pipeline's end: the one
// around is not to be unrolled, for copies of the inner loop can't all be merged with it.
struct KeepNestsPass : PassInfoMixin<KeepNestsPass> {
  Settings Here;

  explicit KeepNestsPass(const Settings &Here) : Here(Here) {}
  static bool isRequired() { return false; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    linearize_options Options = Here.options(), OfVersion;
    if (lin_ir_find_nest(wrap(&F), &Options, &OfVersion))
      Options = OfVersion;
    linearize::findNests(F, FAM, Options, /*Keep=*/true);
    return PreservedAnalyses::all(); // all but metadata
  }
};

struct VersionsPass : PassInfoMixin<VersionsPass> {
  Settings Here;

  explicit VersionsPass(const Settings &Here) : Here(Here) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    warnOfUnknown(M, Here.options());
    linearize::makeVersions(M, MAM, Here);
    return PreservedAnalyses::none();
  }
};

// Before loops are vectorized and unrolled: copies of kernels whose loops will be merged.
struct CopyNestsPass : PassInfoMixin<CopyNestsPass> {
  Settings Here;

  explicit CopyNestsPass(const Settings &Here) : Here(Here) {}
  static bool isRequired() { return false; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    return linearize::copyNests(M, MAM, Here) ? PreservedAnalyses::none()
                                              : PreservedAnalyses::all();
  }
};

struct PrintUnstructuredPass : PassInfoMixin<PrintUnstructuredPass> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    char *Text = linearize_print_unstructured(wrap(&F));
    errs() << Text;
    linearize_text_release(Text);
    return PreservedAnalyses::all();
  }
};

struct PrintPassesPass : PassInfoMixin<PrintPassesPass> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &, ModuleAnalysisManager &) {
    char *Text = linearize_print_passes();
    errs() << Text;
    linearize_text_release(Text);
    return PreservedAnalyses::all();
  }
};

struct VerifyLinearizedPass : PassInfoMixin<VerifyLinearizedPass> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    char *Message = nullptr;
    if (!linearize_verify(wrap(&F), &Message))
      F.getContext().emitError(Message);
    linearize_text_release(Message);
    return PreservedAnalyses::all();
  }
};

// For those who draw a function (tools/linearize-graph): metadata of it, !linearize.uniform, has
// the numbers of the blocks whose branches all threads of a warp take together. None: nothing is
// known.
struct MarkUniformPass : PassInfoMixin<MarkUniformPass> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    linearize::Divergence Branches(F, FAM);
    if (!Branches.isKnown())
      return PreservedAnalyses::all();
    SmallVector<Metadata *, 16> Numbers;
    for (auto [Number, Block] : enumerate(F))
      if (Block.getTerminator()->getNumSuccessors() > 1 &&
          Branches.isUniform(*Block.getTerminator()))
        Numbers.push_back(
            ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(F.getContext()), Number)));
    F.setMetadata("linearize.uniform", MDNode::get(F.getContext(), Numbers));
    return PreservedAnalyses::all();
  }
};

// In clang's pipeline, a fatal error would count as a crash; an error from a pass is one line.
struct ReportErrorPass : PassInfoMixin<ReportErrorPass> {
  std::string Message;

  explicit ReportErrorPass(std::string Message) : Message(std::move(Message)) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    M.getContext().emitError("linearize: " + Message);
    return PreservedAnalyses::all();
  }
};

// Why nothing is done in this pipeline to a module that could be linearized.
struct ExplainPass : PassInfoMixin<ExplainPass> {
  bool IsWarning, AnyTarget;
  const char *Name;
  std::string Message;

  ExplainPass(bool IsWarning, const char *Name, std::string Message, bool AnyTarget)
      : IsWarning(IsWarning), AnyTarget(AnyTarget), Name(Name), Message(std::move(Message)) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (AnyTarget || Triple(M.getTargetTriple()).isNVPTX())
      linearize::emitForModule(M, IsWarning, Name, Message);
    return PreservedAnalyses::all();
  }
};

// Kernels count what their threads do. What it leaves to others is done by the passes behind it.
struct CountPass : PassInfoMixin<CountPass> {
  const bool Passes, Plain;

  CountPass(bool Passes, bool Plain) : Passes(Passes), Plain(Plain) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (Plain)
      lin_ir_keep_plain(wrap(&M));
    return linearize_count(wrap(&M), Passes) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

void addCounting(ModulePassManager &MPM, bool Passes, bool Plain) {
  MPM.addPass(CountPass(Passes, Plain));
  MPM.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  MPM.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
}

// linearize-versions<NAME:NAME:...;OPTION;...> and linearize-tuned<FILE;OPTION;...>
void addVersions(StringRef Name, ModulePassManager &MPM) {
  StringRef Rest = Name;
  Settings Here;
  const bool IsTuned = Rest.consume_front("linearize-tuned");
  if (!IsTuned)
    Rest.consume_front("linearize-versions");
  if (!Rest.consume_front("<") || !Rest.consume_back(">"))
    die("'" + Name +
        (IsTuned ? "' names no file, as 'linearize-tuned<app.linearize>' does"
                 : "' names no versions, as 'linearize-versions<needed:paper>' does"));
  Here.read(Name, (IsTuned ? "tuned=" : "versions=") + Rest.str());
  Here.finish();
  if (!Here.Error.empty())
    die(Here.Error);
  MPM.addPass(VersionsPass(Here));
}

// Calls of linearize/reorder.h, before LLVM drops them.
struct MarkPointsPass : PassInfoMixin<MarkPointsPass> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return linearize_mark_points(wrap(&M)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// Threads change places at these. What it leaves to others is done by the pass behind it.
struct RegroupPass : PassInfoMixin<RegroupPass> {
  Settings Here;

  explicit RegroupPass(const Settings &Here) : Here(Here) {}
  static bool isRequired() { return true; }

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
        linearize::emit(*F, Emitter, Report.remarks[Told]);
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
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

void addRegrouping(ModulePassManager &MPM, const Settings &Here) {
  if (!Here.Error.empty()) // told elsewhere
    return;
  MPM.addPass(RegroupPass(Here));
  MPM.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
}

// Places at which it pays, as marks for the pass behind it.
struct FindPointsPass : PassInfoMixin<FindPointsPass> {
  Settings Here;

  explicit FindPointsPass(const Settings &Here) : Here(Here) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    if (linearize::isSkipped(F, "FindPointsPass") || F.hasOptNone())
      return PreservedAnalyses::all();
    bool Changed = linearize::findPoints(F, FAM, Here.options());
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// At the pipeline's end, where a profile knows the blocks.
void addFinding(ModulePassManager &MPM, const Settings &Here) {
  if (!Here.Error.empty())
    return;
  MPM.addPass(createModuleToFunctionPassAdaptor(FindPointsPass(Here)));
  addRegrouping(MPM, Here);
}

// linearize-regroup and linearize-regroup<OPTION;...>
void addRegroup(StringRef Name, ModulePassManager &MPM) {
  StringRef Rest = Name;
  Settings Here;
  Rest.consume_front("linearize-regroup");
  if (Rest.consume_front("<") && !Rest.consume_back(">"))
    die("'" + Name + "' has no '>'");
  Here.read(Name, Rest.str());
  Here.finish();
  if (!Here.Error.empty())
    die(Here.Error);
  addFinding(MPM, Here);
}

// What the options ask for, counting apart.
void addTransformations(ModulePassManager &MPM, const Settings &Here) {
  if (Here.makesVersions()) {
    MPM.addPass(VersionsPass(Here));
    return;
  }
  if (Here.options().regroup)
    addFinding(MPM, Here);
  MPM.addPass(createModuleToFunctionPassAdaptor(LinearizePass(Here)));
}

// linearize-pipeline<OPTION;...>
void addNamedPipeline(StringRef Name, ModulePassManager &MPM) {
  StringRef Rest = Name;
  Settings Here;
  Rest.consume_front("linearize-pipeline");
  if (!Rest.consume_front("<") || !Rest.consume_back(">"))
    die("'" + Name + "' is not written as linearize-pipeline<OPTION;...>");
  Here.read(Name, Rest.str());
  Here.finish();
  if (!Here.Error.empty())
    die(Here.Error);
  addTransformations(MPM, Here);
  if (Here.options().count)
    addCounting(MPM, Here.options().count_passes, Here.options().count_plain);
}

constexpr const char *Probe = "mark<uniform>"; // a pass that only this plugin has

bool parseModulePass(StringRef Name, ModulePassManager &MPM,
                     ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "linearize-count" || Name == "linearize-count-passes")
    addCounting(MPM, /*Passes=*/Name == "linearize-count-passes", /*Plain=*/false);
  else if (Name.starts_with("linearize-versions") || Name.starts_with("linearize-tuned"))
    addVersions(Name, MPM);
  else if (Name == "linearize-reorder-mark")
    MPM.addPass(MarkPointsPass());
  else if (Name == "linearize-reorder")
    addRegrouping(MPM, Settings());
  else if (Name.starts_with("linearize-regroup"))
    addRegroup(Name, MPM);
  else if (Name.starts_with("linearize-pipeline"))
    addNamedPipeline(Name, MPM);
  else if (Name == "print<linearize-passes>")
    MPM.addPass(PrintPassesPass());
  else
    return false;
  return true;
}

bool parsePass(StringRef Name, FunctionPassManager &FPM, ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "print<unstructured>") {
    FPM.addPass(PrintUnstructuredPass());
    return true;
  }
  if (Name == "verify<linearized>") {
    FPM.addPass(VerifyLinearizedPass());
    return true;
  }
  if (Name == Probe) {
    FPM.addPass(MarkUniformPass());
    return true;
  }
  StringRef Pass = Name.take_until([](char C) { return C == '<'; }), Rest = Name;
  if (!Pass.starts_with("linearize"))
    return false;
  Settings Here;
  std::string First; // of linearize-limit-depth<N;...>
  if (Pass == "linearize-merge-loops") {
    Here.read(Pass, "none,merge-loops");
  } else if (Pass == "linearize-interleave") {
    Here.read(Pass, "none,interleave");
  } else if (Pass == "linearize-limit-depth") {
    Here.read(Pass, "none");
    First = "limit-depth=";
  } else if (Pass != "linearize") {
    die("there is no pass '" + Pass +
        "'; there are linearize, linearize-merge-loops, linearize-interleave and "
        "linearize-limit-depth");
  }
  Rest.consume_front(Pass);
  if (Rest.consume_front("<")) {
    if (!Rest.consume_back(">")) // opt takes what it is given apart at commas
      die("'" + Name +
          "' has no '>'; parameters are separated by ';', as in 'linearize<paper;O3>'");
    Here.read(Name, First + Rest.str());
  } else if (!First.empty()) {
    die(Pass + " needs a number, as in '" + Pass + "<2>'");
  }
  Here.finish();
  if (Here.Error.empty() && Here.makesVersions())
    Here.Error = "versions are made of a whole module: 'linearize-versions<...>' makes some";
  if (!Here.Error.empty())
    die(Here.Error);
  FPM.addPass(LinearizePass(Here, /*IsNamed=*/true));
  return true;
}

enum class Phase { Compile, BeforeLink, Link };

// What is compiled for LTO is linearized once, when all of it is there, and by whoever links it.
void addToPipeline(ModulePassManager &MPM, OptimizationLevel Level, Phase When) {
  Settings Here;
  bool AnyTarget = Here.options().any_target;
  Here.finish();
  if (!Here.Error.empty() && When == Phase::Link)
    die(Here.Error); // clang's linker for nvptx prints errors and goes on
  if (!Here.Error.empty())
    MPM.addPass(ReportErrorPass(Here.Error));
  else if (When == Phase::BeforeLink)
    MPM.addPass(ExplainPass(
        true, "LeftForTheLink",
        "nothing is linearized yet: with LTO that is done at the link, which has to load the "
        "plugin: -Xoffload-linker -mllvm=-load-pass-plugin=" +
            linearize::ownPath() + " in place of -fpass-plugin",
        AnyTarget));
  else if (Level == OptimizationLevel::O0 && !Here.hasMode())
    MPM.addPass(ExplainPass(false, "NotOptimised",
                            "nothing is linearized at -O0: build with -O1 or more", AnyTarget));
  else
    addTransformations(MPM, Here);
  if (Here.options().count && Here.Error.empty() && When != Phase::BeforeLink)
    addCounting(MPM, Here.options().count_passes, Here.options().count_plain);
}

// Before any loop is vectorized or unrolled, of whatever function.
void addBeforeLoops(ModulePassManager &MPM, Phase When) {
  Settings Here;
  if (!Here.makesVersions() || When == Phase::BeforeLink)
    return;
  Here.finish();
  if (Here.Error.empty()) // else it is told at the end
    MPM.addPass(CopyNestsPass(Here));
}

// Before loops are vectorized and unrolled.
void addBeforeUnrolling(FunctionPassManager &FPM, OptimizationLevel) {
  Settings Here;
  if (Here.Error.empty()) // else it is told at the end
    FPM.addPass(KeepNestsPass(Here));
}

// At -O0 nothing is inlined, and points are calls that do nothing.
void addMarks(ModulePassManager &MPM, OptimizationLevel Level) {
  Settings Here;
  if (Level != OptimizationLevel::O0 && !Here.options().no_reorder)
    MPM.addPass(MarkPointsPass());
}

// Whoever loads a file twice, as clang does that is told of it twice, registers it twice.
bool isRegistered(PassBuilder &PB) {
  FunctionPassManager FPM;
  return !errorToBool(PB.parsePassPipeline(FPM, Probe));
}

void registerPasses(PassBuilder &PB) {
  if (isRegistered(PB))
    return;
  PB.registerPipelineParsingCallback(parsePass);
  PB.registerPipelineParsingCallback(parseModulePass);
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) { addMarks(MPM, Level); });
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, auto... IfKnown) {
        if (Level != OptimizationLevel::O0 && !linearize::isBeforeLink(IfKnown...))
          addRegrouping(MPM, Settings());
      });
  PB.registerVectorizerStartEPCallback(addBeforeUnrolling);
  PB.registerOptimizerEarlyEPCallback([](ModulePassManager &MPM, OptimizationLevel,
                                         auto... IfKnown) {
    addBeforeLoops(MPM, linearize::isBeforeLink(IfKnown...) ? Phase::BeforeLink : Phase::Compile);
  });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, auto...) { addBeforeLoops(MPM, Phase::Link); });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, auto... IfKnown) {
        addToPipeline(MPM, Level,
                      linearize::isBeforeLink(IfKnown...) ? Phase::BeforeLink : Phase::Compile);
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
  if (!linearize::canBeUsed() && !linearize::isSecondCopy())
    return reinterpret_cast<PassPluginLibraryInfo (*)()>(AnyFunction(refuseToLoad))();
  PassPluginLibraryInfo Info = {};
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "linearize";
  Info.PluginVersion = "0.1";
  Info.RegisterPassBuilderCallbacks =
      linearize::isSecondCopy() ? [](PassBuilder &) {} : registerPasses;
  return Info;
}
