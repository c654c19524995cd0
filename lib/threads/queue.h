// Groups by what merging them gains, the best first: a heap that knows where each stands.
#ifndef LIN_THREADS_QUEUE_H
#define LIN_THREADS_QUEUE_H

#include "memory.h"

#include <stdint.h>

typedef struct lin_rank {
  double gain;
  bool is_limit;          // it gains that at most: looked at before those that do gain it
  uint32_t first, second; // of the same gain the smaller ones come first
} lin_rank;

typedef struct lin_queue {
  uint32_t count;
  uint32_t *heap;  // [count]
  uint32_t *place; // [groups] in `heap`, and 1; 0 of those that aren't in it
  lin_rank *rank;  // [groups]
} lin_queue;

bool lin_queue_new(lin_queue *queue, lin_memory *memory, uint32_t num_groups);

// Puts a group where its rank is, be it in the queue or not. O(log groups).
void lin_queue_put(lin_queue *queue, uint32_t group, lin_rank rank);

// Takes a group out, which is in it. O(log groups).
void lin_queue_remove(lin_queue *queue, uint32_t group);

#endif
