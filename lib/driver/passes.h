// The list of passes: what is done to a function, in this order (driver.h has the loop).
//
// Most decide on the graph and return edits (front/edit.h); the front end applies them and reads
// the function again, so that each pass sees what those before it have made. To add one: a file in
// choose/ that finds the edits, and a row (docs/contributing.md).
//
// `print<linearize-passes>` lists them, `linearize-graph --step NAME` shows what one proposes.
#ifndef LIN_DRIVER_PASSES_H
#define LIN_DRIVER_PASSES_H

#include "state.h"

typedef enum lin_pass_time {
  LIN_BEFORE,   // once for each mode, before anything is planned
  LIN_IN_ROUND, // round after round, until nothing changes
  LIN_AT_LAST,  // once, if anything has changed
} lin_pass_time;

typedef struct lin_pass {
  const char *name;
  const char *does; // one clause
  lin_pass_time when;
  uint32_t most; // how often in a row it is run, as long as it changes something
  bool (*is_wanted)(const lin_policy *policy);
  // Of the graph that `front` was asked to read; `result` is of it. The edits live in the arena.
  // NULL for a pass that is no edit.
  lin_edits *(*propose)(lin_arena *arena, const lin_front *front, const lin_result *result,
                        const lin_policy *policy);
  bool (*run)(lin_driver *driver); // of such a pass; returns whether it has changed the function
} lin_pass;

// How many rows the table may have; test programs count by row.
enum { LIN_MOST_PASSES = 32 };

extern const lin_pass lin_passes[]; // behind the last one is a row without a name

#endif
