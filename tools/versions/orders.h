// Orders of threads, for redirected versions: made on the GPU, in the stream of the launch, and
// kept for the launches after it.
//
//     stream:   inspector ── sort ── redirected ──▶ ... redirected ... ──▶ inspector ── sort ── ...
//               └─ an order is made ┘     └──────── LIN_KEPT launches ────────┘
//
// An order is of a shape, a stream, and the addresses that the launch gives the kernel. It is made
// anew after LIN_KEPT launches of the shape, or when the program says that data have changed
// (linearize/versions.h): whatever it is, results are the same, and only the time differs; so data
// that changed unseen cost no more than that. What it took to make is told to the trial, shared out
// over the launches that the order before was kept for.
//
//     shape ──▶ orders:  stream 5, a1b2   stream 5, c3d4   stream 7, a1b2   nobody's ...
//
// Who launches takes the order that it needs, and has it until all is enqueued: the stream keeps
// what is enqueued in order, and the taking keeps two threads from mixing theirs. Nobody waits for
// one that is taken; who gets none launches the plain version. Where a stream has too many, the one
// that wasn't used for longest is made anew for other addresses; other streams' aren't touched, for
// nobody knows how far these are.
//
// Memory (memory.h), 16 bytes a thread and what the sort needs, is retired when the stream or
// the module end.
#ifndef LIN_TOOLS_VERSIONS_ORDERS_H
#define LIN_TOOLS_VERSIONS_ORDERS_H

#include "kernels.h"
#include "timing.h"

enum { ORDERS_MOST = 16 }; // of a shape

// What has to be done before a redirected version is launched first in that shape: the inspector
// and the sort are there, and have been loaded onto the GPU. False: it can't be launched. By who
// has the lock.
bool orders_prepare(kernel *k, shape *s, uint32_t version);

// Whether launches of that stream may have an order, or a counter: the thread's own is another one
// for each thread, and nobody says when it ends.
bool orders_may_be_of(const kernel *k, const launch *l);

// Launches a redirected version, by an order that is made first if need be; *status is the
// launch's. `t`, or NULL, is told what was made and when. False: nothing was launched. Any thread.
bool orders_launch(const launch *l, kernel *k, shape *s, uint32_t version, timing *t, int *status);

// A shape ends, and its orders with it; or even its context. By who has the lock.
void orders_release(const kernel *k, shape *s, bool ends_context);

// A stream ends. By who has the lock.
void orders_forget_stream(const void *stream);

// The program's data have changed (linearize/versions.h): what programs link.
__attribute__((visibility("default"))) void linearize_versions_data_changed(void);

#endif
