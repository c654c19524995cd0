// The form of guards by their cost. A guard of its own for each test, most of them flags, makes the
// shortest code. But flags that are set before a join and read behind it need a phi each there,
// where the integer of Algorithm 1 needs one:
//
//     a: goto b or c          next_b, next_c:   two phis at the join in front of b's test
//     if next is b: b         next:             one
//     if next is c: c
//
// So where the guards of a function need more phis than Algorithm 1's, those that meet at a join
// become one integer, which names the leaf that is next; if that is not enough, all of a region; if
// that is not enough (threads that skip a loop meet behind it those that were in it), the region is
// arranged as in Algorithm 1.
#ifndef LIN_LINEARIZE_O4_SHARE_H
#define LIN_LINEARIZE_O4_SHARE_H

#include "flow.h"

// The phis that the guards of each region need: [num_regions] from the arena.
// O(edges * depth of loops), and near-linear in uses and phis.
uint32_t *lin_share_count_phis(lin_arena *arena, const lin_flow *flow);

// Unites guards of `plan`, and lowers it to `flow` anew if it did, where they need more phis than
// `allowed` [num_regions]. Returns false if that was not enough: then more regions than before are
// marked in `flat` [num_regions], and the plan is to be built anew, with these arranged flat.
bool lin_share_guards(lin_arena *arena, lin_plan *plan, lin_flow **flow, const uint32_t *allowed,
                      bool *flat);

#endif
