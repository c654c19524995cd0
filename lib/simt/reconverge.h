// Where lanes that a branch has parted come together again.
#ifndef LIN_SIMT_RECONVERGE_H
#define LIN_SIMT_RECONVERGE_H

#include "graph/order.h"

// A place at which lanes wait for each other (BSYNC), as ptxas sets it up (BSSY).
typedef struct simt_meeting {
  lin_block at;
  const uint32_t *inside; // bits, by block: where lanes still may come to `at`; who leaves is not
                          // waited for (BREAK). NULL: everywhere
} simt_meeting;

// What ptxas 13.0 does, as seen in the machine code of branches, switches and loops for sm_90:
//
//   - A branch D reconverges at its immediate post-dominator P, if D dominates P: who waits at a
//     place (BSYNC) must have set it up (BSSY) on every way there.
//   - Some other joins have a meeting, too (gpu/meetings.h): the else part J of a short circuit.
//     Lanes that can't come to it any more leave it; and the joins before it run once for each way
//     into them.
//
//         D ─▶ c2 ──────┐       meetings of D: P, and J for D, c2, c3
//         └─▶ c3 ◀┘──▶ J ─▶ P
//              └─▶ S ──────▶┘
//
//   - A meeting behind a loop is set up before the loop.
//   - Loops that share their iterations are one (gpu/iterations.h).
//   - There is none inside an irreducible loop: lanes that part in one, or before it, meet where
//     the outermost such loop has been left.
typedef struct simt_reconvergence {
  lin_block *postdominator; // [num_blocks] P, or LIN_NONE
  uint32_t *first_meeting;  // [num_blocks + 1] into meeting[]: those that a warp sets up where it
                            // leaves the block
  simt_meeting *meeting;    // of one block: the outermost one first
} simt_reconvergence;

// O(blocks log blocks), and for each join the blocks between its dominator and it.
simt_reconvergence *simt_reconvergence_build(lin_arena *arena, const lin_order *order);

#endif
