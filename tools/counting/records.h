// What was counted, in the file of counts (threads/counts_file.h) that $LINEARIZE_COUNTS names; %p
// in that is the process, of which each has its own. Launches of one kernel and shape are added up.
//
// The file is written after a launch, but for half of the time at most, and at the end: beside it,
// and then in its place. So of a program that crashes no more is lost than the launches of the time
// that a file takes, some milliseconds as a rule.
#ifndef LIN_TOOLS_COUNTING_RECORDS_H
#define LIN_TOOLS_COUNTING_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct record {
  const char *text;   // the kernel's, count/description.h
  const char *kernel; // its symbol
  const char *gpu;    // its name
  uint32_t grid[3], block[3];
  uint32_t sample, multiprocessors;
  uint64_t time;            // nanoseconds
  const uint32_t *counters; // `slots` of each counter
  uint64_t slots;
} record;

// Whether $LINEARIZE_COUNTS is set.
bool records_wanted(void);

// How many counters a kernel has that says this; 0: it makes no sense. O(length).
uint32_t records_counters(const char *text);

// How many threads write counters if one of `sample` thread blocks is counted; 0: too many. O(1).
uint64_t records_slots(const uint32_t grid[3], const uint32_t block[3], uint32_t sample);

// Adds a launch. What can't be added is said once, and left out. Returns a number for
// records_launched, or -1. One thread at a time, as for what follows.
int64_t records_add(const record *r);

// One more launch like that which has this number, which wasn't counted; -1: nothing. O(1).
void records_launched(int64_t number);

// The same for a launch that hasn't ended: it is in the file, written now, until this is called
// again; NULL: none is.
int64_t records_add_late(const record *r);

// What that launch has stays: it is like others from now on, and no more is known of it.
void records_keep_late(void);

// Writes the file now, if there is something new: the program may be about to end.
void records_save(void);

// Says once for each `reason`, by its address, that something isn't counted.
void records_warn(const char *reason, const char *kernel);

#endif
