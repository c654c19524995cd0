// Threads of a warp that wait for each other where the warp runs in lock step (below sm_70): which
// regions would make some wait for ever.
//
// There, guarded blocks run in the plan's order, and a thread that isn't meant by a guard waits
// behind it for those that are. A loop's blocks all run once in each of its iterations; who has
// left it waits behind it for those that stay. So:
//
//   waits     Of two blocks that wait (barriers, *_sync), one dominates the other, so that every
//             thread that comes to the second has been at the first. And in a loop of the region
//             every iteration passes the block, and the plan has a loop for just that one: else
//             some come to it in a later iteration than others, whom they met there before:
//
//                 h: ...           B comes to c and waits for A, which goes around to h and meets
//                 b: br h, c       B at c, b's immediate post-dominator. As one loop of h, b and c,
//                 c: sync; br h,…  B runs c alone.
//
//   spins     A loop L with a block that polls memory, or a block that spins by itself, goes on
//             until some thread releases it. L is the innermost of the plan's loops around the
//             block (spans.h). A release in L is passed in every iteration. One outside of
//             L must come before it, with no loop of the region around both, in which it might be
//             one iteration behind:
//
//                 order of blocks      1 release   2 L ⟲ polls   3 release
//                                      has run     ⟲ waits for 3, whose threads wait behind L
//
//             A block that spins by itself, and releases, is taken to wait for its own release,
//             where threads come to it together that came one after the other.
//
// That holds where every block of the region is a leaf behind its guard. So it is asked of the plan
// for regions that both spin and release (`plain`): in a subregion that keeps its edges, or in the
// arms of a branch, some run to the end before the others begin, and linearizing what is around it
// brings together there who came one after the other.
//
// And it holds among threads that come to the region together and are together again at its end.
// Where D parts them beyond it, where it lies in an irreducible loop that stays, which parts them
// for good, and where they don't return, a function in which any block spins and any releases is
// left alone.
//
// Threads that no branch of the region, nor D, can part are never in two places.
//
// Programs are held to what PTX asks of them below sm_70: the threads that a barrier or *_sync
// names come to it together. Which threads they are must not depend on how far others are.
#ifndef LIN_CHOOSE_WAITING_H
#define LIN_CHOOSE_WAITING_H

#include "linearize/algorithm2_regions.h"

typedef struct lin_waiting {
  lin_block *at_fault; // [num_regions] a block that would wait for ever, or LIN_NONE
  bool *plain;         // [num_regions] only if each of its blocks is a leaf of Algorithm 1's
} lin_waiting;

// Looks at the regions for which `skipped[r]` isn't set. Without `divergence_known` every branch
// parts threads. O(edges log blocks + blocks *
// (nesting + depth of loops)), and for a region that spins and releases O(edges * nesting).
lin_waiting lin_waiting_find(lin_arena *arena, const lin_analysis *analysis,
                             const lin_regions *regions, const bool *skipped,
                             bool divergence_known);

#endif
