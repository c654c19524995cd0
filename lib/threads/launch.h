// A launch as the metrics see it: thread blocks of warps.
//
//     order      5 2 9 ... | ...      | ...          threads at their places
//     warps      `- 32 ---'  `- 32 --'  `- rest -'
//     thread blocks   `- threads_per_block ------'
#ifndef LIN_THREADS_LAUNCH_H
#define LIN_THREADS_LAUNCH_H

#include "memory.h"
#include "vectors.h"

typedef struct lin_launch {
  lin_vectors vectors;
  const double *latency; // [num_blocks] or NULL, for metrics that ask for none
  const uint32_t *order; // [num_threads] or NULL
  size_t threads_per_block;
} lin_launch;

// O(num_threads + num_blocks).
bool lin_launch_is_good(const lin_launch *launch, bool has_latencies);

static inline size_t lin_launch_thread(const lin_launch *launch, size_t place) {
  return launch->order == NULL ? place : launch->order[place];
}

static inline size_t lin_launch_num_thread_blocks(const lin_launch *launch) {
  size_t threads = launch->vectors.num_threads;
  return threads / launch->threads_per_block + (threads % launch->threads_per_block != 0);
}

// The place behind the last one of the warp that begins at `place`.
size_t lin_launch_end_of_warp(const lin_launch *launch, size_t place);

// What a thread block takes, in cycles: the paper's (2) to (4). `most` has room for num_blocks, for
// its own use. O(threads_per_block * num_blocks).
double lin_launch_cycles(const lin_launch *launch, size_t thread_block, uint32_t *most);

// How a metric ends: releases its memory, and returns `value`; -1, with errno set, if that is not
// finite (ERANGE) or there was no memory (ENOMEM).
double lin_launch_result(lin_memory *memory, double value);

#endif
