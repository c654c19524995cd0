// What linearizing a region saves a warp, and what it costs.
//
// A warp comes to a block in as many passes as its threads come over different ways, until they
// meet:
//
//     passes(b) = those of b's immediate dominator, if b post-dominates it: all meet there
//                 the sum over the ways into b otherwise; where threads wait for each other
//                 nevertheless (joins.h), no more than the dominator has
//
// A way has the passes of its source, times the chance that any thread of such a pass takes it. If
// weights say how many go which way, a pass has as many threads as then come there, spread over all
// passes; if not, it counts as a whole warp that goes all ways. A way out of a loop is taken in any
// of the turns that a thread needs, by the weights, until it leaves; one that not all threads wait
// behind in several turns. Edges from one block to one other are one way. Linearized, a warp comes
// to each block of the region in as many passes as to the region.
//
//     D ─▶ c2 ──▶ J2        passes: D 1, c2 1, c3 2, J2 (c2, c3) 3, J (c3) 2
//     └──▶ c3 ◀┘  ▲         linearized: each 1
//          │└─────┘
//          └──▶ J
//
// The numbers are instructions (lin_graph.cost) for each time that a warp comes to the region, the
// blocks of its loops counted for one turn; where threads leave early, in several turns, for as
// many.
//
// Warps that run random acyclic graphs in lock step, of which the weights are known, come to blocks
// in passes that are fewer by a sixth in all (test/property/estimate_property.c): which ways
// threads take together, weights don't tell.
#ifndef LIN_LINEARIZE_ESTIMATE_H
#define LIN_LINEARIZE_ESTIMATE_H

#include "joins.h"
#include "regions.h"

// In how many passes a warp comes to each block, if it comes to the function once and each of its
// loops has one turn: [num_blocks]. O(edges * nesting of loops).
double *lin_estimate_passes(lin_arena *arena, const lin_analysis *analysis, const lin_joins *joins);

typedef struct lin_estimate {
  double total;  // what a warp runs in the region
  double saved;  // of these, those that it need not run again
  double guards; // what guards add
} lin_estimate;

// Of each region, what is nested in it included: [num_regions]. O((edges + blocks) * nesting).
lin_estimate *lin_estimate_regions(lin_arena *arena, const lin_analysis *analysis,
                                   const lin_joins *joins, const lin_regions *regions);

// Of what a warp runs in a region, so much has to be gained: the estimate takes every branch that
// may part threads for one that does, unless weights say how many go which way. Linearized code
// keeps some values longer. Where registers bound how many warps there are, that may cost warps: a
// generator of random numbers that took 135 registers in place of 128 had half the warps, and 0.62
// times the speed.
#define LIN_LEAST_GAIN 0.1
#define LIN_LEAST_GAIN_OF_MANY_REGISTERS 0.25

// Which regions to linearize, [num_regions]: where `least` of what a warp runs there is gained, and
// more than linearizing only what is nested there does. O(regions).
bool *lin_estimate_choose(lin_arena *arena, const lin_estimate *estimate,
                          const lin_regions *regions, double least);

#endif
