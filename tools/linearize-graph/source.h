// The lines of a source file.
#ifndef LIN_TOOL_SOURCE_H
#define LIN_TOOL_SOURCE_H

#include "graph/arena.h"

#include <stdio.h>

typedef struct tool_source {
  const char *path;
  const char *error; // why it can't be read, or NULL
  char **line;       // [num_lines]
  uint32_t num_lines;
} tool_source;

// Reads the file `path`.
tool_source *tool_source_read(lin_arena *arena, const char *path);

// Prints line `number`, counted from 1, without blanks around it.
void tool_source_print(FILE *file, const tool_source *source, uint32_t number);

#endif
