// The options of linearizing PTX, which linearize-ptx and linearize-run have on their command
// lines, linearize-ptxas and what linearize-run preloads in the environment, and the remarks that
// they choose.
#ifndef LIN_TOOLS_PTX_OPTIONS_H
#define LIN_TOOLS_PTX_OPTIONS_H

#include "ptx/remark.h"

#include "choose/modes.h"

// Bits of `said` beside those of kinds.
enum {
  TOOL_PTX_SUMMARY = 1 << 8, // how many kernels of a file were changed
  TOOL_PTX_DETAILS = 1 << 9, // of a remark all, not only what matters
};

typedef struct tool_ptx_options {
  unsigned said; // a bit for each lin_ptx_remark_kind that is printed
  char *given;   // all that changes PTX, as the plugin has it: `mode=paper;vote`; or NULL: nothing
  lin_mode mode; // LIN_NO_MODE: none
  bool has_mode; // --mode was given
  bool merges_loops;
  bool has_versions;      // --versions or --tuned
  bool chooses;           // --versions: somebody has to choose when the program runs
  bool has_others;        // what is done wherever threads part: votes, regrouping
  bool melds, regardless; // arms that do the same work are melded; even where nothing gains
  bool no_meld;           // mode needed doesn't
  bool counts;            // kernels count what they do
  bool force;             // functions that were compiled with -G, too
  bool jit;               // linearize-run: changed PTX is compiled although there is machine code
  uint32_t sm;            // it will run on GPUs of sm_N; 0: on those that the module names
  unsigned most_seconds;  // for the helper that lifts a module, which then is left alone
} tool_ptx_options;

// Mode needed at level O4; remarks that --remarks=`remarks` chooses.
tool_ptx_options tool_ptx_defaults(const char *remarks);

// Whether nothing at all is asked for.
static inline bool tool_ptx_is_idle(const tool_ptx_options *options) {
  return options->mode == LIN_NO_MODE && !options->merges_loops && !options->has_versions &&
         !options->has_others && !options->melds && !options->counts;
}

// Whether argv[*at] is such an option, which is taken, and *at moved to the last argument used.
// Ends the program if its value makes no sense.
bool tool_ptx_option(int argc, char **argv, int *at, tool_ptx_options *options);

// Takes the options of $LINEARIZE_OPTIONS, NAME=VALUE or NAME with semicolons or blanks between
// them, without their dashes: `mode=paper;remarks=all`. Ends the program if one makes no sense.
void tool_ptx_environment(tool_ptx_options *options);

// Prints a remark about `file` on standard error, if its kind is one that is printed.
void tool_ptx_print(const tool_ptx_options *options, const char *file,
                    const lin_ptx_remark *remark);

#endif
