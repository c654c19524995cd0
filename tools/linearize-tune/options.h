// The command line of linearize-tune.
#ifndef LIN_TOOLS_TUNE_OPTIONS_H
#define LIN_TOOLS_TUNE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tool_options {
  const char *output;
  const char *versions; // that are made of PTX, as linearize-ptx --versions has them
  bool anew;            // what the output has is forgotten
  bool all;             // every version of every kernel is printed
  bool check;           // what versions write is compared
  bool is_own_output;   // the output isn't PROGRAM.linearize
  uint32_t runs, launches;
  char *const *program; // and its arguments, ended by NULL
} tool_options;

// Ends the program if the command line makes no sense.
void tool_options_parse(int argc, char **argv, tool_options *options);

#endif
