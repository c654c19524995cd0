// The plugin for opt, clang and llc: registration, options and remarks. The work is done in
// lib/llvm.
//
// Passes, for -passes=...
//   linearize<MODE;LEVEL;any-target;force;threshold=N;...>   any may be left out, in any order
//   linearize-merge-loops, linearize-interleave<warps=N>, linearize-limit-depth<N>
//                                            mode none, and one of the passes of docs/beyond.md
//   linearize-count                          kernels count what their threads do
//   linearize-count-passes                   and how often warps enter blocks
//   linearize-reorder-mark                   keeps calls of linearize/reorder.h from vanishing
//   linearize-reorder                        threads are regrouped there
//   print<unstructured>                      prints the unstructured edges of each function
//   print<linearize-passes>                  prints the passes that linearize consists of
//   verify<linearized>                       an error if a function has any, or an irreducible loop
//   mark<uniform>                            writes down what is known of divergence, see there
// In clang's and opt's pipelines calls of linearize/reorder.h are marked at the start, and threads
// regrouped there once functions are inlined and before loops are unrolled, for device LTO at link
// time; loops that will be merged are kept from being unrolled, where loops are vectorized; and
// `linearize` runs as the last optimisation, for device LTO at link time;
// on nvptx and nvptx64 only, unless asked; at -O0 only if a mode is given.
//
// Options of opt and clang (-mllvm, -Xarch_device -mllvm=...): -linearize-NAME, for each name of
// lib/llvm/run/option_table.c; and -linearize-verify-each, LLVM's verifier on each function that
// was changed.
// The environment variable LINEARIZE_OPTIONS has a list of the pass's parameters, for where there
// is no way to give options: the link step of -foffload-lto; LINEARIZE_MODE has a mode. Of two that
// contradict each other, the later one wins: environment, options, parameters, and last the
// function's attributes (linearize.h).
#include "divergence.h"
#include "linearize/linearize.h"
#include "remarks.h"
#include "llvm/ask/versions.h"
#include "llvm/run/option_table.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <dlfcn.h>

using namespace llvm;

// Weak: a host without LLVM's C API must still be able to load this file and be told so.
extern "C" __attribute__((weak)) void LLVMGetVersion(unsigned *, unsigned *, unsigned *);

namespace {

// An option of the table. A text, but for a word: what it may be, and what is said of others, is
// the library's business.
struct TableOption {
  const lin_option &Row;
  const std::string Name;
  std::unique_ptr<cl::opt<bool>> Word;
  std::unique_ptr<cl::opt<std::string>> Value;

  explicit TableOption(const lin_option &Row)
      : Row(Row), Name(std::string("linearize-") + Row.name) {
    if (Row.kind == LIN_OPTION_WORD)
      Word = std::make_unique<cl::opt<bool>>(StringRef(Name), cl::desc(Row.help));
    else
      Value = std::make_unique<cl::opt<std::string>>(
          StringRef(Name), cl::value_desc(Row.value), cl::desc(Row.help),
          Row.where & LIN_OPTION_IS_HIDDEN ? cl::Hidden : cl::NotHidden);
  }

  bool isGiven() const { return Word ? bool(*Word) : Value->getNumOccurrences() > 0; }
};

struct CommandLine {
  std::vector<std::unique_ptr<TableOption>> Options;
  cl::opt<bool> VerifyEach{"linearize-verify-each",
                           cl::desc("Run LLVM's verifier on each function linearize changes")};

  CommandLine() {
    for (const lin_option &Row : lin_option_table)
      if (Row.where & LIN_OPTION_OF_CLANG)
        Options.push_back(std::make_unique<TableOption>(Row));
  }

  bool hasMode() const {
    return any_of(Options, [](const auto &Option) {
      return Option->Row.kind == LIN_OPTION_MODE && Option->isGiven();
    });
  }
};

// Options of a plugin built for another LLVM crash that LLVM as they register themselves, before it
// looks at the plugin's version; LLVM ends with a stack dump if one is registered twice. So they
// are made only after a look at the LLVM that loads us, and live as long as the process, as LLVM's
// own do.
CommandLine *Given = nullptr; // null: nothing can be done here
bool IsSecond = false;        // because another copy of this plugin does it

std::string ownPath() {
  Dl_info Info = {};
  return dladdr(&Given, &Info) && Info.dli_fname ? Info.dli_fname : "this file";
}

__attribute__((constructor)) void createOptions() {
  unsigned Major = 0;
  if (LLVMGetVersion)
    LLVMGetVersion(&Major, nullptr, nullptr);
  if (Major != LLVM_VERSION_MAJOR) {
    std::fprintf(stderr, "linearize: this plugin is for LLVM %d and can't be loaded into LLVM %u\n",
                 LLVM_VERSION_MAJOR, Major);
    return;
  }
  IsSecond = cl::getRegisteredOptions().count("linearize-mode") != 0;
  if (IsSecond)
    std::fprintf(stderr,
                 "linearize: %s is ignored: another copy of this plugin is loaded already\n",
                 ownPath().c_str());
  else
    Given = new CommandLine;
}

// A wrong parameter ends opt with one line, as LLVM's own options do.
[[noreturn]] void die(const Twine &Message) {
  report_fatal_error("linearize: " + Message, /*gen_crash_diag=*/false);
}

// What the options are, from wherever they come.
class Settings {
public:
  std::string Error; // the first thing that was wrong

