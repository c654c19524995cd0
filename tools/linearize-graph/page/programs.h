// The other programs: opt runs the plugin on the module, linearize-simt runs kernels of it, and
// linearize-profile says what divergence costs these. So the page shows what clang will do, and not
// what this program would.
#ifndef LIN_TOOLS_REPORT_PROGRAMS_H
#define LIN_TOOLS_REPORT_PROGRAMS_H

#include "graph/arena.h"
#include "linearize-graph/options.h"

// The path of a file called `name` in a folder of this run, which is removed when the program ends.
const char *report_scratch(lin_arena *arena, const char *name);

// Runs the plugin on the bitcode `before`, which leaves the bitcode `after` and the file `remarks`.
// Ends the program with opt's message if that fails.
void report_run_pass(lin_arena *arena, const tool_options *options, const char *before,
                     const char *after, const char *remarks);

// Has the plugin refill the kernels of `before`, and leave the file `remarks`; what it makes of
// them goes. Ends the program with opt's message if that fails.
void report_run_refilling(lin_arena *arena, const tool_options *options, const char *before,
                          const char *remarks);

// Runs both in linearize-simt; returns its JSON, which the caller frees. Ends the program with its
// message if that fails.
char *report_simulate(lin_arena *arena, const tool_options *options, const char *before,
                      const char *after);

// What linearize-profile says of options->counts, or of what linearize-simt counts of the launch of
// `before`: a page, which the caller frees. Ends the program with its message if that fails.
char *report_costs(lin_arena *arena, const tool_options *options, const char *before);

#endif
