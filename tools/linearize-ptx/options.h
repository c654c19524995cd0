// The command line of linearize-ptx.
#ifndef LIN_TOOLS_LINEARIZE_PTX_OPTIONS_H
#define LIN_TOOLS_LINEARIZE_PTX_OPTIONS_H

#include "common/ptx_options.h"

typedef struct tool_options {
  const char *file;    // "-": standard input
  const char *output;  // NULL: standard output
  const char *remarks; // a file for all remarks, as YAML; or NULL
  bool checks;         // writes nothing: the exit status says whether anything would change
  bool shows_diff;
  bool verifies; // by ptxas, which may refuse what came out
  tool_ptx_options ptx;
} tool_options;

// Ends the program if the command line makes no sense.
void tool_options_parse(int argc, char **argv, tool_options *options);

#endif
