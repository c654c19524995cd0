// A bound on nested branches (section 5.3): how many branches have parted the threads of a warp and
// have not reconverged, which is what a reconvergence stack holds.
//
//     if (a) {              if next is b: b      With a limit of 1, the branches in a's scope
//       if (b) s else t     if next is s: s      stand in a row behind guards, and threads meet
//       u              ==>  if next is t: t      again in front of each of them.
//     } else v              if next is u: u
//                           if next is v: v
//
// A scope is what lies between a branch that may part threads and the place where they all meet, or
// a loop that threads leave one by one. Scopes nest; one that would hold more than the limit allows
// is linearized flat, as deep inside as that will do: it holds one branch then, and one for each
// loop in it.
#ifndef LIN_CHOOSE_DEPTH_H
#define LIN_CHOOSE_DEPTH_H

#include "linearize/algorithm2_regions.h"

typedef struct lin_depths {
  uint32_t before;      // the most nested branches
  uint32_t after;       // the same, when the regions are linearized
  lin_regions *regions; // disjoint
} lin_depths;

// Finds the regions that have to be linearized flat so that at most `limit` branches nest, or as
// few as possible. Regions that hold a block with a flag of `kept_out` are no choice.
// O(edges * nesting).
lin_depths *lin_depths_find(lin_arena *arena, const lin_analysis *analysis, bool divergence_known,
                            uint32_t limit, uint32_t kept_out);

#endif
