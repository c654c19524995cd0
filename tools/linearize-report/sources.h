// Lines of source files, by debug locations.
#ifndef LIN_TOOLS_REPORT_SOURCES_H
#define LIN_TOOLS_REPORT_SOURCES_H

#include "graph/arena.h"

#include <llvm-c/Types.h>
#include <stdbool.h>

typedef struct report_line {
  uint32_t file, line;
} report_line;

// Rising, each once.
typedef struct report_lines {
  report_line *at;
  uint32_t count, capacity;
} report_lines;

typedef struct report_source {
  const char *path;
  bool *is_wanted; // [num_lines + 1] by line, which begin at 1
  uint32_t num_lines;
  const char **text; // [num_lines + 1] of wanted lines; NULL where there is none
  bool is_read;
} report_source;

typedef struct report_sources {
  lin_arena *arena;
  report_source *source;
  uint32_t count, capacity;
} report_sources;

// Adds the line where `instruction` comes from, if that is known, to `lines`, in no order.
void report_add_line(report_sources *sources, LLVMValueRef instruction, report_lines *lines);

// Puts `lines` in order.
void report_sort_lines(report_lines *lines);

// The number of a source file.
uint32_t report_find_source(report_sources *sources, const char *path);

// Reads the files, for lines that were added and some around them. One that can't be read, or is
// too short, has no text.
void report_read_sources(report_sources *sources);

#endif
