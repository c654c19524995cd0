// How far a run is, on a terminal.
#ifndef LIN_TOOLS_SIMT_PROGRESS_H
#define LIN_TOOLS_SIMT_PROGRESS_H

#include <stdint.h>

// For simt_launch.progress: `file` is the module's name. Standard error gets a line that the next
// one replaces, a few times a second, from the second second on; nothing if it is no terminal.
void tool_progress(void *file, uint64_t blocks_begun, uint64_t blocks);

// Takes the line away.
void tool_progress_end(void);

#endif
