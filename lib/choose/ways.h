// Which ways the threads of a warp take, as far as anybody knows: their shares, how often loops go
// around, and how many threads there are at all.
//
// The share of a way is what weights say. Where they say nothing, the ways of a block are alike,
// but not
//   - those out of a loop: together they are as rare as it takes for LIN_USUAL_TRIPS
//     (trip_counts.h), and one that leaves several loops at once is rarer by as much for each,
//   - those that threads never come back from: nobody takes them.
//
// Threads of a warp agree more often than dice do: where nobody says what the share of a way is,
// any share is as likely as another, but it is the same for all threads that come together.
//
//     any(s, n)   the chance that any of n threads takes a way of share s
//                 told:   1 - (1 - s)^n
//                 untold: 1 - the chance that n draws from Polya's urn with one ball for each way
//                         miss it; n / (n + 1) for one of two
//
// Where a branch that may part threads leaves a loop, a warp goes around until the last of its
// threads has left. n threads that leave in each iteration with one chance, after `trips` in the
// mean, need
//
//     1 + (trips - 1) * (1 + 1/2 + 1/3 + ... + 1/n)
//
// of which an iteration has n * trips / that: 8.6 of 32, if trips are 8. (On an H200, clang's
// programs of bench/kernels with such loops have 5.7 to 13 threads active:
// bench/results/*-profile.csv.) Loops in such loops have fewer by weights only: guesses would make
// 3 of these 9, and 1 of 3.
#ifndef LIN_CHOOSE_WAYS_H
#define LIN_CHOOSE_WAYS_H

#include "joins.h"

typedef struct lin_ways {
  double *share; // [num_edges] of the threads that leave a block, how many go to that block; of
                 // several edges between the same blocks the first one has it, the others 0
  bool *told;    // [num_edges] by weights, or as an exit of a loop
  double *trips; // [num_loops] of a thread, each time that it comes to the loop
  double *parts; // [num_loops] of its exits, those by which threads of a warp may leave in
                 // different iterations
  // [num_loops] Threads that part in it do not meet in it again: each iteration parts them more,
  // and there a pass is one thread.
  bool *scatters;
  bool *guessed; // [num_loops] how often it goes around is a guess, LIN_USUAL_TRIPS
  double *crowd; // [num_blocks] threads of a pass that comes there, if untold branches send all of
                 // them that way
} lin_ways;

// Of the graph that `joins` are of, or of joins->compiled. O((edges + blocks) * nesting of loops).
lin_ways *lin_ways_find(lin_arena *arena, const lin_analysis *analysis, const lin_joins *joins);

// Of the graph that `joins` are of, with the shares that threads have in joins->compiled: in two
// loops that share their iterations they go around as often as in the one. Complexity as above.
lin_ways *lin_ways_apart(lin_arena *arena, const lin_analysis *analysis, const lin_joins *joins,
                         const lin_ways *compiled);

// The chance that any of `threads` takes `edge`, if its block may part them; else its share.
double lin_ways_any(const lin_analysis *analysis, const lin_joins *joins, const lin_ways *ways,
                    lin_edge edge, double threads);

// The iterations of a loop that a pass of `threads` has.
double lin_ways_trips(const lin_ways *ways, uint32_t loop, double threads);

// 1 + 1/2 + ... + 1/n, for n that isn't whole, too, but at least 1: within 2% of it. O(1).
double lin_ways_harmonic(double n);

// The immediate dominator of `block` or, if that is in loops that don't contain the block, the
// header of the outermost of them. `block` is not 0. O(nesting of loops).
lin_block lin_ways_above(const lin_analysis *analysis, lin_block block);

#endif
