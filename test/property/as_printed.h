// The paper's metrics and algorithms, line by line as they are printed, without a thought for time:
// what lib/threads is compared with. Shares no code with it.
#ifndef LIN_TEST_AS_PRINTED_H
#define LIN_TEST_AS_PRINTED_H

#include <stddef.h>
#include <stdint.h>

typedef struct printed {
  const uint32_t *vectors; // [num_threads * num_blocks]
  size_t num_threads, num_blocks;
  const double *latency;
} printed;

// (2) to (5).
double printed_weighted(const printed *p, const uint32_t *order, size_t threads_per_block,
                        unsigned num_sms);

// Fig. 4 and 5: a queue of thread blocks, slots that are free or not.
double printed_scheduled(const printed *p, const uint32_t *order, size_t threads_per_block,
                         unsigned slots);

// Algorithms 1 and 2. What they leave open is done as threads.h says. Of the last group of
// Algorithm 1, the one that is left over, threads are in the order of their index.
void printed_greedy(const printed *p, size_t group, uint32_t *order);
void printed_greedy_max(const printed *p, size_t group, uint32_t *order);

#endif
