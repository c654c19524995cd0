// Joins at which threads of a warp come together late: their dominator D parts them, and they are
// not where all of D's threads meet, D's immediate post-dominator P.
//
//     D ─▶ c2 ─────┐
//     └──▶ c3 ◀┘─▶ J ─▶ P        threads come to J over different ways, at different times
//          └─▶ S ─────▶┘
#ifndef LIN_CHOOSE_JOINS_H
#define LIN_CHOOSE_JOINS_H

#include "linearize/definition1_edges.h"

typedef struct lin_joins {
  const lin_analysis *compiled; // as ptxas has it: loops that share iterations are one
                                // (graph/iterations.h); the given one if there are none
  const lin_block *inner; // [num_blocks] of a header that is no more then, the one in its place
  bool *apart; // [loops of `compiled`] several edges go back, and threads don't wait where they do
  bool *late;  // [num_blocks] threads come there at different times, for all that the graph says
  bool *met;   // [num_blocks] one of these at which they wait for each other nevertheless
  bool lock_step;    // on GPUs whose threads run in lock step
  uint32_t *parting; // [num_blocks + 1] branches that may part threads, among the blocks before
} lin_joins;

// Finds them. Without `divergence_known` every branch parts threads. On GPUs whose threads run
// independently (not in `lock_step`), ptxas has them wait at some more joins (gpu/meetings.h).
// O((edges + blocks * nesting) log blocks).
lin_joins *lin_joins_find(lin_arena *arena, const lin_analysis *analysis, bool divergence_known,
                          bool lock_step);

// Some branch from `from` on, `to` excluded, may part threads.
static inline bool lin_joins_is_parted(const lin_joins *joins, lin_block from, lin_block to) {
  return joins->parting[to] > joins->parting[from];
}

#endif
