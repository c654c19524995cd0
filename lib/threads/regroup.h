// What the algorithms of regrouping share: the problem, and the order that they make.
#ifndef LIN_THREADS_REGROUP_H
#define LIN_THREADS_REGROUP_H

#include "memory.h"
#include "vectors.h"

typedef struct lin_problem {
  lin_vectors vectors;
  const double *latency;
  uint32_t group; // threads of a group
  size_t pairs;   // n groups look at so many other ones in all,
  size_t least;   // each at so many at least
} lin_problem;

// 2^22: 2048 groups look at all others. Of 10^4 each looks at 419.
enum { LIN_PAIRS = 1 << 22, LIN_LEAST = 16 };

// The algorithms. Each fills `order`, [num_threads], or returns false, and has not touched it, if
// there is no memory.
bool lin_sorting(const lin_problem *problem, lin_memory *memory, uint32_t *order);
bool lin_greedy(const lin_problem *problem, lin_memory *memory, uint32_t *order);
bool lin_greedy_max(const lin_problem *problem, lin_memory *memory, uint32_t *order);

// How many others each of `count` groups looks at.
static inline size_t lin_candidates(const lin_problem *problem, uint32_t count) {
  size_t candidates = problem->pairs / (count > 0 ? count : 1);
  return candidates < problem->least ? problem->least : candidates;
}

#endif
