// The list of passes: what is done to a function before its regions are planned, in this order. A
// pass decides on the graph and returns edits (front/edit.h); the front end applies them and reads
// the function again, so that each pass sees what those before it have made.
//
//     repeat until nothing changes (modes needed, irreducible, paper: 16 times at most)
//       for each pass that the mode wants
//         propose edits, apply, read again, analyse again       `most` times, until there are none
//       plan the regions (pipeline.h), write them
//
// `print<linearize-passes>` lists them, `linearize-graph --step NAME` shows what one proposes.
#ifndef LIN_DRIVER_PASSES_H
#define LIN_DRIVER_PASSES_H

#include "front/edit.h"
#include "front/front.h"
#include "pipeline.h"

typedef struct lin_pass {
  const char *name;
  const char *does; // one clause
  uint32_t most;    // how often in a row it is run
  bool (*is_wanted)(const lin_policy *policy);
  // Of the graph that `front` was asked to read; `result` is of it. The edits live in the arena.
  lin_edits *(*propose)(lin_arena *arena, const lin_front *front, const lin_result *result,
                        const lin_policy *policy);
} lin_pass;

enum { LIN_NUM_PASSES = 4 };

extern const lin_pass lin_passes[LIN_NUM_PASSES];

#endif
