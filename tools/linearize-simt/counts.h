// The file of counts (threads/counts_file.h), by what the simulator counts, and by what a kernel
// that was compiled with -linearize-count counts itself.
#ifndef LIN_TOOLS_SIMT_COUNTS_H
#define LIN_TOOLS_SIMT_COUNTS_H

#include "input.h"

typedef struct tool_counts tool_counts;
typedef struct tool_counters tool_counters;

// For a launch of the input's kernel. In the arena, which has to live on, as has the module.
tool_counts *tool_counts_new(lin_arena *arena, const tool_input *input);

// Adds the threads of the next thread block. O(threads * blocks).
void tool_counts_add(tool_counts *counts, const simt_vectors *vectors);

// Writes the file `name`, and releases the counts. Ends the program if it can't be written.
void tool_counts_write(tool_counts *counts, const simt_machine *machine, const char *name);

// Gives the kernel a buffer for its counters, which --dump and --print find as `counters`, before
// the machine runs. Ends the program if the kernel of `file` has none.
tool_counters *tool_counters_new(lin_arena *arena, const char *file, const tool_input *input,
                                 simt_machine *machine);

// Writes the file `name` by what is in that buffer.
void tool_counters_write(tool_counters *counters, const simt_machine *machine, const char *name);

#endif
