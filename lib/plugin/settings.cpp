#include "settings.h"

#include "versions/excepted.h"
#include "versions/variable.h"
#include "llvm/run/option_table.h"
#include "llvm/run/version_names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <vector>

#include <dlfcn.h>

using namespace llvm;

// Weak: a host without LLVM's C API must still be able to load this file and be told so.
extern "C" __attribute__((weak)) void LLVMGetVersion(unsigned *, unsigned *, unsigned *);

// ---- the command line

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

} // namespace

namespace linearize {

bool canBeUsed() { return Given; }
bool isSecondCopy() { return IsSecond; }
bool verifiesEach() { return Given->VerifyEach; }

std::string ownPath() {
  Dl_info Info = {};
  return dladdr(&Given, &Info) && Info.dli_fname ? Info.dli_fname : "this file";
}

} // namespace linearize

__attribute__((constructor)) static void createOptions() {
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
                 linearize::ownPath().c_str());
  else
    Given = new CommandLine;
}

// ---- settings

using linearize::Settings;

Settings::Settings() {
  readEnvironment();
  readCommandLine();
}

// Takes over what is at the start of an item of a list, which may be gone by and by.
static void keep(const char *&Item, std::string &Kept) {
  if (Item)
    Kept = StringRef(Item).take_until([](char C) { return C == ',' || C == ';'; }).str();
  Item = nullptr;
}

void Settings::read(StringRef Where, std::string List) {
  char *Message = nullptr;
  lin_excepted_clean(List.data());
  if (!linearize_parse_options(List.c_str(), &Options, &Message) && Error.empty())
    Error = (Where + ": " + Message).str();
  linearize_text_release(Message);
  if (Options.only)
    Only = StringRef(Options.only).take_while([](char C) { return isDigit(C) || C == '+'; }).str();
  keep(Options.profile_file, ProfileFile);
  keep(Options.versions, Versions);
  keep(Options.tuned_file, TunedFile);
  keep(Options.except, Except);
  Options.only = nullptr; // List may be gone by then
}

// With versions the plain kernels stay plain; beside a file, no nest may be kept that it knows
// nothing of.
void Settings::checkTogether() {
  char *Wrong = Versions.empty() ? nullptr : lin_ir_wrong_versions(Versions.c_str());
  if (Wrong)
    Error = std::string("versions: ") + Wrong;
  else if (!Versions.empty() && (HasMode || Options.meld || Options.merge_loops ||
                                 Options.interleave || Options.limit_depth > 0))
    Error =
        "versions: kernels stay plain beside their versions; mode, meld, merge-loops, interleave "
        "and limit-depth are words of versions' names, like needed.merge-loops";
  else if (Options.redirected)
    Error = "redirected: only a version is: -linearize-versions=plain,redirected";
  else if (Options.refilled || Options.refill_at > 0 || Options.refill_every > 0)
    Error = "refilled: only a version is: -linearize-versions=plain,refilled";
  else if (!TunedFile.empty() && Options.merge_loops)
    Error = "tuned: beside it loops can't be merged in all kernels: linearize-tune finds in which "
            "that gains";
  linearize_text_release(Wrong);
}

void Settings::readTuned() {
  char Message[320];
  Winners.reset(lin_winners_read(TunedFile.c_str(), Message), lin_winners_release);
  if (!Winners)
    Error = Message;
}

void Settings::readProfile() {
  char *Message = nullptr;
  Profile.reset(linearize_profile_read(ProfileFile.c_str(), &Message), linearize_profile_release);
  if (!Profile)
    Error = Message;
  linearize_text_release(Message);
}

void Settings::finish() {
  if (Error.empty())
    checkTogether();
  if (Error.empty() && !TunedFile.empty())
    readTuned();
  if (Error.empty() && !ProfileFile.empty())
    readProfile();
}

linearize_options Settings::options() const {
  linearize_options Result = Options;
  Result.only = Only.empty() ? nullptr : Only.c_str();
  Result.profile = Profile.get();
  Result.versions = Versions.empty() ? nullptr : Versions.c_str();
  Result.except = Except.empty() ? nullptr : Except.c_str();
  Result.count |= Result.count_passes || Result.count_plain;
  if (Result.count && !HasMode) // a profile is of the code as it was
    Result.mode = LINEARIZE_NONE;
  return Result;
}

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

// LINEARIZE_OPTIONS, without what is for the tools that read PTX: clang says its remarks itself.
static std::string listOfEnvironment() {
  std::string List = variable("LINEARIZE_OPTIONS"), Own;
  lin_variable_normalize(List.data());
  std::stringstream Words(List);
  for (std::string Word; std::getline(Words, Word, ';');)
    if (Word.rfind("remarks=", 0) != 0 && Word != "jit")
      Own += Word + ";";
  return Own;
}

void Settings::readEnvironment() {
  std::string Mode = variable("LINEARIZE_MODE"), List = listOfEnvironment();
  if (Given->hasMode())
    Mode = ""; // isn't even looked at
  if (!Mode.empty() && !linearize_parse_mode(Mode.c_str(), &Options.mode))
    Error = "LINEARIZE_MODE is '" + Mode + "', not needed, irreducible, paper, all or none";
  read("LINEARIZE_OPTIONS", List);
  HasMode = !Mode.empty() || setsMode(List);
}

void Settings::readCommandLine() {
  HasMode |= Given->hasMode();
  for (const auto &Option : Given->Options) {
    if (!Option->isGiven())
      continue;
    std::string Name = Option->Row.name;
    std::string Value = Option->Value ? Option->Value->getValue() : "";
    if (Option->Row.kind == LIN_OPTION_VERSIONS)
      std::replace(Value.begin(), Value.end(), ',', ':');
    if (Option->Word)
      read("-" + Option->Name, Name);
    else if (Option->Row.kind == LIN_OPTION_FILE && !Value.empty())
      (Name == "profile" ? ProfileFile : TunedFile) = Value; // may have commas
    else
      read("-" + Option->Name, Name + "=" + Value);
  }
}
