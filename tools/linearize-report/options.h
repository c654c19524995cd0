// The command line of linearize-report.
#ifndef LIN_TOOLS_REPORT_OPTIONS_H
#define LIN_TOOLS_REPORT_OPTIONS_H

#include "common/command_line.h"
#include "graph/arena.h"

#include <stdbool.h>

typedef struct report_words {
  const char **word;
  uint32_t count, capacity;
} report_words;

typedef struct report_options {
  const char *file;
  const char *output;     // "-" is standard output
  const char *function;   // NULL: all
  const char *parameters; // of the pass: "paper;level=O2"
  const char *profile;    // NULL: none
  const char *counts;     // of what was run, to be shown; NULL: none, or of the launch
  const char *gpu_arch;
  const char *clang, *opt, *plugin; // NULL: those of the build
  uint32_t most_blocks;             // functions with more aren't drawn
  uint32_t most_functions;          // on the page
  bool any_target;
  report_words launch;   // for linearize-simt; none: nothing is run
  report_words compiler; // for clang
} report_options;

// Parses the command line into the arena; ends the program if it is wrong, or for --help.
void report_options_parse(lin_arena *arena, int argc, char **argv, report_options *options);

void report_add_word(lin_arena *arena, report_words *words, const char *word);

#endif
