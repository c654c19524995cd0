// Loops that share their iterations.
//
// Where a source has one loop with a `continue`, LLVM makes two, the threads that continue going
// around an inner one (LoopSimplify, of loops with a value that they leave as it is). The outer
// header H is made for that, and holds phis alone, which go on to those of h: no instruction is
// left of it in PTX, its edges lead to h, and ptxas has one loop with several back edges.
//
//     LLVM      ┌──────────▶ H          PTX       ┌──────────┐
//               │            ▼                    │          ▼
//               │      ┌───▶ h ──▶ P              │    ┌───▶ h ──▶ P
//               │      └──── ├ continue           │    └──── ├ continue
//               └── body ◀───┘                    └── body ◀─┘
//
// What is different: threads don't wait behind the inner loop until all others have left it, for
// there is none. They wait where the iteration ends (meetings.h). But where all who leave the inner
// loop come to one place in the outer one, its post-dominator, they do wait there, and there are
// two loops: so it is with a guard behind the inner one, which turns walks of 13.5 active threads
// into some of 10.2, and 1.45 times the instructions (bench/exits/walk_skip, mode paper,
// machine.py).
#ifndef LIN_GPU_ITERATIONS_H
#define LIN_GPU_ITERATIONS_H

#include "graph/dominators.h"
#include "graph/loops.h"

typedef struct lin_iterations {
  const lin_graph *graph; // edges back to an H lead to its h; the given graph if there is none
  const lin_loops *loops; // of that graph
  lin_block *inner;       // [num_blocks] the h of an H, the innermost; LIN_NONE for other blocks
} lin_iterations;

// `graph` is in loop-contiguous order (order.h), and so is the result, with the same numbers of
// blocks and edges. An H is a header with the flag LIN_VANISHES, that leads to the header of a loop
// in its own alone; neither loop has another entry, and nothing in the outer one post-dominates the
// inner. O(blocks) if there is none, else O(edges log blocks).
lin_iterations lin_iterations_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                                   const lin_postdominators *postdominators);

#endif
