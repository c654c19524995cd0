// A warp in lock step: its lanes run a graph or a flow together, part where their branches differ
// and meet again at the branch's reconvergence point, kept on a stack as on Fermi.
//
//     stack entry: (next block, lanes, where they stop and wait)
//     a branch of (b, m, w) to x and y that reconverges at r:
//
//         (b, 1111, w)   ==>   (r, 1111, w)
//                              (y, 0011, r)
//                              (x, 1100, r)   runs first
#ifndef LIN_CHECK_SIMULATE_H
#define LIN_CHECK_SIMULATE_H

#include "interpret.h"

#include "gpu/target.h"

enum { LIN_LANES = LIN_WARP };

typedef struct lin_warp {
  const lin_graph *graph;
  const lin_flow *flow;        // whose graph it is, or NULL
  const lin_block *reconverge; // [num_blocks] the immediate post-dominator, or LIN_NONE
  lin_oracle oracle[LIN_LANES];
  uint32_t limit; // original blocks that a lane runs before it is taken away

  // What to tell of the run; each may be NULL.
  void (*ran)(void *data, lin_block block, uint32_t lanes);
  void (*went)(void *data, lin_block from, lin_block to, uint32_t lanes);
  void *data;
} lin_warp;

typedef struct lin_simulation {
  uint64_t *entered; // [num_blocks] how often the warp ran each block
  uint64_t blocks;   // sum of entered[]
  uint64_t lanes;    // blocks run, counted for each lane: lanes / (32 * blocks) is the efficiency
  uint32_t deepest;  // entries on the stack
} lin_simulation;

// Runs a warp until every lane has ended. O(32 * blocks run).
lin_simulation lin_simulate(lin_arena *arena, const lin_warp *warp);

#endif
