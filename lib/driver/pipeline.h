// The whole of it, from a graph to the control flow of its plan.
#ifndef LIN_DRIVER_PIPELINE_H
#define LIN_DRIVER_PIPELINE_H

#include "choose/depth.h"
#include "choose/interleave.h"
#include "choose/nests.h"
#include "choose/policy.h"
#include "graph/status.h"
#include "linearize/flow.h"
#include "linearize/shape.h"

typedef struct lin_options {
  lin_policy policy;
  int level; // optimisation of guards, 0 to 4
} lin_options;

// The steps' results, each pointing to those before it. All live in the arena.
typedef struct lin_result {
  lin_shape shape;
  lin_joins *joins;   // that threads come to late, by what the policy knows
  lin_nests *nests;   // in mode merge-loops, else NULL
  lin_depths *depths; // in mode limit-depth, else NULL
  lin_regions *sides; // in mode interleave, else NULL
  bool *seed;         // [edges of the ordered graph] the edges that the mode is after
  lin_regions *regions;
  lin_refusals refusals;
  lin_plan *plan;
  lin_flow *flow;
  uint32_t num_regions; // that are linearized; 0: nothing changes
} lin_result;

// Runs all steps behind the shape of a graph, which knows what the input knows (lin_shape_update).
// O(edges log blocks + blocks * nesting of regions).
void lin_linearize_shape(lin_arena *arena, const lin_shape *shape, const lin_options *options,
                         lin_result *result);

// Runs all steps. `input` is not changed. Returns what is wrong with `input`, if anything.
lin_status lin_linearize(lin_arena *arena, const lin_graph *input, const lin_options *options,
                         lin_result *result);

#endif
