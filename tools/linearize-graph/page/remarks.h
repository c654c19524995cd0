// What the plugin said, from LLVM's file of remarks.
#ifndef LIN_TOOLS_REPORT_REMARKS_H
#define LIN_TOOLS_REPORT_REMARKS_H

#include "graph/graph.h"

typedef struct report_remark {
  const char *kind; // "passed", "missed", "warning", "analysis"
  const char *name; // see linearize_remark in linearize.h
  const char *function, *block;
  const char *text;
  const char *path; // NULL: no debug location
  uint32_t line, column;
  uint32_t number; // in the order in which they were made
  uint32_t region; // LIN_NONE: of none
} report_remark;

typedef struct report_remarks {
  uint32_t count, capacity;
  report_remark *remark; // function by function, in the order in which they were made
} report_remarks;

// The first remark of a function, and those that follow as long as they are of it; the number of
// remarks if there is none. O(log remarks).
uint32_t report_first_remark(const report_remarks *remarks, const char *function);

// Reads the file `path`; ends the program if it is no such file.
report_remarks report_read_remarks(lin_arena *arena, const char *path);

#endif
