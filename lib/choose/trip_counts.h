// How often the loops of a function go around, and what an iteration of them costs, by the weights
// of branches.
//
//     ┌▶ H ─▶ h ⟲ ─▶ l ─┐    weights say that h goes back to itself 9 times of 10: it has 10
//     └─────────────────┘    iterations for each of H's loop, whose cost has that of h 10 times
//
// Where no weights say how often a loop is left, it is taken to have LIN_USUAL_TRIPS iterations;
// one that can only have a few, most of them; one that can have many, a part.
#ifndef LIN_CHOOSE_TRIP_COUNTS_H
#define LIN_CHOOSE_TRIP_COUNTS_H

#include "linearize/definition1_edges.h"

// Iterations. Of 2 to 32, warps run least with 6 and 8, by 0.1 to 0.3%: `scripts/calibrate
// LIN_USUAL_TRIPS`, 2026-11-23.
enum { LIN_USUAL_TRIPS = 8 };

typedef struct lin_trip_counts {
  double *trips;   // [num_loops] of a thread, for each time that it comes to the loop; loop 0: 1
  double *cost;    // [num_loops] instructions of an iteration, those of inner loops included
  double *entered; // [num_loops] how often a thread comes to the loop in an iteration of the one
                   // around it
} lin_trip_counts;

// O(edges * nesting of loops).
lin_trip_counts *lin_trip_counts_build(lin_arena *arena, const lin_analysis *analysis);

#endif
