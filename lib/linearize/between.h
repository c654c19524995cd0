// The blocks between a branch and the place where all of its threads meet.
#ifndef LIN_LINEARIZE_BETWEEN_H
#define LIN_LINEARIZE_BETWEEN_H

#include "definition1_edges.h"

enum {
  LIN_MOST_BETWEEN = 30000000, // blocks: about a second (bench/scaling --shapes nested)
  // What isn't guarded for gain alone: others notice when it runs, or it may not be guarded.
  LIN_LEFT_OUT = LIN_REFUSED | LIN_CROSS_LANE | LIN_WAITS | LIN_POLLS | LIN_OBSERVES | LIN_MAY_SPIN,
};

typedef struct lin_between {
  const lin_analysis *analysis;
  lin_block above, below; // D and P
  lin_block *block;       // [count] in the order in which a walk from D finds them
  uint32_t count;
  bool leads_past; // an edge of D leads to P
  uint32_t *seen;  // [num_blocks] the walk that found a block last
  uint32_t walk;
  uint64_t work; // blocks that all walks have found
} lin_between;

lin_between *lin_between_new(lin_arena *arena, const lin_analysis *analysis);

// Finds what lies between `above` and `below`, its immediate post-dominator or one further down.
// Returns false if that is nothing, or if they don't bound it: if there is another way in or out,
// if blocks of another fate or with any of the flags `kept_out` lie there, or more than `most`; and
// once all walks together have found LIN_MOST_BETWEEN blocks, in nests that nobody writes, so that
// they take no more than about a second. O(edges between them).
bool lin_between_find(lin_between *between, lin_block above, lin_block below, uint32_t kept_out,
                      uint32_t most);

#endif
