// A launch that runs alone on the GPU although other streams are at work, so that it can be timed:
//
//     a   ... work ──┐ wait ┄┄▶ event ── kernel ── event ┐
//     b   ... work ── event ┄┄┘                          └┄┄▶ wait ── work ...
//     c   ... work ── event ┄┄┘                          └┄┄▶ wait ── work ...
//
// Nobody on the host waits. All that is added waits for what was enqueued before it. That can't
// stop a program whose work ends by itself, whatever is launched later; so this is done where all
// of these hold, and nowhere else:
// 1. No stream is being captured.
// 2. There are at most eight streams, of one context, none of them a thread's own, whose handle
//    isn't its alone. The legacy default stream may be one: it waits for others that are in the
//    list, too, and in the same direction.
// 3. All that is under way, in this stream too, are kernels whose versions say that they end by
//    themselves (versions/format.h), and the program has never called what has streams wait for the
//    host, other processes or memory.
// 4. Nobody enqueued anything in another stream meanwhile, or in one that wasn't known.
// What it costs is for who calls this to bound.
#ifndef LIN_TOOLS_VERSIONS_ALONE_H
#define LIN_TOOLS_VERSIONS_ALONE_H

#include "preload/gpu.h"
#include "preload/launch.h"

typedef struct alone {
  uint64_t begun, strangers; // of activity.h, before it
} alone;

// How many streams are at work, this one too; 0: 1 to 3 don't hold. And by how much the work of one
// of all streams is more than another's, at most, in ns. O(streams).
uint32_t alone_streams(const gpu *g, const launch *l, const void *context, uint64_t *uneven);

// Before the launch and its first event: what comes in its stream waits for all others. False: it
// doesn't, or not for all of them. In the context, which is current. O(streams).
bool alone_begin(alone *a, const gpu *g, const launch *l, const void *context);

// Behind its last event: what comes in other streams waits for that. False: 4 doesn't hold, or it
// failed. O(streams).
bool alone_end(const alone *a, const gpu *g, const launch *l, const void *context, void *event);

// Whether nothing has disturbed it since then. O(1).
bool alone_was_undisturbed(const alone *a);

// A stream ends; the context does, or NULL: any of them do, with their streams and events. Waits
// for a launch that has just begun, or ended.
void alone_forget_stream(void *stream);
void alone_forget_all(const void *context);

// A capture begins, or has begun and ended. The former waits likewise.
void alone_capture(void);
void alone_capture_over(void);

#endif
