// What merging loops gains, by counting: how often threads and warps came to each block.
//
//     ┌─▶ H: S1          counted      threads   passes of warps   slowest threads of warps
//     │   h: S2 ⟲        H              1000                40                       50
//     └── l: S3          h             16000              1800                      600
//
// A warp runs S2 as often as it came to h, 1800 times, where its slowest thread needs 600: each
// time that h is left, all wait for the one that needs most. In the merged loop they wait once, at
// the end. How often it goes around, of N iterations of threads, n of them to a warp:
//
//     I = N / n * (1 + the larger of   slowest * n / N - 1             the same threads are slow
//                                      (passes * n / N - 1) / sqrt k   or, by chance, other ones in
//                                                                      each of the k times
//
// but with no more threads together than in the loop around. A block that threads come to M times
// is run by
//
//     I * (1 - (1 - M / N)^(N / I))      of the merged loop's iterations: some thread needs it,
//                                        whoever that is,
//
// as often as its slowest thread needs it at least; where threads of a warp agreed more often than
// that before, half as often more. A loop inside, that isn't merged, goes around as often as the
// slowest of those that come to it together needs. A loop that threads come to once waits for its
// slowest thread alone: I is that one's then.
//
// All numbers are of all launches that were counted: iterations, and instructions of warps.
#ifndef LIN_CHOOSE_NEST_COUNTS_H
#define LIN_CHOOSE_NEST_COUNTS_H

#include "linearize/definition1_edges.h"

typedef struct lin_nest_counts {
  const lin_analysis *a;
  double *threads, *warps, *slowest; // [num_loops] iterations, of loops as they are merged so far
  double *cost;                      // [num_loops] what warps run in a loop
  uint32_t *joined; // [num_loops] the loop directly in it that is merged with it, or LIN_NONE
} lin_nest_counts;

// What it is to merge a loop with the one around it.
typedef struct lin_nest_weight {
  double before, after;           // instructions of warps, in the loop around it
  double threads, warps, slowest; // iterations of the merged loop
  uint32_t strip;                 // iterations of the inner loop at once
} lin_nest_weight;

// NULL if nobody counted: a->graph->visits. In the arena. O(loops).
lin_nest_counts *lin_nest_counts_new(lin_arena *arena, const lin_analysis *analysis);

// `outer` with nothing merged with it, once it has been decided for all loops in it. O(its blocks).
void lin_nest_counts_begin(lin_nest_counts *counts, uint32_t outer);

// `longest`: of a strip; 1 if the loop can't be cut into strips. O(blocks of `outer` * nesting of
// loops * log longest).
lin_nest_weight lin_nest_counts_weigh(const lin_nest_counts *counts, uint32_t loop, uint32_t outer,
                                      uint32_t longest);

// `loop` is merged with `outer`. O(1).
void lin_nest_counts_merge(lin_nest_counts *counts, uint32_t loop, uint32_t outer,
                           const lin_nest_weight *weight);

#endif
