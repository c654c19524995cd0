// The command line of linearize-simt.
#ifndef LIN_TOOLS_SIMT_OPTIONS_H
#define LIN_TOOLS_SIMT_OPTIONS_H

#include "common/command_line.h"
#include "simt/grid.h"

#include <stdbool.h>

enum { TOOL_MAX_ARGUMENTS = 64 };

typedef struct tool_dump {
  const char *what; // memory, see tool_find_memory
  const char *file;
} tool_dump;

typedef enum tool_form { FORM_TABLE, FORM_JSON, FORM_CSV } tool_form;

typedef struct tool_options {
  lin_arena *arena;
  const char *file;
  const char *compare; // the other module, or NULL
  const char *kernel;  // as given, or NULL
  simt_launch launch;
  bool has_model;                           // launch.model was chosen
  const char *argument[TOOL_MAX_ARGUMENTS]; // as given, see arguments.h, and so are:
  unsigned num_arguments;
  const char *buffer[TOOL_MAX_ARGUMENTS];
  unsigned num_buffers;
  const char *global[TOOL_MAX_ARGUMENTS];
  unsigned num_globals;
  tool_dump dump[TOOL_MAX_ARGUMENTS];
  unsigned num_dumps;
  const char *print[TOOL_MAX_ARGUMENTS]; // memory
  unsigned num_prints;
  tool_form form;
  bool blocks;          // metrics of each block, too
  bool annotate;        // print the functions with their counts
  const char *vectors;  // the file for basic-block vectors, or NULL; and so are:
  const char *counts;   // for a file of counts (threads/counts_file.h)
  const char *counters; // for the same by the kernel's own counters
  const char *warps;    // the file for those of warps
  const char *inputs;   // for what threads read
  const char *lanes;    // for what the lanes of a warp enter
} tool_options;

extern const char *const tool_models[]; // by simt_model, then NULL

// Parses the command line, and launch files that it names; ends the program if it is wrong, or for
// --help. What `options` points to is in the arena.
void tool_options_parse(lin_arena *arena, int argc, char **argv, tool_options *options);

#endif
