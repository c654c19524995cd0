// What the options are, from wherever they come.
//
// Options of opt and clang (-mllvm, -Xarch_device -mllvm=...): -linearize-NAME, for each name of
// lib/llvm/run/option_table.c; and -linearize-verify-each, LLVM's verifier on each function that
// was changed. The environment variable LINEARIZE_OPTIONS has a list of the pass's parameters, for
// where there is no way to give options: the link step of -foffload-lto; LINEARIZE_MODE has a mode.
// Of two that contradict each other, the later one wins: environment, options, parameters, and last
// the function's attributes (linearize.h).
#ifndef LIN_PLUGIN_SETTINGS_H
#define LIN_PLUGIN_SETTINGS_H

#include "linearize/linearize.h"
#include "versions/winners.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace linearize {

// Whether options could be made for the LLVM that has loaded this file: else nothing can be done
// here, and that was said.
bool canBeUsed();

// Whether that is because another copy of this plugin does it.
bool isSecondCopy();

// -linearize-verify-each
bool verifiesEach();

// The path of this plugin, as far as it is known.
std::string ownPath();

class Settings {
public:
  std::string Error; // the first thing that was wrong

  // The environment and the command line.
  Settings();

  // A list as linearize.h has it; `Where` it comes from.
  void read(llvm::StringRef Where, std::string List);

  // Nothing else is to come: does all of it fit together, and what do the files say that it names?
  void finish();

  // Valid as long as the settings are.
  linearize_options options() const;

  // A mode was given, be it the default one.
  bool hasMode() const { return HasMode; }

  // Of kernels: by name, or those that a file knows to be the fastest.
  bool makesVersions() const { return !Versions.empty() || !TunedFile.empty(); }
  const lin_winners_file *winners() const { return Winners.get(); }

private:
  linearize_options Options = linearize_default_options();
  std::string Only, ProfileFile, Versions, TunedFile, Except;
  std::shared_ptr<lin_winners_file> Winners;
  std::shared_ptr<linearize_profile> Profile;
  bool HasMode = false;

  void readEnvironment();
  void readCommandLine();
  void checkTogether();
  void readTuned();
  void readProfile();
};

} // namespace linearize

#endif
