// The plugin for opt, clang and llc: registration, options and remarks. The work is done in lib/ir.
//
// Passes, for -passes=...
//   linearize<MODE;LEVEL;any-target;force>   each parameter may be left out, in any order
//   print<unstructured>                      prints the unstructured edges of each function
//   verify<linearized>                       an error if a function has any, or an irreducible loop
// In clang's and opt's pipelines `linearize` runs as the last optimisation, for device LTO at link
// time; on nvptx and nvptx64 only, unless asked; at -O0 only if a mode is given.
//
// Options, for opt and for clang (-mllvm, -Xarch_device -mllvm=...)
//   -linearize-mode=needed|irreducible|paper|all
//   -linearize-level=O0|O1|O2|O3|O4
//   -linearize-any-target    functions for other targets too
//   -linearize-force         although threads may wait for each other for ever, and optnone ones
//   -linearize-verify-each   LLVM's verifier on each function that was changed
// What a pass's parameters say wins over the options. The environment variable LINEARIZE_MODE
// stands in for -linearize-mode where there is no way to give options: the link step of
// -foffload-lto.
#include "divergence.h"
#include "linearize/linearize.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace llvm;

// Weak: a host without LLVM's C API must still be able to load this file and be told so.
extern "C" __attribute__((weak)) void LLVMGetVersion(unsigned *, unsigned *, unsigned *);

namespace {

enum GuardLevel { O0, O1, O2, O3, O4 };

struct CommandLine {
  cl::opt<linearize_mode> Mode{
      "linearize-mode", cl::desc("Which control flow is linearized"), cl::init(LINEARIZE_NEEDED),
      cl::values(clEnumValN(LINEARIZE_NEEDED, "needed", "what gains from it (default)"),
                 clEnumValN(LINEARIZE_IRREDUCIBLE, "irreducible", "only irreducible loops"),
                 clEnumValN(LINEARIZE_PAPER, "paper", "every unstructured region"),
                 clEnumValN(LINEARIZE_ALL, "all", "every function whole, for tests"))};
  cl::opt<GuardLevel> Level{
      "linearize-level", cl::desc("How far guards are optimised"), cl::init(O4),
      cl::values(clEnumVal(O0, "not at all"), clEnumVal(O1, ""), clEnumVal(O2, ""),
                 clEnumVal(O3, ""), clEnumVal(O4, "as far as possible (default)"))};
  cl::opt<bool> AnyTarget{"linearize-any-target",
                          cl::desc("Linearize functions for targets other than nvptx too")};
  cl::opt<bool> Force{"linearize-force",
                      cl::desc("Linearize although threads may wait for each other for ever, and "
                               "functions marked optnone")};
  cl::opt<bool> VerifyEach{"linearize-verify-each",
                           cl::desc("Run LLVM's verifier on each function linearize changes")};
};

// Options of a plugin built for another LLVM crash that LLVM as they register themselves, before it
// looks at the plugin's version. So they are made only after a look at the LLVM that loads us, and
// live as long as the process, as LLVM's own do. Null: it is another one.
CommandLine *Given = nullptr;

__attribute__((constructor)) void createOptions() {
  unsigned Major = 0;
  if (LLVMGetVersion)
    LLVMGetVersion(&Major, nullptr, nullptr);
  if (Major == LLVM_VERSION_MAJOR)
    Given = new CommandLine;
  else
    std::fprintf(stderr, "linearize: this plugin is for LLVM %d and can't be loaded into LLVM %u\n",
                 LLVM_VERSION_MAJOR, Major);
}

// A wrong parameter ends opt with one line, as LLVM's own options do.
[[noreturn]] void die(const Twine &Message) {
  report_fatal_error("linearize: " + Message, /*gen_crash_diag=*/false);
}

bool modeOptionGiven() { return Given->Mode.getNumOccurrences() > 0; }

// LINEARIZE_MODE, or null if it says nothing.
const char *environment() {
  const char *Text = modeOptionGiven() ? nullptr : std::getenv("LINEARIZE_MODE");
  return Text && *Text ? Text : nullptr;
}

// What is wrong with the environment; empty if nothing is.
std::string environmentError() {
  linearize_mode Mode;
  const char *Text = environment();
  if (!Text || linearize_parse_mode(Text, &Mode))
    return "";
  return "LINEARIZE_MODE is '" + std::string(Text) + "', not needed, irreducible, paper or all";
}

linearize_options optionsGiven() {
  linearize_options Options = linearize_default_options();
  if (modeOptionGiven())
    Options.mode = Given->Mode;
  else if (const char *Text = environment())
    linearize_parse_mode(Text, &Options.mode);
  Options.level = Given->Level;
  Options.any_target = Given->AnyTarget;
  Options.force = Given->Force;
  return Options;
}

void addParameter(StringRef Parameter, linearize_options &Options) {
  if (linearize_parse_mode(Parameter.str().c_str(), &Options.mode))
    return;
  if (Parameter.size() == 2 && Parameter[0] == 'O' && Parameter[1] >= '0' && Parameter[1] <= '4')
    Options.level = Parameter[1] - '0';
  else if (Parameter == "any-target")
    Options.any_target = true;
  else if (Parameter == "force")
    Options.force = true;
  else
    die("unknown parameter '" + Parameter +
        "'; there are needed, irreducible, paper, all, O0 to O4, any-target and force");
}

// Remarks name function and block, for there is no source line without debug information.
void emit(Function &F, OptimizationRemarkEmitter &Emitter, const linearize_remark &Remark) {
  const BasicBlock *Block = &F.getEntryBlock();
  DiagnosticLocation Location(F.getSubprogram());
  if (auto *I = cast_or_null<Instruction>(unwrap(Remark.instruction))) {
    Block = I->getParent();
    if (I->getDebugLoc())
      Location = I->getDebugLoc();
  }
  auto Send = [&](auto Diagnostic) {
    Diagnostic << "function '" << ore::NV("Function", Remark.function) << "'";
    if (*Remark.block)
      Diagnostic << ", block '" << ore::NV("Block", Remark.block) << "'";
    Diagnostic << ": " << Remark.message;
    Emitter.emit(Diagnostic);
  };
  switch (Remark.kind) {
  case LINEARIZE_PASSED:
    return Send(OptimizationRemark("linearize", "Linearized", Location, Block));
  case LINEARIZE_MISSED:
    return Send(OptimizationRemarkMissed("linearize", "NotLinearized", Location, Block));
  case LINEARIZE_WARNING:
    return Send(
        DiagnosticInfoOptimizationFailure("linearize", "IrreducibleLoopLeft", Location, Block));
  }
}

// Passes that must run, since clang and opt skip others on optnone functions and `force` is for
// those too; LLVM's own switches to skip passes (-opt-bisect-limit) are honoured by hand.
bool isSkipped(Function &F, StringRef Pass, bool Force) {
  if (F.hasOptNone() && !Force)
    return true;
  OptPassGate &Gate = F.getContext().getOptPassGate();
  return Gate.isEnabled() && !Gate.shouldRunPass(Pass, ("function (" + F.getName() + ")").str());
}

// The other modes linearize whatever is unstructured.
bool usesDivergence(linearize_mode Mode) {
  return Mode == LINEARIZE_NEEDED || Mode == LINEARIZE_IRREDUCIBLE;
}

bool isUniform(LLVMValueRef Terminator, void *Branches) {
  return static_cast<linearize::Divergence *>(Branches)->isUniform(
      *cast<Instruction>(unwrap(Terminator)));
}

struct LinearizePass : PassInfoMixin<LinearizePass> {
  linearize_options Options;

