// How long launches take, by pairs of events, which nobody waits for.
//
//     stream:   ... event ── kernel ── event ...     both are recorded as the kernel is launched;
//                                                    a later launch asks whether they are over
//
//               event ── inspector ── sort ── event ── kernel ── event      where an order of
//                                                                           threads is made first
//
// A context has at most 64 pairs, a shape 8 that aren't over; 16 contexts have any. What there is
// no pair for isn't timed. All by who has the lock (kernels.h), but for what says otherwise.
#ifndef LIN_TOOLS_VERSIONS_TIMING_H
#define LIN_TOOLS_VERSIONS_TIMING_H

#include "kernels.h"

typedef struct timing timing;

// A pair of events of the kernel's context, which has to be current. NULL: there is none.
timing *timing_take(const kernel *k, const shape *s);

// Gives it back, unused.
void timing_give_back(timing *t);

// It is for that turn of the shape's.
void timing_begin(timing *t, shape *s, lin_turn turn);

// The events before a launch and behind it. False: it can't be timed, and timing_end needn't be
// called. By whoever began it, without the lock, for this may take as long as the program's launch.
bool timing_start(timing *t, const gpu *g, const launch *l);
void timing_end(timing *t, const gpu *g, const launch *l, bool is_launched);

// The launch is by an order of threads that is kept for so many of them; is_made: what was enqueued
// since timing_start has made it. In between these two.
void timing_ordered(timing *t, const gpu *g, const launch *l, bool is_made, uint32_t kept);

// Tells the shape's trial the times that are known by now.
void timing_ask(const gpu *g, shape *s, lin_ledger *ledger);

// Nobody will know the shape's times.
void timing_end_all(shape *s);

// The context ends, and its events with it.
void timing_forget(const void *context);

#endif
