// What came of it: times that linearize-tune or earlier runs measured of a kernel's versions, next
// to what was predicted of them.
//
//     PROGRAM.linearize                        what linearize-tune found, if it is there
//     $LINEARIZE_CACHE/0123456789abcdef.kept   else what runs found (tools/versions/remembered.h)
#ifndef LIN_TOOLS_PROFILE_OUTCOME_H
#define LIN_TOOLS_PROFILE_OUTCOME_H

#include "estimate.h"
#include "versions/tuned.h"

#include <time.h>

typedef struct profile_outcome {
  lin_tuned tuned;
  char *text;   // that it points into
  time_t since; // when it was written
} profile_outcome;

typedef struct profile_outcomes {
  profile_outcome *file; // [count]
  uint32_t count;
  bool is_tuned; // the first is PROGRAM.linearize
} profile_outcomes;

// Ends this program if PROGRAM.linearize is there and can't be read, or if there is no memory. What
// is kept and can't be read is as if it wasn't there. O(n log n + length), of n lines.
profile_outcomes profile_outcomes_read(const char *program);

// Sets what the launch's fastest version saves of its cycles, 0 if none won; not a number: it
// wasn't measured. O(lines).
void profile_outcomes_find(const profile_outcomes *outcomes, profile_estimate *estimate);

// Prints each version of the launch that was measured. O(lines).
void profile_outcomes_print(FILE *file, const profile_outcomes *outcomes,
                            const profile_estimate *estimate);

void profile_outcomes_release(profile_outcomes *outcomes);

#endif
