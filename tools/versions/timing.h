// How long launches take, by pairs of events, which nobody waits for.
//
//     stream:   ... event ── kernel ── event ...     both are recorded as the kernel is launched;
//                                                    later launches, waits and copies of the
//                                                    program ask whether they are over
//
//               event ── inspector ── sort ── event ── kernel ── event      where an order of
//                                                                           threads is made first
//
// A time counts only where nothing else of the program was under way (activity.h, alone.h); else it
// says how much of the GPU a launch gets among others. A context has
// at most 256 pairs, a shape 16 that aren't over; 16 contexts have any. What there is no pair for
// isn't timed. All by who has the lock (kernels.h), but for what says otherwise.
#ifndef LIN_TOOLS_VERSIONS_TIMING_H
#define LIN_TOOLS_VERSIONS_TIMING_H

#include "alone.h"
#include "kernels.h"

typedef struct timing timing;

// A pair of events of the context, which has to be current. NULL: there is none.
timing *timing_take(const gpu *g, const void *context);

// Whether the shape may have one more.
bool timing_has_room(const shape *s);

// Gives it back, unused.
void timing_give_back(timing *t);

typedef enum timing_way {
  TIMING_ALONE,  // nothing else is under way
  TIMING_APART,  // it is made to run alone (alone.h)
  TIMING_SHARED, // among others: its part of that time is the shape's `share`
} timing_way;

// It is for that turn of the shape's; so many streams are at work.
void timing_begin(timing *t, kernel *k, shape *s, lin_turn turn, timing_way way, uint32_t streams);

// The events before a launch and behind it. False: it can't be timed, and timing_end needn't be
// called. By whoever began it, without the lock, for this may take as long as the program's launch.
bool timing_start(timing *t, const gpu *g, const launch *l);
void timing_end(timing *t, const gpu *g, const launch *l, bool is_launched);

// The launch is by an order of threads that is kept for so many of them; is_made: what was enqueued
// since timing_start has made it. In between these two.
void timing_ordered(timing *t, const gpu *g, const launch *l, bool is_made, uint32_t kept);

// Whether any launch of any thread isn't collected yet. Needs no lock. O(1).
bool timing_is_any(void);

// Tells trials the times of the context that are known by now: what each came to is `heard`.
// O(pairs).
typedef void timing_heard(kernel *k, shape *s, uint32_t best, uint32_t phase);
void timing_collect(const gpu *g, const void *context, lin_ledger *ledger, timing_heard *heard);

// Whether all that was enqueued in front of the pair's second event is over: recorded now, and
// asked for until it is, `seconds` at most. Needs no lock.
bool timing_wait(timing *t, const gpu *g, const launch *l, double seconds);

// Nobody will know the shape's times.
void timing_end_all(const shape *s);

// The context ends, and its events with it.
void timing_forget(const void *context);

#endif
