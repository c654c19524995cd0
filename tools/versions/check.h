// Whether versions of a kernel write what the plain one writes into the program's memory, bit by
// bit: for linearize-tune --check.
//
//     before ── copy ── plain ── copy ──┬── restore ── version ── compare ──┐ for each version
//                                       │        ▲                          │
//                                       │        └──────────────────────────┘
//                                       └── a difference? restore ── plain again ── compare
//     in the end: what plain wrote
//
// The whole GPU is waited for before each copy. What the kernel's arguments point to comes first,
// then variables that its versions share, then the program's other allocations, as far as
// $LINEARIZE_CHECK_MEMORY goes; memory of the host has twice as much meanwhile. Where the plain
// version, run again, writes something else into the same buffer, nothing can be said: the order of
// atomics may be the reason.
//
// Processes append to the file $LINEARIZE_VERSIONS_CHECK a line for each that was found, of fields
// between tabs:
//
//     checked|KERNEL|HASH|VERSION|BYTES           a launch of the version wrote the same
//     differs|KERNEL|HASH|VERSION|TEXT            it didn't: where, and both values
//     unsure|KERNEL|HASH|VERSION|TEXT             nor does plain
//     left|KERNEL|HASH|-|BYTES                    so much of the program's memory wasn't compared
//     large|KERNEL|HASH|-|BYTES                   its arguments don't fit: it wasn't checked
#ifndef LIN_TOOLS_VERSIONS_CHECK_H
#define LIN_TOOLS_VERSIONS_CHECK_H

#include "kernels.h"

// Whether a launch of the version is to be checked: the first three. O(1).
bool check_is_wanted(const kernel *k, uint32_t version);

// How it is done.
typedef struct check_ways {
  // Launches a version; *status is the launch's. False: nothing was launched.
  bool (*launch)(const launch *l, kernel *k, shape *s, uint32_t version, int *status);
  // Whether the launch is over, within some seconds: what comes later may have to end it.
  bool (*is_over)(const launch *l, const gpu *g);
} check_ways;

// Launches the plain version, and before the program goes on, those of the set `versions`, a bit
// for each, which are found to be right or banned. *status is the plain launch's. False: nothing
// was launched, for it can't be checked. In the kernel's context, one thread at a time, without the
// kernels' lock, and where no kernel is under way that others may have to end. O(bytes compared *
// versions).
bool check_versions(const launch *l, kernel *k, shape *s, uint32_t versions, const check_ways *by,
                    int *status);

#endif
