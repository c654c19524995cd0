// Lines of source files.
#ifndef LIN_TOOLS_SOURCES_H
#define LIN_TOOLS_SOURCES_H

#include "graph/arena.h"

#include <stdbool.h>

typedef struct tool_line_at {
  uint32_t file, line;
} tool_line_at;

// Rising, each once.
typedef struct tool_lines {
  tool_line_at *at;
  uint32_t count, capacity;
} tool_lines;

typedef struct tool_source {
  const char *path;
  bool *is_wanted; // [num_lines + 1] by line, which begin at 1
  uint32_t num_lines;
  const char **text; // [num_lines + 1] of wanted lines; NULL where there is none
  const char *error; // why it can't be read, or NULL
} tool_source;

typedef struct tool_sources {
  lin_arena *arena;
  tool_source *source;
  uint32_t count, capacity;
} tool_sources;

// The number of a source file.
uint32_t tool_find_source(tool_sources *sources, const char *path);

// Adds a line behind the others, which are in no order then, and wants its text.
void tool_add_line(tool_sources *sources, tool_lines *lines, tool_line_at line);

// Puts `lines` in order.
void tool_sort_lines(tool_lines *lines);

// "line 7", "lines 7-9, 12 ..." of a file, in the arena: `most` ranges. NULL if there are none.
const char *tool_lines_text(lin_arena *arena, const tool_lines *lines, uint32_t file,
                            uint32_t most);

// Reads the files, for lines that are wanted and some around them. One that can't be read, or is
// too short, has no text.
void tool_read_sources(tool_sources *sources);

// Valid UTF-8: `length` bytes at `text`, with '?' for each that is none.
const char *tool_utf8(lin_arena *arena, const char *text, size_t length);

#endif
