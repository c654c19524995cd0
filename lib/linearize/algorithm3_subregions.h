// Structured subregions: Definition 5 and Algorithm 3 of the paper.
//
// A subregion is entered at one block b only and left only for one block T, a post-dominator of b:
// the blocks that b dominates, without T and what T dominates. It may contain whole inner regions,
// but no unstructured edge that isn't one of theirs. It can be kept as it is behind one guard.
//
//            b
//           / \         subregion of b: {b, x, y}, T its target; T itself may be
//          x   y        entered from elsewhere
//           \ /
//      ───▶  T
//
// Beyond Definition 5, threads must not meet late in it (late.h). Kept as it is, a subregion would
// run x twice where the definition sees nothing wrong; linearized, x has a guard of its own, and
// all threads reach it first:
//
//            b                     b
//           / \                    s.G ──▶ s
//          a   c                   │ ◀─────┘
//         / \  |        ==>        c.G ──▶ c       subregions of one block
//        |   s |                   │ ◀─────┘       each (a and T left out)
//        |    \|                   x.G ──▶ x
//        |     x                   │ ◀─────┘
//         \   /
//           T
//
// So, but for those in inner regions, a late join begins a subregion, and no subregion has a late
// loop in it. That is asked where all unstructured edges are seeds.
#ifndef LIN_LINEARIZE_ALGORITHM3_SUBREGIONS_H
#define LIN_LINEARIZE_ALGORITHM3_SUBREGIONS_H

#include "algorithm2_regions.h"

typedef struct lin_subregions lin_subregions;

// Prepares the counts that make each question below cheap. Loops for which `merged[l]` is set
// (nests.h; NULL: none) and those around them are never in a subregion; with `staged`, blocks that
// have LIN_STAGE begin one. O(edges log blocks).
lin_subregions *lin_subregions_build(lin_arena *arena, const lin_analysis *analysis,
                                     const lin_regions *regions, const bool *seed,
                                     const bool *merged, bool staged);

// The target T of the largest structured subregion within `region` that is entered at `block`,
// LIN_NONE if there is none. Its blocks are those for which lin_subregion_has is true.
lin_block lin_subregion_target(const lin_subregions *subregions, uint32_t region, lin_block block);

// True if `block` is in the subregion entered at `entry` with target `target`. O(1).
bool lin_subregion_has(const lin_analysis *analysis, lin_block entry, lin_block target,
                       lin_block block);

#endif
