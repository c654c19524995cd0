// The command line of linearize-ptx.
#ifndef LIN_TOOLS_PTX_OPTIONS_H
#define LIN_TOOLS_PTX_OPTIONS_H

#include "ptx/run.h"

typedef struct tool_options {
  const char *file;   // "-": standard input
  const char *output; // NULL: standard output
  bool checks;        // writes nothing: the exit status says whether anything would change
  bool shows_diff;
  unsigned said; // a bit for each lin_ptx_remark_kind that is printed
  lin_ptx_options linearize;
} tool_options;

// Ends the program if the command line makes no sense.
void tool_options_parse(int argc, char **argv, tool_options *options);

#endif
