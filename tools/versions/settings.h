// What the environment says to the library that chooses versions.
//
//   LINEARIZE_VERSIONS        auto (or nothing): the best one is found while the program runs, or
//                             is known of the file below; off: the library does nothing; NAME: that
//                             version, where a kernel has it, else the plain one; each, or
//                             each:N: all versions in turn, from number N on, all timed, one
//                             launch at a time, for linearize-tune
//   LINEARIZE_TUNED           the file of what was found (versions/tuned.h); PROGRAM.linearize
//                             where PROGRAM is, if there is one
//   LINEARIZE_VERSIONS_SIZES  if not empty: launches whose arguments are of other sizes are other
//                             launches
//   LINEARIZE_REFILL_FROM     so many items a launch has to have for refilled versions; without it
//                             2^20, or three times what the GPU holds
//   LINEARIZE_SORT            what sorts for redirected versions (sorter.h)
//   LINEARIZE_VERSIONS_LOG    a file for a line each time that another version is chosen, and for
//                             what trying took; - is standard error
//   LINEARIZE_VERSIONS_MAKE   versions that are made of kernels that have none, while the program
//                             runs (making.h): plain,needed,...
//   LINEARIZE_VERSIONS_CHECK  where all versions have their turns: a file to which what the first
//                             launches of each version write is reported (check.h)
//   LINEARIZE_CHECK_MEMORY    so many MiB of the program's memory are compared (1024)
//   LINEARIZE_OPTIONS         except=NAME:NAME: kernels that stay plain (versions/excepted.h)
//   LINEARIZE_VERSIONS_WRITE  a file for what was found when the program ends; %p in it is the
//                             process
#ifndef LIN_TOOLS_VERSIONS_SETTINGS_H
#define LIN_TOOLS_VERSIONS_SETTINGS_H

#include "versions/tuned.h"

typedef enum versions_mode {
  VERSIONS_OFF,
  VERSIONS_AUTO,
  VERSIONS_EACH,
  VERSIONS_FORCED
} versions_mode;

typedef struct settings {
  versions_mode mode;
  const char *forced; // a version's name
  uint32_t first;     // where each has its turn, the number of the version that has it first
  bool with_sizes;
  uint64_t fewest_items; // for refilled versions; 0: as the GPU has them
  lin_tuned tuned;
  const char *make;    // or NULL
  const char *except;  // a list of kernels' names, or NULL
  const char *check;   // or NULL
  size_t most_checked; // bytes
  const char *write;   // or NULL
} settings;

// Read once, by whichever thread comes first; for good. Any thread.
const settings *settings_get(void);

// A line of the log, if there is one. Any thread.
__attribute__((format(printf, 1, 2))) void settings_log(const char *format, ...);

#endif
