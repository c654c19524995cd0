// What came of it: times that linearize-tune measured of a kernel's versions, next to what was
// predicted of them.
#ifndef LIN_TOOLS_PROFILE_OUTCOME_H
#define LIN_TOOLS_PROFILE_OUTCOME_H

#include "estimate.h"
#include "versions/tuned.h"

typedef struct profile_outcomes {
  lin_tuned tuned; // nothing, if there is no such file
  char *text;      // that it points into
} profile_outcomes;

// Reads PROGRAM.linearize. Ends this program if it is there and can't be read. O(n log n + length),
// of n lines.
profile_outcomes profile_outcomes_read(const char *program);

// Sets what the launch's fastest version saves of its cycles, 0 if none won; not a number: it
// wasn't measured. O(lines).
void profile_outcomes_find(const profile_outcomes *outcomes, profile_estimate *estimate);

// Prints each version of the launch that was measured. O(lines).
void profile_outcomes_print(FILE *file, const profile_outcomes *outcomes,
                            const profile_estimate *estimate);

void profile_outcomes_release(profile_outcomes *outcomes);

#endif
