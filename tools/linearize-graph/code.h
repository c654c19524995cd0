// What IR says of the blocks of a graph, beyond the graph.
#ifndef LIN_TOOL_CODE_H
#define LIN_TOOL_CODE_H

#include "graph/graph.h"

typedef struct tool_code {
  uint32_t *num_instructions; // [num_blocks] without phis and the branch
  const char **asked;         // [num_blocks] the value that the branch asks for, or NULL
  bool *is_switch;            // [num_blocks] it is compared with cases
  const char **value;         // [num_edges] of a switch: the case
  uint32_t *num_lines;        // [num_blocks] source lines of the function's file, rising
  uint32_t **line;            // [num_blocks]
  const char *file;           // the source file's path, or NULL
} tool_code;

struct lin_ir_function;

tool_code *tool_code_read(lin_arena *arena, const struct lin_ir_function *function);

#endif
