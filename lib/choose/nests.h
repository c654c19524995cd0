// Loop nests of which the inner loop goes around together with the outer one (section 5.2).
//
//     ┌─▶ H: S1            ┌─▶ if next is H: S1     A thread that is done with its inner loop goes
//     │   h: S2 ⟲    ==>   │   if next is h: S2     on to S3 and S1, and joins those that are still
//     └── l: S3            │   if next is l: S3     in S2 at an earlier iteration, instead of
//         t                └── until next is t      waiting for them.
//
// Legal, since each thread runs the same blocks in the same order as before, unless others notice
// when: nests in which threads wait for each other, or in which something depends on which threads
// run together, stay as they are; and so do inner loops that poll memory, and nests that both store
// and load where other threads of the warp do, too: programs rely on threads of a warp that are in
// the same iteration of the outer loop, though nothing promises it to them. A nest merges when both
// loops have one header, in each loop at most one of the loops directly in it, deeper ones too.
//
// Worth it if threads of a warp need different numbers of iterations of the inner loop: a warp runs
// as many as the thread that needs most, for each iteration of the outer loop; merged, as many as
// the one that needs most in all, but nearly always with the code around the inner loop, and with
// guards:
//
//     before   around + spread * trips * inner          for each iteration of the outer loop
//     after    drift * trips * (inner + guards + around * any)
//
// where `any` is the chance that some thread of 32 begins or ends an inner loop in an iteration.
// How far apart threads are (spread, drift) no weights say: what a geometric distribution has.
//
// Where passes of warps were counted, that says how far apart they are (nest_counts.h).
//
// A small inner loop pays for what is around it only once in several iterations. Then it is
// stripped first (choose/strips.h): it becomes a loop of strips of up to so many iterations, and
// what is merged is the loop of strips.
//
//     h: S2 ⟲    ==>    ┌─▶ M
//     │                 │   h: S2 ⟲ at most 8 times
//     ▼                 └── more?
#ifndef LIN_CHOOSE_NESTS_H
#define LIN_CHOOSE_NESTS_H

#include "linearize/algorithm2_regions.h"

typedef enum lin_nest_verdict {
  LIN_NEST_NONE,        // no loop around it
  LIN_NEST_MERGED,      // goes around with the loop around it
  LIN_NEST_IRREDUCIBLE, // it, or the one around it, has several entries
  LIN_NEST_REFUSED,     // a block may not stand behind a guard
  LIN_NEST_WAITS,       // threads wait for each other, or notice who runs with them
  LIN_NEST_CALLS,       // they may, in code that isn't here
  LIN_NEST_POLLS,
  LIN_NEST_SHARES,  // threads may exchange values in it
  LIN_NEST_UNIFORM, // all threads of a warp leave it together
  LIN_NEST_DEAR,    // gains too little
  LIN_NEST_UNKNOWN, // a profile knew, of the function before it was changed
  LIN_NEST_SIBLING, // another loop beside it gains more
} lin_nest_verdict;

typedef struct lin_nest {
  lin_nest_verdict verdict;
  lin_block block; // at fault, or the loop's header
  double before;   // instructions of a warp for each iteration of the loop around
  double after;    // the same, merged
  double saved;    // of all launches that were counted, if they were: instructions of warps
  uint32_t strip;  // iterations of the inner loop that a thread has at once, when merged
} lin_nest;

// Parts of a merged nest behind guards: H, h and l above. Each costs a test and a set in every
// iteration. Fitted, as what nests.c has. And instructions that count the iterations of a strip, in
// each of them.
#define LIN_GUARDED_PARTS 3.0
#define LIN_COST_OF_COUNTING 3.0

typedef struct lin_nests {
  lin_nest *nest; // [num_loops]
  bool *merged;   // [num_loops] goes around with the loop around it
} lin_nests;

typedef struct lin_nest_options {
  bool divergence_known; // LIN_UNIFORM flags say something
  bool lock_step;        // the target runs the threads of a warp in lock step (below sm_70)
  bool regardless;       // of what it gains
  bool counts_ended;     // guesses don't decide where a profile did
} lin_nest_options;

// O(edges * nesting of loops).
lin_nests *lin_nests_find(lin_arena *arena, const lin_analysis *analysis,
                          const lin_nest_options *options);

// Marks the edges that go around the outermost loops of nests that are merged: [num_edges].
bool *lin_nests_seeds(lin_arena *arena, const lin_analysis *analysis, const lin_nests *nests);

// Unmerges the loops that no region has together with the loop that they go around with: it was
// refused. O(blocks * nesting).
void lin_nests_keep(const lin_analysis *analysis, const lin_regions *regions, lin_nests *nests);

// The name of the remark that tells of it; of a loop that was to be merged and is left, that of
// LIN_NEST_REFUSED.
const char *lin_nest_name(lin_nest_verdict verdict);

// Why a loop isn't merged, as one clause.
const char *lin_nest_text(lin_nest_verdict verdict);

#endif
