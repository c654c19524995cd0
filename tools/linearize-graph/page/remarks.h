// What the plugin's passes make of a module, and say of it.
#ifndef LIN_TOOLS_REPORT_REMARKS_H
#define LIN_TOOLS_REPORT_REMARKS_H

#include "graph/graph.h"

#include <llvm-c/Types.h>

typedef struct report_remark {
  const char *kind; // "passed", "missed", "warning", "analysis"
  const char *name; // see linearize_remark in linearize.h
  const char *function, *block;
  const char *text;
  uint32_t number; // in the order in which they were made
  uint32_t region; // LIN_NONE: of none
} report_remark;

typedef struct report_remarks {
  lin_arena *arena;
  const char *file; // for messages
  uint32_t count, capacity;
  report_remark *remark; // function by function, in the order in which they were made
} report_remarks;

// The first remark of a function, and those that follow as long as they are of it; the number of
// remarks if there is none. O(log remarks).
uint32_t report_first_remark(const report_remarks *remarks, const char *function);

// Runs `passes`, as opt's -passes has them, over the module. Ends the program with the message that
// says what is wrong with them. As long as they take.
report_remarks report_run_passes(lin_arena *arena, LLVMModuleRef module, const char *passes,
                                 const char *file);

#endif
