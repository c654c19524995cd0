#include "parse.h"

#include "divergence.h"
#include "linearize/linearize.h"
#include "passes.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace linearize;

void linearize::die(const Twine &Message) {
  report_fatal_error("linearize: " + Message, /*gen_crash_diag=*/false);
}

namespace {

PreservedAnalyses print(char *Text) {
  errs() << Text;
  linearize_text_release(Text);
  return PreservedAnalyses::all();
}

struct PrintUnstructuredPass : PassInfoMixin<PrintUnstructuredPass> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    return print(linearize_print_unstructured(wrap(&F)));
  }
};

struct PrintPassesPass : PassInfoMixin<PrintPassesPass> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &, ModuleAnalysisManager &) {
    return print(linearize_print_passes());
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
    Divergence Branches(F, FAM);
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

void finish(Settings &Here) {
  Here.finish();
  if (!Here.Error.empty())
    die(Here.Error);
}

// The settings with those between < and > behind a pass's name, the first of which is of the option
// `Before`. `Otherwise`: what is said if they aren't there, as they may be if it `IsOptional`.
Settings readNamed(StringRef Name, StringRef Pass, const char *Before, const char *Otherwise,
                   bool IsOptional = false) {
  StringRef Rest = Name;
  Settings Here;
  Rest.consume_front(Pass);
  if (Rest.consume_front("<") ? !Rest.consume_back(">") : !IsOptional)
    die("'" + Name + "' " + Otherwise);
  Here.read(Name, Before + Rest.str());
  finish(Here);
  return Here;
}

// linearize-versions<NAME:NAME:...;OPTION;...> and linearize-tuned<FILE;OPTION;...>
void addNamedVersions(ModulePassManager &MPM, StringRef Name) {
  if (Name.starts_with("linearize-tuned"))
    addVersions(MPM, readNamed(Name, "linearize-tuned", "tuned=",
                               "names no file, as 'linearize-tuned<app.linearize>' does"));
  else
    addVersions(MPM, readNamed(Name, "linearize-versions", "versions=",
                               "names no versions, as 'linearize-versions<needed:paper>' does"));
}

// linearize-regroup and linearize-regroup<OPTION;...>
void addNamedFinding(ModulePassManager &MPM, StringRef Name) {
  addFinding(MPM, readNamed(Name, "linearize-regroup", "", "has no '>'", /*IsOptional=*/true));
}

// linearize-pipeline<OPTION;...>
void addNamedPipeline(ModulePassManager &MPM, StringRef Name) {
  const Settings Here =
      readNamed(Name, "linearize-pipeline", "", "is not written as linearize-pipeline<OPTION;...>");
  addTransformations(MPM, Here);
  addWhatIsCounted(MPM, Here);
}

constexpr const char *Probe = "mark<uniform>"; // a pass that only this plugin has

bool parseModulePass(StringRef Name, ModulePassManager &MPM,
                     ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "linearize-count" || Name == "linearize-count-passes")
    addCounting(MPM, /*Passes=*/Name == "linearize-count-passes", /*Plain=*/false);
  else if (Name.starts_with("linearize-versions") || Name.starts_with("linearize-tuned"))
    addNamedVersions(MPM, Name);
  else if (Name == "linearize-reorder-mark")
    addMarking(MPM);
  else if (Name == "linearize-reorder")
    addRegrouping(MPM, Settings());
  else if (Name.starts_with("linearize-regroup"))
    addNamedFinding(MPM, Name);
  else if (Name.starts_with("linearize-pipeline"))
    addNamedPipeline(MPM, Name);
  else if (Name == "print<linearize-passes>")
    MPM.addPass(PrintPassesPass());
  else
    return false;
  return true;
}

// linearize<...>, and those that have its parameters.
bool parseLinearize(StringRef Name, FunctionPassManager &FPM) {
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
  finish(Here);
  if (Here.makesVersions())
    die("versions are made of a whole module: 'linearize-versions<...>' makes some");
  addLinearizing(FPM, Here);
  return true;
}

bool parsePass(StringRef Name, FunctionPassManager &FPM, ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "print<unstructured>")
    FPM.addPass(PrintUnstructuredPass());
  else if (Name == "verify<linearized>")
    FPM.addPass(VerifyLinearizedPass());
  else if (Name == Probe)
    FPM.addPass(MarkUniformPass());
  else
    return parseLinearize(Name, FPM);
  return true;
}

} // namespace

bool linearize::registerNames(PassBuilder &PB) {
  FunctionPassManager FPM;
  if (!errorToBool(PB.parsePassPipeline(FPM, Probe)))
    return false;
  PB.registerPipelineParsingCallback(parsePass);
  PB.registerPipelineParsingCallback(parseModulePass);
  return true;
}
