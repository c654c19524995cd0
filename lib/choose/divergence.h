// What it takes to find out at which branches threads of a warp part. LLVM's uniformity analysis
// looks, from each branch that parts them, at all blocks until they meet again:
//
//     b ─▶ ... ─▶ P        b's immediate post-dominator P, as far as threads don't go around a loop
//     └──▶ ... ──▶┘        or leave it before; else all of that loop, and what follows up to P
//
// and in loops at some of them again. In one region of thousands of blocks that grows with their
// square: 4000 blocks take it seconds and gigabytes. A look takes it 0.09 us where there are no
// loops, 0.3 us in loops seven deep, and 1.5 us in hundreds.
#ifndef LIN_CHOOSE_DIVERGENCE_H
#define LIN_CHOOSE_DIVERGENCE_H

#include "linearize/definition1_edges.h"

// The work of a look, in the unit of lin_policy.most_work, 20 ns (bench/scaling --modes needed
// --shapes near,far,forward,any --sizes 500,1000 prints the time of two such analyses), and how
// many a block in that many loops, or more, counts for.
enum { LIN_WORK_OF_LOOK = 10, LIN_MOST_LOOKS = 4 };

// What the analysis takes, if every branch parts threads. O(edges + blocks log blocks).
uint64_t lin_divergence_work(lin_arena *arena, const lin_analysis *analysis);

// The most that it can take for so many blocks.
static inline uint64_t lin_divergence_most_work(uint32_t blocks) {
  return (uint64_t)LIN_WORK_OF_LOOK * LIN_MOST_LOOKS * blocks * blocks;
}

#endif
