#include "pipeline.h"

#include "llvm/ask/versions.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

extern "C" PassPluginLibraryInfo llvmGetPassPluginInfo();

namespace {

struct Handler : DiagnosticHandler {
  const lin_pipeline_listener &Listener;
  bool HasError = false;

  explicit Handler(const lin_pipeline_listener &Listener) : Listener(Listener) {}

  bool isAnyRemarkEnabled() const override { return true; }
  bool isAnalysisRemarkEnabled(StringRef Pass) const override { return Pass == "linearize"; }
  bool isMissedOptRemarkEnabled(StringRef Pass) const override { return Pass == "linearize"; }
  bool isPassedOptRemarkEnabled(StringRef Pass) const override { return Pass == "linearize"; }

  void tell(lin_pipeline_kind Kind, const std::string &Message) const {
    lin_pipeline_remark Remark = {Kind,           "", "", "", 0, ~0u, Message.c_str(),
                                  Message.size(), 0,  0,  0};
    Listener.remark(Listener.context, &Remark);
  }

  // The message begins with function and block, for those who read nothing else (remarks.cpp).
  void tell(const DiagnosticInfoOptimizationBase &Remark) const {
    std::string Function = Remark.getFunction().getName().str(), Block, Message = Remark.getMsg();
    size_t Brief = 0;
    unsigned Region = ~0u;
    double Gain = 0, Executed = 0, Cost = 0;
    bool HasDetails = false;
    for (const auto &Argument : Remark.getArgs()) {
      HasDetails |= Argument.Key == "Details";
      Brief += HasDetails ? 0 : Argument.Val.size();
      if (Argument.Key == "Block")
        Block = Argument.Val;
      if (Argument.Key == "Region" && Region == ~0u)
        StringRef(Argument.Val).getAsInteger(10, Region);
      double *Number = StringSwitch<double *>(Argument.Key)
                           .Case("Gain", &Gain)
                           .Case("Executed", &Executed)
                           .Case("Cost", &Cost)
                           .Default(nullptr);
      if (Number)
        StringRef(Argument.Val).getAsDouble(*Number);
    }
    const std::string Named = Block.empty() ? "': " : ", block '" + Block + "': ";
    const size_t End = Message.find(Named);
    if (StringRef(Message).starts_with("function '") && End != std::string::npos)
      Message.erase(0, End + Named.size());
    if (HasDetails)
      Brief -= Remark.getMsg().size() - Message.size();
    lin_pipeline_kind Kind = Remark.getSeverity() == DS_Warning ? LIN_PIPELINE_WARNING
                             : Remark.isPassed()                ? LIN_PIPELINE_PASSED
                             : Remark.isMissed()                ? LIN_PIPELINE_MISSED
                                                                : LIN_PIPELINE_ANALYSIS;
    const unsigned Line = Remark.isLocationAvailable() ? Remark.getLocation().getLine() : 0;
    lin_pipeline_remark Told = {Kind,
                                Remark.getRemarkName().data(),
                                Function.c_str(),
                                Block.c_str(),
                                Line,
                                Region,
                                Message.c_str(),
                                HasDetails ? Brief : Message.size(),
                                Gain,
                                Executed,
                                Cost};
    Listener.remark(Listener.context, &Told);
  }

  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (const auto *Remark = dyn_cast<DiagnosticInfoOptimizationBase>(&Info)) {
      if (Remark->getPassName() == "linearize")
        tell(*Remark);
      return true;
    }
    if (Info.getSeverity() != DS_Error && Info.getSeverity() != DS_Warning)
      return true;
    std::string Text;
    raw_string_ostream Stream(Text);
    DiagnosticPrinterRawOStream Printer(Stream);
    Info.print(Printer);
    HasError |= Info.getSeverity() == DS_Error;
    tell(Info.getSeverity() == DS_Error ? LIN_PIPELINE_ERROR : LIN_PIPELINE_WARNING, Text);
    return true;
  }
};

struct Analyses {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;

  explicit Analyses(PassBuilder &Builder) {
    Builder.registerModuleAnalyses(MAM);
    Builder.registerCGSCCAnalyses(CGAM);
    Builder.registerFunctionAnalyses(FAM);
    Builder.registerLoopAnalyses(LAM);
    Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }
};

bool runPasses(Module &M, TargetMachine *Machine, StringRef Passes, const Handler &Told) {
  PassBuilder Builder(Machine);
  llvmGetPassPluginInfo().RegisterPassBuilderCallbacks(Builder);
  Analyses Known(Builder);
  ModulePassManager Manager;
  if (Error Wrong = Builder.parsePassPipeline(Manager, Passes)) {
    Told.tell(LIN_PIPELINE_ERROR, toString(std::move(Wrong)));
    return false;
  }
  Manager.run(M, Known.MAM);
  return !Told.HasError;
}

} // namespace

int lin_pipeline_run(LLVMModuleRef Wrapped, LLVMTargetMachineRef Machine, const char *Before,
                     const char *Passes, const lin_pipeline_listener *Listener) {
  Module &M = *unwrap(Wrapped);
  auto *Target = reinterpret_cast<TargetMachine *>(Machine);
  std::unique_ptr<DiagnosticHandler> Former = M.getContext().getDiagnosticHandler();
  auto Own = std::make_unique<Handler>(*Listener);
  Handler &Told = *Own;
  M.getContext().setDiagnosticHandler(std::move(Own));
  bool IsGood = runPasses(M, Target, Before, Told);
  StringMap<uint64_t> Was;
  for (const Function &F : M)
    if (!F.isDeclaration())
      Was[F.getName()] = StructuralHash(F, /*DetailedHash=*/true);
  IsGood = IsGood && runPasses(M, Target, Passes, Told);
  for (const Function &F : M) {
    auto Found = Was.find(F.getName());
    if (!F.isDeclaration() &&
        (Found == Was.end() || Found->second != StructuralHash(F, /*DetailedHash=*/true)))
      Listener->changed(Listener->context, F.getName().str().c_str());
  }
  IsGood = IsGood && !verifyModule(M);
  M.getContext().setDiagnosticHandler(std::move(Former));
  return IsGood ? 0 : 1;
}

void lin_pipeline_drop_body(LLVMValueRef Function) {
  unwrap<llvm::Function>(Function)->deleteBody();
}
