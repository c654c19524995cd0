// Who runs the blocks of a grid: one worker, or several at once, each on a thread of its own.
#ifndef LIN_SIMT_JOBS_H
#define LIN_SIMT_JOBS_H

#include "machine.h"

// Runs the blocks of `machine`, whose arguments are set, with launch.jobs workers; with one, if
// blocks can see in which order they run, vectors are written or races looked for. Sets the
// machine's metrics, and its fault to that of the first block that has one: blocks before it have
// been run to their end, those behind it perhaps.
void simt_jobs_run(simt_machine *machine);

// Whether no block can see, but by a race, in which order others run: nobody prints, and there is
// no atomic or volatile access but to shared and local memory. O(instructions).
bool simt_jobs_may_overlap(const simt_program *program);

#endif
