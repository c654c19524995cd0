// Passes: blocks that a warp enters again although its lanes could have gone through together.
//
// A pass of a lane through a block is told by the iterations of the loops around the block that it
// is in, and by the calls that led there. A warp enters a block once a pass if its lanes stay
// together; an entry with a pass that lanes have come with before is one too many:
//
//     c1 ─▶ c2 ─▶ c3         in one iteration of the loop around it, c3 is entered by the lanes
//      └──────────▶┘         that come from c1, and again by those that come from c2
#ifndef LIN_SIMT_PASSES_H
#define LIN_SIMT_PASSES_H

#include "program.h"

typedef struct simt_seen {
  uint64_t *key; // open addressing; 0 is empty
  uint32_t capacity, count;
} simt_seen;

typedef uint64_t simt_pass[SIMT_LANES];

// The pass of lanes of `mask` that begin `callee`, which instruction `pc` of block `block` of
// `caller` calls (NULL: the kernel is launched). `passes`: those of the callee's loops, and of the
// caller's.
void simt_passes_begin(simt_pass *passes, const simt_function *caller, const simt_pass *of_caller,
                       lin_block block, uint32_t pc, uint32_t mask);

// Lanes of `mask` take `edge`. O(lanes * loops that it enters), O(1) if it enters none and goes
// around none.
void simt_passes_take(simt_pass *passes, const simt_function *function, lin_edge edge,
                      uint32_t mask);

// A warp enters `block` of function `number` with the lanes of `mask`; `all`: they are all that it
// has. True if it has entered it in this pass before. Expected O(lanes).
bool simt_passes_enter(simt_seen *seen, const simt_pass *passes, const simt_function *function,
                       uint32_t number, lin_block block, uint32_t mask, bool all);

void simt_seen_release(simt_seen *seen);

#endif
