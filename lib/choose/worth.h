// Which unstructured edges cost a warp something.
//
// A warp whose threads part at a branch D meets again at D's immediate post-dominator P at the
// latest. Code that it runs more often than it has to stands between the two:
//
//   a join J before P        threads come there over different ways, and run it at different times
//
//       D ─▶ c2 ─────┐
//       └──▶ c3 ◀┘─▶ J ─▶ P        J: its dominator D parts them, and J doesn't post-dominate D
//            └─▶ S ─────▶┘
//
//   an exit X of a loop      threads that leave by it in different iterations run it one by one,
//                            unless all of them wait there for those that stay (X is P)
//
// Loops whose breaks all lead to one place are left alone, and so is what is shorter than the
// guards that it takes. (Section 3 of the paper linearizes both.) So are joins at which threads
// wait for each other anyway (joins.h), and loops that poll memory: their threads wait for others.
// Whether what is left gains more than it costs is for estimate.h to say.
#ifndef LIN_CHOOSE_WORTH_H
#define LIN_CHOOSE_WORTH_H

#include "joins.h"

#include "gpu/costs.h"

// What a join has to cost to be worth a guard: more than ptxas predicates anyway.
enum { LIN_LEAST_COST = LIN_PREDICATED + 1 };

// Why an edge is, or isn't, worth a guard; of several edges, the last in this order tells most.
typedef enum lin_verdict {
  LIN_VERDICT_STRUCTURED, // it isn't unstructured
  LIN_VERDICT_UNIFORM,    // its threads come together: no branch before it parts them
  LIN_VERDICT_MEETS,      // they meet where all do, and nothing is run twice
  LIN_VERDICT_WAITS,      // they wait for each other where it leads
  LIN_VERDICT_SMALL,      // what is run twice is shorter than the guards
  LIN_VERDICT_POLLS,      // in a loop that polls memory
  LIN_VERDICT_CALLS,      // in a loop that calls code that isn't here, which may poll memory
  LIN_VERDICT_HOLDS,      // worth it, but guards would hold threads behind an inner loop that
                          // shares the iterations of the one around it (gpu/iterations.h)
  LIN_VERDICT_DEAR,       // worth it, but its region gains too little of what it costs
  LIN_VERDICT_WORTH_IT,
} lin_verdict;

// The verdict on each edge: LIN_VERDICT_WORTH_IT for the unstructured edges into such joins and out
// of such loops, [num_edges]; never LIN_VERDICT_HOLDS or _DEAR. `least_cost` is that of a join, 0
// for LIN_LEAST_COST. O(edges + blocks).
lin_verdict *lin_worth_edges(lin_arena *arena, const lin_analysis *analysis, const lin_joins *joins,
                             uint32_t least_cost);

// What remarks about regions with this verdict are called (docs/remarks.md). O(1).
const char *lin_verdict_name(lin_verdict verdict);

// The reason, one clause about threads, a region or its branches; "" for those worth it. O(1).
const char *lin_verdict_text(lin_verdict verdict);

#endif
