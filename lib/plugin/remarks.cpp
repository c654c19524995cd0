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

// Whether who hears of a function wants details, too; or nobody does, and it is for a record.
static bool wantsAll(const Function &F) {
  const DiagnosticHandler &Listener = *F.getContext().getDiagHandlerPtr();
  return Listener.isAnalysisRemarkEnabled("linearize") || !Listener.isAnyRemarkEnabled("linearize");
}

// The message between two places, in which the numbers are arguments with names, for the YAML file;
// First is the name of the first piece.
template <typename Diagnostic>
static void addMessage(Diagnostic &To, const linearize_remark &Remark, size_t At, size_t End,
                       StringRef First) {
  const StringRef Message = StringRef(Remark.message).take_front(End);
  for (const linearize_argument &Argument : ArrayRef(Remark.argument, Remark.num_arguments)) {
    if (Argument.length == 0 || Argument.start < At || Argument.start >= Message.size())
      continue;
    To << NV(First, Message.slice(At, Argument.start));
    At = Argument.start + Argument.length;
    To << NV(Argument.name, Message.slice(Argument.start, At));
    First = "String";
  }
  if (At < Message.size())
    To << NV(First, Message.drop_front(At));
}

template <typename Diagnostic> static void addPlace(Diagnostic &To, const Place &Where) {
  if (Where.Written != Where.Shown)
    To << "at " << NV("Source", fileAndLine(*Where.Written)) << " ";
  To << "in '" << NV("Callee", Where.Written->getScope()->getSubprogram()->getName())
     << "', inlined at " << NV("InlinedAt", fileAndLine(*Where.Own));
}

// For which of several targets, and if that is to be said, where the code was written, if not in
// the function.
template <typename Diagnostic>
static void addOrigin(Diagnostic &To, const Function &F, const Place &Where, bool SaysPlace) {
  if (F.hasFnAttribute("linearize-ptx")) // whose text names one target
    return;
  StringRef Name = architecture(F);
  SaysPlace = SaysPlace && Where.isInlined();
  if (Name.empty() && !SaysPlace)
    return;
  To << " (";
  if (!Name.empty())
    To << "for " << NV("Target", Name) << (SaysPlace ? ", " : "");
  if (SaysPlace)
    addPlace(To, Where);
  To << ")";
}

// For programs alone.
template <typename Diagnostic>
static void addHidden(Diagnostic &To, const linearize_remark &Remark) {
  for (const linearize_argument &Argument : ArrayRef(Remark.argument, Remark.num_arguments))
    if (Argument.length == 0)
      To << NV(Argument.name, Argument.value);
}

// As C++ writes it; a version's name goes on behind that of its kernel.
static std::string titleOf(StringRef Symbol) {
  const size_t End = std::min(Symbol.find(LIN_VERSIONS_FUNCTION_INFIX), Symbol.size());
  return demangle(Symbol.substr(0, End).str()) + Symbol.substr(End).str();
}

static constexpr size_t Dots = 3;

// What a person reads of a title: a long one has no arguments of templates, and is cut if that
// leaves too much. `operator<` opens no arguments, so a title with an operator keeps them.
static std::string shortTitle(const std::string &Title, size_t Most) {
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
  return Short.size() <= Most ? Short : Short.substr(0, std::max(Most, Dots) - Dots) + "...";
}

// Function and block are named, for there is no source line without debug information.
template <typename Diagnostic>
static void addRemark(Diagnostic &To, const Function &F, const Place &Where,
                      const linearize_remark &Remark, size_t MostOfTitle) {
  const std::string Title = titleOf(Remark.function), Short = shortTitle(Title, MostOfTitle);
  const bool IsWhole = Short == Title, HasDetails = wantsAll(F);
  const size_t All = StringRef(Remark.message).size();
  To << "function '";
  if (IsWhole)
    To << NV("Function", Title) << "'";
  else
    To << Short << "'";
  if (*Remark.block)
    To << ", block '" << NV("Block", Remark.block) << "'";
  To << ": ";
  addMessage(To, Remark, 0, Remark.brief, "String");
  if (HasDetails)
    addMessage(To, Remark, Remark.brief, All, "Details");
  addOrigin(To, F, Where, HasDetails);
  To << ore::setExtraArgs(); // the record has them, and no message
  if (!HasDetails)
    addMessage(To, Remark, Remark.brief, All, "Details");
  if (!HasDetails && Where.isInlined())
    addPlace(To, Where);
  addHidden(To, Remark);
  if (!IsWhole)
    To << NV("Function", Title);
}

// A line has room for so much; of a function's name at least so much stays.
static constexpr size_t MostOfLine = 159, LeastOfTitle = 24, MostOfTitle = 120 + Dots;

void linearize::emit(Function &F, OptimizationRemarkEmitter &Emitter,
                     const linearize_remark &Remark) {
  Place Where(F, Remark.instruction);
  auto Send = [&](auto Diagnostic) {
    auto Draft = Diagnostic;
    addRemark(Draft, F, Where, Remark, 0);
    const size_t Rest = Draft.getMsg().size() - Dots;
    const size_t Room = MostOfLine - std::min(MostOfLine - LeastOfTitle, Rest);
    addRemark(Diagnostic, F, Where, Remark, wantsAll(F) ? MostOfTitle : Room);
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
