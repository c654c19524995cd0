// The loops of a plan: spans of what stands in a row, from where an edge goes back to, to where the
// last such edge comes from.
//
// Spans that start at one place are one loop; of spans that overlap without nesting, the start of
// the later one moves up to that of the outermost it overlaps, which makes them one loop too:
//
//     0  1  2  3  4            0  1  2  3  4
//        ╰─────╯         ==>      ╰────────╯
//           ╰─────╯
//
// So a span needs not be a loop of the loop forest: what is nested there may lie across.
#ifndef LIN_LINEARIZE_SPANS_H
#define LIN_LINEARIZE_SPANS_H

#include "graph/loops.h"

typedef struct lin_span {
  uint32_t first, last;
} lin_span;

// Merges the spans first..furthest[first] of those of the `count` places for which furthest[] isn't
// LIN_NONE. Returns how many there are then: nested or disjoint, in rising order of `first`.
// O(count log count).
uint32_t lin_spans_merge(lin_arena *arena, const uint32_t *furthest, uint32_t count,
                         lin_span **result);

// The header to which threads go that go around `loop`: its own, or that of the outermost loop
// that goes around with it. O(nesting).
static inline lin_block lin_merged_header(const lin_loops *loops, const bool *merged,
                                          uint32_t loop) {
  while (merged[loop])
    loop = loops->tree->parent[loop];
  return loops->header[loop];
}

#endif
