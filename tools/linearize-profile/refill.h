// What it would give that lanes of a warp take the next thread's work when they are done with their
// own (refill/predict.h), by counts alone: whether threads allow it, the compiler knows.
#ifndef LIN_TOOLS_PROFILE_REFILL_H
#define LIN_TOOLS_PROFILE_REFILL_H

#include "refill/predict.h"
#include "threads/counts_file.h"

typedef struct profile_refill {
  uint32_t header; // a block of the launch: of the loop; UINT32_MAX: nothing is known
  lin_refill_prediction predicted; // in cycles, latencies added; memory isn't in it
} profile_refill;

// Of the outermost loop in which warps are longest. Nothing is known without one, or if the kernel
// calls functions. `warps`: [launch->num_blocks] how often they entered each block. Ends the
// program if there is no memory. O(blocks * (vectors + nesting of loops)), and as long as
// lin_refill_predict takes.
profile_refill profile_refill_launch(lin_memory *memory, const lin_counts_launch *launch,
                                     const double *warps);

#endif