  // The environment and the command line.
  Settings() {
    readEnvironment();
    readCommandLine();
  }

  // A list as linearize.h has it; `Where` it comes from.
  void read(StringRef Where, const std::string &List) {
    char *Message = nullptr;
    if (!linearize_parse_options(List.c_str(), &Options, &Message) && Error.empty())
      Error = (Where + ": " + Message).str();
    linearize_text_release(Message);
    if (Options.only)
      Only =
          StringRef(Options.only).take_while([](char C) { return isDigit(C) || C == '+'; }).str();
    if (Options.profile_file)
      ProfileFile = StringRef(Options.profile_file)
                        .take_until([](char C) { return C == ',' || C == ';'; })
                        .str();
    Options.only = Options.profile_file = nullptr; // List may be gone by then
  }

  // Reads the profile, once nothing else is to come.
  void readProfile() {
    if (ProfileFile.empty() || !Error.empty())
      return;
    char *Message = nullptr;
    Profile.reset(linearize_profile_read(ProfileFile.c_str(), &Message), linearize_profile_release);
    if (!Profile)
      Error = Message;
    linearize_text_release(Message);
  }

  // Valid as long as the settings are.
  linearize_options options() const {
    linearize_options Result = Options;
    Result.only = Only.empty() ? nullptr : Only.c_str();
    Result.profile = Profile.get();
    Result.count |= Result.count_passes;
    if (Result.count && !HasMode) // a profile is of the code as it was
      Result.mode = LINEARIZE_NONE;
    return Result;
  }

  // A mode was given, be it the default one.
  bool hasMode() const { return HasMode; }

private:
  linearize_options Options = linearize_default_options();
  std::string Only, ProfileFile;
  std::shared_ptr<linearize_profile> Profile;
  bool HasMode = false;

  static std::string variable(const char *Name) {
    const char *Text = std::getenv(Name);
    return Text ? Text : "";
  }

  // Whether it sets the mode, whatever the mode was before.
  static bool setsMode(const std::string &List) {
    linearize_options Some = linearize_default_options(), Other = Some;
    Other.mode = LINEARIZE_ALL;
    linearize_parse_options(List.c_str(), &Some, nullptr);
    linearize_parse_options(List.c_str(), &Other, nullptr);
    return Some.mode == Other.mode;
  }

  void readEnvironment() {
    std::string Mode = variable("LINEARIZE_MODE"), List = variable("LINEARIZE_OPTIONS");
    if (Given->hasMode())
      Mode = ""; // isn't even looked at
    if (!Mode.empty() && !linearize_parse_mode(Mode.c_str(), &Options.mode))
      Error = "LINEARIZE_MODE is '" + Mode + "', not needed, irreducible, paper, all or none";
    read("LINEARIZE_OPTIONS", List);
    HasMode = !Mode.empty() || setsMode(List);
  }

