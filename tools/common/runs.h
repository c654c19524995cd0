// A program that is run with a library of ours that leaves a file for each of its processes.
#ifndef LIN_TOOLS_RUNS_H
#define LIN_TOOLS_RUNS_H

#include <stdio.h>

typedef void tool_take(void *context, const char *name);

// Runs `program` to its end, with the environment's `variable` naming the files: %p in a folder of
// this run, for the process; then calls take(context, name) for each that is there, which goes
// after that. The library is tool_preload's business. The program's standard output goes to
// `output`, or with NULL where this program's goes. Returns the program's status, or 128 and the
// signal that ended it. Ends this program if that can't be run: with 127 where there is none, else
// 126. Signals that interrupt this program are the other's meanwhile: it ends, and what it has left
// is taken.
int tool_run_for_files(char *const *program, FILE *output, const char *variable, tool_take *take,
                       void *context);

// Ends this program with `status` where no GPU can be used, with a line that says so and what
// `program` so missed: "nothing was counted". Starts the driver.
void tool_require_driver(const char *program, const char *missed, int status);

#endif
