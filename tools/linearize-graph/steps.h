// The steps that linearize-graph shows, one function at a time.
#ifndef LIN_TOOL_STEPS_H
#define LIN_TOOL_STEPS_H

#include "input.h"

#include <stdio.h>

// A function with all that was found out about it. The result has neither plan nor flow if nothing
// is linearized.
typedef struct tool_work {
  lin_arena *arena;
  const tool_function *function;
  lin_result result;
} tool_work;

// Text: steps.c, result.c.
void tool_print_order(FILE *file, const tool_work *work);
void tool_print_loops(FILE *file, const tool_work *work);
void tool_print_unstructured(FILE *file, const tool_work *work);
void tool_print_regions(FILE *file, const tool_work *work);
void tool_print_result(FILE *file, const tool_work *work);
void tool_print_stats_header(FILE *file);
void tool_print_stats(FILE *file, const tool_work *work);
void tool_print_joins(FILE *file, const tool_work *work);

// The edits that a pass proposes, in the form that --edits reads: passes.c. `options` are those
// that the result is of; where the pass is not for their mode, it is planned for the first mode
// that it is for.
void tool_print_pass(FILE *file, const tool_work *work, const lin_pass *pass,
                     const lin_options *options);

// The graph after linearization as it is written back: threads that no guard sends to the united
// exit return where they did, and the exit goes where none is left for it. Block names are unique.
typedef struct tool_after {
  const lin_graph *graph;
  lin_block *flow_block; // [num_blocks] of the flow; NULL if nothing is linearized
  lin_edge *flow_edge;   // [num_edges]
} tool_after;

tool_after tool_after_build(const tool_work *work);

// "branch, jump out" and the like.
const char *tool_kinds_text(lin_arena *arena, unsigned kinds);

// Pictures: picture.c.
void tool_print_picture(FILE *file, const tool_work *work, tool_step step);

#endif
