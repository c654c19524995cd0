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
//   a way X out of a loop    threads that leave by it in different turns run it one by one, unless
//                            all of them wait there for those that stay (X is P)
//
// Loops whose breaks all lead to one place are left alone, and so is what is shorter than the
// guards that it takes. (Section 3 of the paper linearizes both.) So are joins at which threads
// wait for each other anyway (joins.h), and loops that poll memory: their threads wait for others.
// Whether what is left gains more than it costs is for estimate.h to say.
#ifndef LIN_LINEARIZE_WORTH_H
#define LIN_LINEARIZE_WORTH_H

#include "joins.h"

// What a join has to cost to be worth a guard: so many instructions ptxas predicates anyway.
enum { LIN_LEAST_COST = 7 };

// The unstructured edges into such joins and out of such loops, [num_edges]. O(edges + blocks).
bool *lin_worth_edges(lin_arena *arena, const lin_analysis *analysis, const lin_joins *joins);

#endif