  explicit LinearizePass(const linearize_options &Options) : Options(Options) {}
  static StringRef name() { return "LinearizePass"; }
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    if (isSkipped(F, name(), Options.force))
      return PreservedAnalyses::all();
    linearize_report Report = {};
    linearize_options Here = Options;
    linearize::Divergence Branches(F, FAM);
    if (usesDivergence(Options.mode) && Branches.isKnown()) {
      Here.is_uniform = isUniform;
      Here.context = &Branches;
    }
    bool Changed = linearize_function(wrap(&F), &Here, &Report);
    if (Changed && Given->VerifyEach && verifyFunction(F, &errs()))
      report_fatal_error("linearize: function '" + F.getName() + "' is broken");
    if (Changed) // before the emitter asks for block frequencies of what is no longer there
      FAM.invalidate(F, PreservedAnalyses::none());
    auto &Emitter = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
    for (size_t I = 0; I < Report.num_remarks; ++I)
      emit(F, Emitter, Report.remarks[I]);
    linearize_report_release(&Report);
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
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

bool parsePass(StringRef Name, FunctionPassManager &FPM, ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "print<unstructured>") {
    FPM.addPass(PrintUnstructuredPass());
    return true;
  }
  if (Name == "verify<linearized>") {
    FPM.addPass(VerifyLinearizedPass());
    return true;
  }
  if (!Name.consume_front("linearize"))
    return false;
  if (std::string Error = environmentError(); !Error.empty())
    die(Error);
  linearize_options Options = optionsGiven();
  if (Name.consume_front("<") && Name.consume_back(">")) {
    for (StringRef Parameter : split(Name, ';'))
      if (!Parameter.empty())
        addParameter(Parameter, Options);
  } else if (!Name.empty()) {
    return false;
  }
  FPM.addPass(LinearizePass(Options));
  return true;
}

// The phase came with LLVM 20. What is compiled for LTO is linearized once, when all of it is
// there.
[[maybe_unused]] bool isBeforeLink() { return false; }
[[maybe_unused]] bool isBeforeLink(ThinOrFullLTOPhase Phase) {
  return Phase == ThinOrFullLTOPhase::ThinLTOPreLink || Phase == ThinOrFullLTOPhase::FullLTOPreLink;
}

template <typename... PhaseIfKnown>
void addToPipeline(ModulePassManager &MPM, OptimizationLevel Level, PhaseIfKnown... Phase) {
  bool ModeGiven = modeOptionGiven() || environment();
  if (isBeforeLink(Phase...) || (Level == OptimizationLevel::O0 && !ModeGiven))
    return;
  if (std::string Error = environmentError(); !Error.empty())
    MPM.addPass(ReportErrorPass(Error));
  else
    MPM.addPass(createModuleToFunctionPassAdaptor(LinearizePass(optionsGiven())));
}

void registerPasses(PassBuilder &PB) {
  auto Add = [](ModulePassManager &MPM, OptimizationLevel Level, auto... Phase) {
    addToPipeline(MPM, Level, Phase...);
  };
  PB.registerPipelineParsingCallback(parsePass);
  PB.registerOptimizerLastEPCallback(Add);
  PB.registerFullLinkTimeOptimizationLastEPCallback(Add);
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
  if (!Given)
    return reinterpret_cast<PassPluginLibraryInfo (*)()>(AnyFunction(refuseToLoad))();
  PassPluginLibraryInfo Info = {};
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "linearize";
  Info.PluginVersion = "0.1";
  Info.RegisterPassBuilderCallbacks = registerPasses;
  return Info;
}
