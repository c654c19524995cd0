// Arranging the leaves of a region as a tree: Algorithm 1, and the paper's optimisations O1 to O3
// as other shapes of that tree. Applied to the edges of a graph (as the paper words them) they can
// bring unstructured edges back; a tree cannot be unstructured.
//
//   level 0  Algorithm 1: every leaf behind its guard, in sequence; one integer a region
//   level 1  O1: what every thread that comes along runs needs no guard
//   level 2  O2: a leaf nests in the leaf that dominates it, under that one's guard
//   level 3  O3: a leaf with one predecessor is an arm of its branch; a loop whose last leaf
//            decides whether to go around needs no test of its own
//   level 4  flags instead of integers where few leaves share a guard
#ifndef LIN_LINEARIZE_ALGORITHM1_ARRANGE_H
#define LIN_LINEARIZE_ALGORITHM1_ARRANGE_H

#include "plan.h"
#include "spans.h"

typedef struct lin_arrangement {
  lin_arena *arena;
  lin_plan *plan; // with leaves; nodes and guards are added
  uint32_t region;
  const lin_span *spans; // of leaves
  uint32_t num_spans;
  const uint32_t *stage;    // [num_blocks] for lin_arrange_stages
  const lin_block *members; // [num_members] all blocks of the region, in order
  uint32_t num_members;
} lin_arrangement;

// Return the root of the region's tree. arrange_flat and arrange_stages are O(leaves),
// arrange_nested O(edges * depth of loops * log leaves).
uint32_t lin_arrange_flat(const lin_arrangement *a);
uint32_t lin_arrange_nested(const lin_arrangement *a, int level);
uint32_t lin_arrange_stages(const lin_arrangement *a); // flat where stages aren't a leaf each

#endif
