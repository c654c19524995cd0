// The command line of linearize-simt.
#ifndef LIN_TOOLS_SIMT_OPTIONS_H
#define LIN_TOOLS_SIMT_OPTIONS_H

#include "common/command_line.h"
#include "simt/grid.h"

#include <stdbool.h>

enum { TOOL_MAX_ARGUMENTS = 64 };

typedef struct tool_dump {
  unsigned argument; // number of the buffer
  const char *file;
} tool_dump;

typedef enum tool_form { FORM_TABLE, FORM_JSON } tool_form;

typedef struct tool_options {
  const char *file;
  const char *compare; // the other module, or NULL
  simt_launch launch;
  const char *argument[TOOL_MAX_ARGUMENTS]; // as given, see arguments.h
  unsigned num_arguments;
  tool_dump dump[TOOL_MAX_ARGUMENTS];
  unsigned num_dumps;
  unsigned print[TOOL_MAX_ARGUMENTS]; // numbers of buffers
  unsigned num_prints;
  tool_form form;
  bool blocks; // metrics of each block, too
} tool_options;

// Parses the command line; ends the program if it is wrong, or for --help.
void tool_options_parse(int argc, char **argv, tool_options *options);

// A number of a given base (0: as in C) that is all of `text`; ends the program for others.
uint64_t tool_number(const char *option, const char *text, uint64_t limit);

#endif
