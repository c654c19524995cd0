// What the versions that `linearize` makes of a kernel can gain, by why its warps diverge.
//
//     linearized   code that a warp runs twice in one pass is run once
//     merged       loops in loops whose trip counts differ
//     refilled     threads that are done before others of their warp: predicted (refill.h)
//     regrouped, redirected   arms, trip counts and returns that differ between threads
//
// Where the compiler was asked (decisions.h), it decides what is made, and says what it saves.
#ifndef LIN_TOOLS_PROFILE_GAINS_H
#define LIN_TOOLS_PROFILE_GAINS_H

#include "estimate.h"

// What each is called.
extern const char *const profile_version_names[PROFILE_NUM_VERSIONS];

typedef struct profile_version {
  double gain;        // cycles that are expected to be saved; not a number: unknown
  double bound;       // cycles that can be saved at most
  const char *reason; // why there is no such version of the kernel, or why it can't gain; or NULL
} profile_version;

// The bound alone. O(causes).
double profile_bound_of(const profile_estimate *estimate, int version);

// O(causes).
profile_version profile_version_of(const profile_estimate *estimate, int version);

#endif
