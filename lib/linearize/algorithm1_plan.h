// Makes the plan of all regions (plan.h): their leaves, the loops around these, and the tree of
// each.
#ifndef LIN_LINEARIZE_ALGORITHM1_PLAN_H
#define LIN_LINEARIZE_ALGORITHM1_PLAN_H

#include "plan.h"

typedef struct lin_plan_options {
  bool keep_subregions;  // Algorithm 3; without it every block is a leaf
  int level;             // how far guards are optimised (algorithm1_arrange.h)
  const bool *flat;      // [num_regions] arranged at level 0 all the same; or NULL
  const bool *plain;     // [num_regions] every block a leaf, arranged at level 0; or NULL
  const uint32_t *stage; // [num_blocks] regions are arms whose stages take turns (interleave.h),
                         // and this of a block comes first; or NULL
  const bool *merged;    // [num_loops] goes around with the loop around it (nests.h); or NULL
} lin_plan_options;

// Plans all regions. Changes `regions`: an inner region that is not inside one leaf of the region
// around it is dissolved into that region. O((edges + blocks * nesting) log blocks).
lin_plan *lin_plan_build(lin_arena *arena, const lin_analysis *analysis, lin_regions *regions,
                         const bool *seed, const lin_plan_options *options);

#endif
