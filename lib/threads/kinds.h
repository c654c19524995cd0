// Different vectors of a warp's threads: there are few, as a rule.
#ifndef LIN_THREADS_KINDS_H
#define LIN_THREADS_KINDS_H

#include "vectors.h"

typedef struct lin_kinds {
  const uint32_t *vector[LIN_WARP]; // in the order of their first threads
  uint32_t threads[LIN_WARP];       // that have it
  uint64_t sum[LIN_WARP];           // a hash
  size_t count;
} lin_kinds;

// Those of `count` threads, 1 to LIN_WARP. O(count * num_blocks), expected.
lin_kinds lin_kinds_find(const uint32_t *const *thread, size_t count, size_t num_blocks);

#endif
