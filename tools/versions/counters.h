// Counters for refilled versions (versions/format.h): a word of the GPU's memory, which is cleared
// in the stream of the launch, in front of it.
//
//     stream:   clear ── refilled ── clear ── refilled ── ...      one word for all of them
//
// A stream keeps what is enqueued in order, so its launches of a kernel share a word, and launches
// of other streams have another one. Who launches has the word until both are enqueued; nobody
// waits for one that is had by another thread: who gets none launches the plain version, and so
// does who launches into a stream that is captured, for a graph may run twice at a time. A launch
// that failed, or was aborted, leaves nothing: the next one clears.
//
// Memory (memory.h) is retired when the stream or the module end.
#ifndef LIN_TOOLS_VERSIONS_COUNTERS_H
#define LIN_TOOLS_VERSIONS_COUNTERS_H

#include "kernels.h"

// Whether a refilled version may be launched in that shape: it has enough items, and fewer than
// 2^31. By who has the lock.
bool counters_prepare(kernel *k, const shape *s, uint32_t version);

// Launches a refilled version; *status is the launch's. False: nothing was launched. Any thread.
bool counters_launch(const launch *l, kernel *k, uint32_t version, int *status);

// A kernel ends, and its counters with it; or even its context. By who has the lock.
void counters_release(kernel *k, bool ends_context);

// A stream ends. By who has the lock.
void counters_forget_stream(const void *stream);

#endif