  void readCommandLine() {
    HasMode |= Given->hasMode();
    for (const auto &Option : Given->Options) {
      if (!Option->isGiven())
        continue;
      std::string Name = Option->Row.name;
      if (Option->Word)
        read("-" + Option->Name, Name);
      else if (Option->Row.kind == LIN_OPTION_FILE && !Option->Value->empty())
        ProfileFile = *Option->Value; // may have commas
      else
        read("-" + Option->Name, Name + "=" + Option->Value->getValue());
    }
  }
};

// Passes that must run, since clang and opt skip others on optnone functions and those are to be
// told of, or `force` is for them; LLVM's own switches to skip passes (-opt-bisect-limit) are
// honoured by hand.
bool isSkipped(const Function &F, StringRef Pass) {
  OptPassGate &Gate = F.getContext().getOptPassGate();
  return Gate.isEnabled() && !Gate.shouldRunPass(Pass, ("function (" + F.getName() + ")").str());
}

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

// What concerns a module for another target than ours is said at its first function.
bool isToldOfTarget(const Function &F) {
  const Module &M = *F.getParent();
  auto First = find_if_not(M, [](const Function &G) { return G.isDeclaration(); });
  return &*First == &F && !Triple(M.getTargetTriple()).isNVPTX();
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

struct LinearizePass : PassInfoMixin<LinearizePass> {
  Settings Here;
  bool IsNamed; // by -passes=

  explicit LinearizePass(const Settings &Here, bool IsNamed = false)
      : Here(Here), IsNamed(IsNamed) {}
  static StringRef name() { return "LinearizePass"; }
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    linearize_options Options = Here.options();
    if (IsNamed && !Options.any_target && isToldOfTarget(F))
      warnOfHost(F);
    if (isSkipped(F, name()))
      return PreservedAnalyses::all();
    Work Job(F, FAM);
    if (Job.Branches.isKnown()) {
      if (Options.mode == LINEARIZE_NEEDED && Options.any_target && isToldOfTarget(F))
        warnOfOtherGpu(F);
      Options.is_uniform = isUniform;
      Options.most_trips = mostTrips;
    }
    Options.changing = beforeChange;
    Options.context = &Job;
    Options.quiet = !OptimizationRemarkEmitter::allowExtraAnalysis(F, "linearize");
    bool Changed = linearize_function(wrap(&F), &Options, &Job.Report);
    if (Changed && Given->VerifyEach && verifyFunction(F, &errs()))
      report_fatal_error("linearize: function '" + F.getName() + "' is broken");
    if (Changed) // before the emitter asks for block frequencies of what is no longer there
      FAM.invalidate(F, PreservedAnalyses::none());
    Job.tell();
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
    linearize_options Options = Here.options();
    Options.mode = LINEARIZE_NONE;
    Options.profile = nullptr; // it knows the blocks of the pipeline's end
    Work Job(F, FAM);
    if (Job.Branches.isKnown()) {
      Options.is_uniform = isUniform;
      Options.most_trips = mostTrips;
    }
    Options.context = &Job;
    auto Keep = [](LLVMBasicBlockRef Header, void *Context) {
      auto &Loops = *static_cast<LoopInfo *>(Context);
      if (Loop *L = Loops.getLoopFor(unwrap(Header)))
        L->setLoopAlreadyUnrolled();
    };
    linearize_find_nests(wrap(&F), &Options, Keep, &FAM.getResult<LoopAnalysis>(F));
    return PreservedAnalyses::all(); // all but metadata
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

// For those who draw a function (tools/linearize-report): metadata of it, !linearize.uniform, has
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
  const bool Passes;

  explicit CountPass(bool Passes) : Passes(Passes) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return linearize_count(wrap(&M), Passes) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

void addCounting(ModulePassManager &MPM, bool Passes) {
  MPM.addPass(CountPass(Passes));
  MPM.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  MPM.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
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

void addRegrouping(ModulePassManager &MPM) {
  Settings Here;
  if (!Here.Error.empty()) // told elsewhere
    return;
  MPM.addPass(RegroupPass(Here));
  MPM.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
}

constexpr const char *Probe = "mark<uniform>"; // a pass that only this plugin has

bool parseModulePass(StringRef Name, ModulePassManager &MPM,
                     ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "linearize-count" || Name == "linearize-count-passes")
    addCounting(MPM, /*Passes=*/Name == "linearize-count-passes");
  else if (Name == "linearize-reorder-mark")
    MPM.addPass(MarkPointsPass());
  else if (Name == "linearize-reorder")
    addRegrouping(MPM);
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
  Here.readProfile();
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
  Here.readProfile();
  if (!Here.Error.empty() && When == Phase::Link)
    die(Here.Error); // clang's linker for nvptx prints errors and goes on
  if (!Here.Error.empty())
    MPM.addPass(ReportErrorPass(Here.Error));
  else if (When == Phase::BeforeLink)
    MPM.addPass(ExplainPass(
        true, "LeftForTheLink",
        "nothing is linearized yet: with LTO that is done at the link, which has to load the "
        "plugin: -Xoffload-linker -mllvm=-load-pass-plugin=" +
            ownPath() + " in place of -fpass-plugin",
        AnyTarget));
  else if (Level == OptimizationLevel::O0 && !Here.hasMode())
    MPM.addPass(ExplainPass(false, "NotOptimised",
                            "nothing is linearized at -O0: build with -O1 or more", AnyTarget));
  else
    MPM.addPass(createModuleToFunctionPassAdaptor(LinearizePass(Here)));
  if (Here.options().count && Here.Error.empty() && When != Phase::BeforeLink)
    addCounting(MPM, Here.options().count_passes);
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
          addRegrouping(MPM);
      });
  PB.registerVectorizerStartEPCallback(addBeforeUnrolling);
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, auto... IfKnown) {
        addToPipeline(MPM, Level,
                      linearize::isBeforeLink(IfKnown...) ? Phase::BeforeLink : Phase::Compile);
      });
  PB.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, auto...) {
        addRegrouping(MPM);
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
  if (!Given && !IsSecond)
    return reinterpret_cast<PassPluginLibraryInfo (*)()>(AnyFunction(refuseToLoad))();
  PassPluginLibraryInfo Info = {};
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "linearize";
  Info.PluginVersion = "0.1";
  Info.RegisterPassBuilderCallbacks = IsSecond ? [](PassBuilder &) {} : registerPasses;
  return Info;
}
