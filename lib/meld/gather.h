// Where threads that run a block and those that go around it part for good, they reach it at
// different times. Here all come by one place in front of it:
//
//     D ─▶ a ─▶ S ─┐           D ─▶ a ─┐       ┌─▶ S ─┐
//     ├──▶ b ─▶ S  │           ├──▶ b ─┼─▶ M ──┤      │
//     └──▶ c ──────┴▶ J  ==>   └──▶ c ─┘       └──────┴▶ J
#ifndef LIN_MELD_GATHER_H
#define LIN_MELD_GATHER_H

#include "linearize/definition1_edges.h"

typedef struct lin_gathering {
  lin_block block, meeting; // S, and J, where all threads meet
  const lin_block *before;  // [num_before] that threads come to between D and M, and D
  uint32_t num_before;
} lin_gathering;

// Finds it for a block S. Returns false where nobody goes around S, or where some threads come
// another way to what is behind S. O(blocks and edges).
bool lin_gathering_find(lin_arena *arena, const lin_analysis *analysis, lin_block block,
                        lin_gathering *g);

// Whether threads that come to the block by several ways do so together, or can be gathered for it.
// O(blocks and edges).
bool lin_meld_meets(const lin_analysis *analysis, lin_block block);

#endif
