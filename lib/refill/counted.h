// What a file of counts says of a loop whose items are to be refilled.
#ifndef LIN_REFILL_COUNTED_H
#define LIN_REFILL_COUNTED_H

#include "predict.h"
#include "threads/counts_file.h"

// What a thread asks of memory in a block.
typedef struct lin_refill_memory {
  double beside; // bytes that stand beside those of neighbouring threads
  double alone;  // sectors that nobody else asks for, as far as addresses say
} lin_refill_memory;

// A launch, and what its blocks are.
typedef struct lin_refill_launch {
  const lin_counts_launch *launch;
  const double *cost;    // [launch->num_blocks] of a warp that enters it; 0: it is of no matter
  const bool *is_inside; // [launch->num_blocks] it is of the loop
  const lin_refill_memory *memory; // [launch->num_blocks] or NULL: nobody knows
  uint32_t header;                 // of the loop
} lin_refill_launch;

// Of launches of one kernel: warps that stand evenly among those of which something is known, and
// what its parts cost, a mean. Where passes of warps weren't counted, warps are taken to run a
// block together. Sets no look, round and fetch. O(launches * (runs + vectors * blocks)).
void lin_refill_count(const lin_refill_launch *launches, uint32_t count, lin_refill_items *items,
                      lin_refill_costs *costs);

#endif
