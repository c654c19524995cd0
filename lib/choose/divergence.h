// What it takes to find out at which branches threads of a warp part. LLVM's uniformity analysis
// looks, from each branch that parts them, at all blocks until they meet again:
//
//     b ─▶ ... ─▶ P        b's immediate post-dominator P, as far as threads don't go around a loop
//     └──▶ ... ──▶┘        or leave it before; else all of that loop, and what follows up to P
//
// and in loops at some of them again. In one region of thousands of blocks that grows with their
// square: 4000 blocks take it seconds and gigabytes. A look takes it 0.09 us where there are no
// loops, 0.3 us in loops seven deep, and 1.5 us in hundreds. Where these are irreducible it comes
// again and again: thousands of gotos take it minutes.
#ifndef LIN_CHOOSE_DIVERGENCE_H
#define LIN_CHOOSE_DIVERGENCE_H

#include "linearize/definition1_edges.h"

// The work of a look, in the unit of lin_policy.most_work, 20 ns (bench/scaling --modes needed
// --shapes near,far,forward,any --sizes 500,1000 prints the time of two such analyses), and how
// many a block in that many loops, or more, counts for. In irreducible loops a block counts for one
// more with every fifth loop around it (clang -ftime-report with kernels by
// test/cuda/Inputs/gotos.py: 0.16 s for 300 gotos, 0.95 s for 600, 6.9 s for 1200).
enum { LIN_WORK_OF_LOOK = 10, LIN_MOST_LOOKS = 4, LIN_LOOPS_OF_LOOK = 5 };

// What the analysis takes, if every branch parts threads. O(edges + blocks log blocks).
uint64_t lin_divergence_work(lin_arena *arena, const lin_analysis *analysis);

// The most that it can take for so many blocks.
static inline uint64_t lin_divergence_most_work(uint32_t blocks) {
  uint64_t most = LIN_MOST_LOOKS + (uint64_t)blocks / LIN_LOOPS_OF_LOOK;
  return LIN_WORK_OF_LOOK * most * blocks * blocks;
}

#endif
