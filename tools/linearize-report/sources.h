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

// How deep a line may be inlined to be the function's own: what looks like one function may be the
// body that a macro's kernel calls.
enum { REPORT_LEVELS = 2 };

// Adds the lines where `instruction` comes from, if they are known, in no order: to `all` its own
// and those of the calls that it was inlined through; to own[0] the one in the function, to own[1]
// the one in what was inlined there, if there is such a one, and so on.
void report_add_lines(report_sources *sources, LLVMValueRef instruction, report_lines *all,
                      report_lines own[REPORT_LEVELS]);

// Puts `lines` in order.
void report_sort_lines(report_lines *lines);

// The number of a source file.
uint32_t report_find_source(report_sources *sources, const char *path);

// Reads the files, for lines that were added and some around them. One that can't be read, or is
// too short, has no text.
void report_read_sources(report_sources *sources);

#endif
