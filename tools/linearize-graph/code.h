// What IR says of the blocks of a graph, beyond the graph.
#ifndef LIN_TOOL_CODE_H
#define LIN_TOOL_CODE_H

#include "common/sources.h"
#include "graph/graph.h"

typedef struct tool_code {
  uint32_t *num_instructions; // [num_blocks] without phis and the branch
  const char **asked;         // [num_blocks] the value that the branch asks for, or NULL
  bool *is_switch;            // [num_blocks] it is compared with cases
  const char **value;         // [num_edges] of a switch: the case
  tool_lines *lines;          // [num_blocks] source lines of the function's file
  uint32_t file;              // that file, of `sources`; LIN_NONE: nothing is known
  tool_sources *sources;
} tool_code;

struct lin_ir_function;

// Notes its files and lines in `sources`, which has to stay.
tool_code *tool_code_read(const struct lin_ir_function *function, tool_sources *sources);

#endif
