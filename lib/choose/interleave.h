// Branches of which the two arms are interleaved (section 5.1): while the loads of one arm are
// under way, a warp runs the other one.
//
//          D                   D ─▶ a1 | b1     loads of both arms
//        ╱   ╲                 a2 if D went to a
//      a1     b1       ==>     b2 if D went to b
//      a2     b2               P
//        ╲   ╱
//          P
//
// The arms have been cut into stages before, a block that loads and uses in two, so that what waits
// for a load begins a stage (LIN_STAGE). Stages of the arms take turns; a loop, or a branch inside
// of an arm, is in one stage as a whole. The first stages are arms of D, as they were; later ones
// stand behind guards.
#ifndef LIN_CHOOSE_INTERLEAVE_H
#define LIN_CHOOSE_INTERLEAVE_H

#include "linearize/algorithm2_regions.h"

// A branch that may be interleaved.
typedef struct lin_two_sided {
  lin_block branch;  // D
  lin_block arm[2];  // where its arms begin
  lin_block meeting; // P
  uint64_t cost;     // instructions of both arms
} lin_two_sided;

// Finds the branches that may part threads and have two arms that no edge enters or leaves but from
// D and to P, without blocks that wait, poll or may not be guarded. Sets `*branches` [returned],
// inner ones first. O(edges * nesting).
uint32_t lin_interleave_find(lin_arena *arena, const lin_analysis *analysis, bool divergence_known,
                             lin_two_sided **branches);

// The block that all threads that run `block`, in an arm, come to next. O(1).
static inline lin_block lin_interleave_next(const lin_analysis *analysis, lin_block block) {
  return analysis->postdominators->tree->parent[block];
}

// The blocks inside of a branch whose threads meet at `meeting`, in preorder of the dominator tree,
// which `preorder` is: in `inside`, with room for all blocks. Returns how many. O(blocks inside).
uint32_t lin_interleave_inside(const lin_analysis *analysis, const lin_block *preorder,
                               lin_block branch, lin_block meeting, lin_block *inside);

// One region for the arms of each block with LIN_TWO_SIDED, of those that may be interleaved.
// O(edges * nesting).
lin_regions *lin_interleave_regions(lin_arena *arena, const lin_analysis *analysis,
                                    bool divergence_known);

// How many stages of its arm come before that of each block: [num_blocks]. O(blocks).
uint32_t *lin_interleave_stages(lin_arena *arena, const lin_analysis *analysis);

#endif
