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

typedef enum tool_form { FORM_TABLE, FORM_JSON, FORM_CSV } tool_form;

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
  bool blocks;         // metrics of each block, too
  bool annotate;       // print the functions with their counts
  const char *vectors; // the file for basic-block vectors, or NULL
} tool_options;

// Parses the command line, and launch files that it names; ends the program if it is wrong, or for
// --help. What `options` points to is in the arena.
void tool_options_parse(lin_arena *arena, int argc, char **argv, tool_options *options);

#endif
