// What all functions are given, and whether it is as threads.h says.
#ifndef LIN_THREADS_VECTORS_H
#define LIN_THREADS_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LIN_WARP = 32 };

typedef struct lin_vectors {
  const uint32_t *count; // [num_threads * num_blocks]
  size_t num_threads, num_blocks;
} lin_vectors;

static inline const uint32_t *lin_vector(const lin_vectors *vectors, size_t thread) {
  return vectors->count + thread * vectors->num_blocks;
}

// O(1).
bool lin_vectors_are_good(const lin_vectors *vectors);

// Finite, not negative. O(num_blocks).
bool lin_latencies_are_good(const double *latency, size_t num_blocks);

// NULL, or only threads that there are. O(num_threads).
bool lin_order_is_good(const uint32_t *order, size_t num_threads);

#endif
