// What of the program may be under way on the GPU: streams that had work since somebody waited for
// them.
//
//     launch on a      {a}         a launch of a's may be timed
//     launch on b      {a, b}      disturbed: what was timed on a by then is no time of one launch
//     wait for a       {b}
//     wait for all     {}
//
// Any thread, without a lock that others could keep. A launch behind one of the same stream costs
// one load.
#ifndef LIN_TOOLS_VERSIONS_ACTIVITY_H
#define LIN_TOOLS_VERSIONS_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

// The stream, as gpu_stream has it, gets work. O(1), or O(streams) where it isn't the last one.
void activity_begin(void *stream);

// Whether it was the last one that did. O(1).
bool activity_is_last(void *stream);

// All that was in the stream, or in any, is over, or the stream ends. O(streams).
void activity_end(void *stream);
void activity_end_all(void);

// Whether no other stream than that one may be at work. O(streams).
bool activity_is_alone(void *stream);

// How often a stream got work while another one may have been at it. O(1).
uint64_t activity_disturbed(void);

#endif
