// How long launches take, by pairs of events, which nobody waits for.
//
//     stream:   ... event ── kernel ── event ...     both are recorded as the kernel is launched;
//                                                    a later launch asks whether they are over
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

// Records the events around the launch of `version`, and returns the launch's status; that of the
// first event, if that can't be recorded: then nothing is launched, and *is_launched false. By
// whoever began it, without the lock, for this may take as long as the program's launch.
int timing_launch(timing *t, const gpu *g, const launch *l, void *version, bool *is_launched);

// Tells the shape's trial the times that are known by now.
void timing_ask(const gpu *g, shape *s, lin_ledger *ledger);

// Nobody will know the shape's times.
void timing_end_all(shape *s);

// The context ends, and its events with it.
void timing_forget(const void *context);

#endif
