// Which branches that ask for the thread's index alone get other threads, so that those that go the
// same way stand side by side.
//
//     for (s = 1; s < n; s *= 2) {         for (s = 1; s < n; s *= 2) {
//       if (t % (2 * s) == 0)                u = t * 2 * s;
//         x[t] += x[t + s];         ==>      if (u < n)
//       __syncthreads();                       x[u] += x[u + s];
//     }                                      __syncthreads();
//                                          }
//
// Before, every second thread of each warp adds, then every fourth, and all warps run; after, the
// first n / 2 threads, then the first n / 4, and whole warps have nothing to do. (CS6963, lecture
// 9: "Organize computation into warps with same control flow path".)
//
// For each such branch sections are tried, from the smallest on, and of each the formulas that the
// condition suggests; the first section for which one pays is taken.
#ifndef LIN_PERMUTE_PERMUTE_H
#define LIN_PERMUTE_PERMUTE_H

#include "crossing.h"
#include "gain.h"

// The part that has to be saved of a section's warp instructions and what its accesses cost; and
// how much more may be issued for that.
#define LIN_LEAST_PERMUTED 0.1
#define LIN_MOST_ISSUED 0.03

typedef struct lin_permutation {
  lin_block branch; // for which it is done
  lin_section section;
  lin_crossing crossing;
  lin_formula formula;
  lin_gain gain;
  // Of a formula by which some threads don't work: what else has to hold for those that do. They go
  // by `edge` from the section's start, the others straight to its end.
  lin_conjuncts rest;
  lin_edge edge;
} lin_permutation;

// A branch for which it would pay, and why it isn't done.
typedef struct lin_missed {
  lin_block branch;
  lin_obstacle obstacle; // without a value: of the branch as a whole
  lin_gain gain;
} lin_missed;

typedef struct lin_permutations {
  lin_permutation
      *found; // [num_found] that can all be made, in any order: none is in another one, or
              // needs what is computed in it
  uint32_t num_found;
  bool is_whole;      // there are no more, which would get in the way of those
  lin_missed *missed; // [num_missed]
  uint32_t num_missed;
} lin_permutations;

typedef struct lin_permute_options {
  bool regardless; // of what it gains: the formula that gains most, or loses least
  bool force;      // threads don't exchange values without a word of it (section.h)
} lin_permute_options;

// Lives in the arena.
// O(branches * (values + what gain.h says for the sections of each)), the latter up to a bound on
// the whole.
lin_permutations *lin_permutations_find(lin_arena *arena, const lin_values *values,
                                        lin_permute_options options);

#endif
