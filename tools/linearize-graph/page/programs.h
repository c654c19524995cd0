// The other programs: linearize-simt runs kernels of a module, and linearize-profile says what
// divergence costs these.
#ifndef LIN_TOOLS_REPORT_PROGRAMS_H
#define LIN_TOOLS_REPORT_PROGRAMS_H

#include "graph/arena.h"
#include "linearize-graph/options.h"

// The path of a file called `name` in a folder of this run, which is removed when the program ends.
const char *report_scratch(lin_arena *arena, const char *name);

// Runs both in linearize-simt; returns its JSON, which the caller frees. Ends the program with its
// message if that fails.
char *report_simulate(lin_arena *arena, const tool_options *options, const char *before,
                      const char *after);

// What linearize-profile says of options->counts, or of what linearize-simt counts of the launch of
// `before`: a page, which the caller frees. Ends the program with its message if that fails.
char *report_costs(lin_arena *arena, const tool_options *options, const char *before);

#endif
