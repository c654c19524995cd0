// What linearize-graph reads: the functions of a file, as graphs.
#ifndef LIN_TOOL_INPUT_H
#define LIN_TOOL_INPUT_H

#include "common/sources.h"
#include "driver/state.h"
#include "options.h"

typedef struct tool_function {
  lin_graph *graph;
  const lin_front *front; // answers about its code, as far as a pass is to be shown
  const char *refused;    // why the function as a whole is refused, or NULL
  lin_block refused_at;
  lin_asked asked;              // of it, as the pass knows it
  const char *ignored;          // why the profile isn't used for it, or NULL
  const struct tool_code *code; // of IR, if that is asked for, else NULL
} tool_function;

typedef struct tool_input {
  uint32_t num_functions;
  tool_function *function;         // those that were asked for, in the file's order
  bool divergence_known;           // the graphs say which branches are uniform
  tool_sources sources;            // of `code`
  struct LLVMOpaqueModule *module; // that answers are about; to be released, or NULL
} tool_input;

// Reads options->file to `input`, which has to stay, with the weights that options->profile has,
// after options->edits. Ends the program with status 1 and one line if that fails.
void tool_input_read(lin_arena *arena, const tool_options *options, tool_input *input);

// Reads options->profile; NULL if there is none. Ends the program likewise.
struct linearize_profile *tool_profile_read(const tool_options *options);

#endif
