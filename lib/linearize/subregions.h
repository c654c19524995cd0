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
#ifndef LIN_LINEARIZE_SUBREGIONS_H
#define LIN_LINEARIZE_SUBREGIONS_H

#include "regions.h"

typedef struct lin_subregions lin_subregions;

// Prepares the counts that make each question below cheap. O(edges log blocks).
lin_subregions *lin_subregions_build(lin_arena *arena, const lin_analysis *analysis,
                                     const lin_regions *regions, const bool *seed);

// The target T of the largest structured subregion within `region` that is entered at `block`,
// LIN_NONE if there is none. Its blocks are those for which lin_subregion_has is true.
lin_block lin_subregion_target(const lin_subregions *subregions, uint32_t region, lin_block block);

// True if `block` is in the subregion entered at `entry` with target `target`. O(1).
bool lin_subregion_has(const lin_analysis *analysis, lin_block entry, lin_block target,
                       lin_block block);

#endif
