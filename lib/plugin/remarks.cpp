#include "remarks.h"

#include "versions/format.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"

#include <algorithm>
#include <string>

using namespace llvm;
using ore::NV;

// "sm_90", "gfx90a"; empty: a CPU, or nobody knows.
static StringRef architecture(const Function &F) {
  StringRef Name = F.getFnAttribute("target-cpu").getValueAsString();
  return Name.starts_with("sm_") || Name.starts_with("gfx") ? Name : "";
}

namespace {

// Where the code of a remark comes from. A function that is inlined is inlined at a place in its
// caller, which may be inlined, too:
//
//   hash.h:9, inlined at hash.h:30, inlined at kernel.cu:24, inlined at kernel.cu:37
//   Written                                    Shown                    Own
struct Place {
  const BasicBlock *Block;
  DiagnosticLocation Location;         // the function's own, if the others are null
  const DILocation *Written = nullptr; // where the code stands
  const DILocation *Shown = nullptr;   // nearest to that in the function's own file
  const DILocation *Own = nullptr;     // in the function itself

  Place(const Function &F, LLVMValueRef Near)
      : Block(&F.getEntryBlock()), Location(F.getSubprogram()) {
    const auto *I = cast_or_null<Instruction>(unwrap(Near));
    if (I)
      Block = I->getParent();
    if (!I || !I->getDebugLoc() || !F.getSubprogram())
      return;
    Written = I->getDebugLoc().get();
    for (const DILocation *At = Written; At; At = At->getInlinedAt()) {
      if (!Shown && At->getFile() == F.getSubprogram()->getFile())
        Shown = At;
      Own = At;
    }
    Shown = Shown ? Shown : Own;
    Location = DebugLoc(Shown);
  }

  bool isInlined() const { return Written != Own; }
};

} // namespace

static std::string fileAndLine(const DILocation &Location) {
  return (Location.getFilename() + ":" + Twine(Location.getLine())).str();
}

// The message, in which the numbers are arguments with names, for the YAML file.
template <typename Diagnostic>
static void addMessage(Diagnostic &To, const linearize_remark &Remark) {
  StringRef Message = Remark.message;
  size_t At = 0;
  for (size_t I = 0; I < Remark.num_arguments; ++I) {
    const linearize_argument &Argument = Remark.argument[I];
    To << Message.slice(At, Argument.start);
    At = Argument.start + Argument.length;
    To << NV(Argument.name, Message.slice(Argument.start, At));
  }
  To << Message.drop_front(At);
}

// For which of several targets, and where the code was written, if not in the function.
template <typename Diagnostic>
static void addOrigin(Diagnostic &To, const Function &F, const Place &Where) {
  if (F.hasFnAttribute("linearize-ptx")) // whose text names one target
    return;
  StringRef Name = architecture(F);
  if (Name.empty() && !Where.isInlined())
    return;
  To << " (";
  if (!Name.empty())
    To << "for " << NV("Target", Name) << (Where.isInlined() ? ", " : "");
  if (Where.isInlined()) {
    if (Where.Written != Where.Shown)
      To << "at " << NV("Source", fileAndLine(*Where.Written)) << " ";
    To << "in '" << NV("Callee", Where.Written->getScope()->getSubprogram()->getName())
       << "', inlined at " << NV("InlinedAt", fileAndLine(*Where.Own));
  }
  To << ")";
}

// As C++ writes it; a version's name goes on behind that of its kernel.
static std::string titleOf(StringRef Symbol) {
  const size_t End = std::min(Symbol.find(LIN_VERSIONS_FUNCTION_INFIX), Symbol.size());
  return demangle(Symbol.substr(0, End).str()) + Symbol.substr(End).str();
}

// What a person reads of a title: a long one has no arguments of templates, and is cut if that
// leaves too much. `operator<` opens no arguments, so a title with an operator keeps them.
static std::string shortTitle(const std::string &Title) {
  const size_t Most = 120; // characters: a line of a wide terminal, with file and line before it
  if (Title.size() <= Most)
    return Title;
  std::string Short;
  unsigned Depth = 0;
  const bool HasOperator = StringRef(Title).contains("operator");
  for (const char C : Title) {
    if (!HasOperator && C == '>' && Depth > 0 && --Depth == 0)
      Short += "...";
    if (Depth == 0)
      Short += C;
    if (!HasOperator && C == '<')
      Depth++;
  }
  return Short.size() <= Most ? Short : Short.substr(0, Most) + "...";
}

// Function and block are named, for there is no source line without debug information.
template <typename Diagnostic>
static void addRemark(Diagnostic &To, const Function &F, const Place &Where,
                      const linearize_remark &Remark) {
  const std::string Title = titleOf(Remark.function), Short = shortTitle(Title);
  const bool IsWhole = Short == Title;
  To << "function '";
  if (IsWhole)
    To << NV("Function", Title) << "'";
  else
    To << Short << "'";
  if (*Remark.block)
    To << ", block '" << NV("Block", Remark.block) << "'";
  To << ": ";
  addMessage(To, Remark);
  addOrigin(To, F, Where);
  if (!IsWhole) // the record has it, and no message
    To << ore::setExtraArgs() << NV("Function", Title);
}

void linearize::emit(Function &F, OptimizationRemarkEmitter &Emitter,
                     const linearize_remark &Remark) {
  Place Where(F, Remark.instruction);
  auto Send = [&](auto Diagnostic) {
    addRemark(Diagnostic, F, Where, Remark);
    Emitter.emit(Diagnostic);
  };
  switch (Remark.kind) {
  case LINEARIZE_PASSED:
    return Send(OptimizationRemark("linearize", Remark.name, Where.Location, Where.Block));
  case LINEARIZE_MISSED:
    return Send(OptimizationRemarkMissed("linearize", Remark.name, Where.Location, Where.Block));
  case LINEARIZE_ANALYSIS:
    return Send(OptimizationRemarkAnalysis("linearize", Remark.name, Where.Location, Where.Block));
  case LINEARIZE_WARNING:
    return Send(
        DiagnosticInfoOptimizationFailure("linearize", Remark.name, Where.Location, Where.Block));
  case LINEARIZE_ERROR:
    return F.getContext().emitError("linearize: function '" + titleOf(Remark.function) +
                                    "': " + Remark.message);
  }
}

void linearize::emitForModule(Module &M, bool IsWarning, StringRef Name, StringRef Message) {
  auto First = find_if_not(M, [](const Function &F) { return F.isDeclaration(); });
  if (First == M.end())
    return;
  Place Where(*First, nullptr);
  OptimizationRemarkEmitter Emitter(&*First);
  auto Send = [&](auto Diagnostic) {
    Diagnostic << Message;
    Emitter.emit(Diagnostic);
  };
  if (IsWarning)
    Send(DiagnosticInfoOptimizationFailure("linearize", Name, Where.Location, Where.Block));
  else
    Send(OptimizationRemarkMissed("linearize", Name, Where.Location, Where.Block));
}
