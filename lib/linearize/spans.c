#include "spans.h"

// The outermost of the open spans that ends before `last`; `depth` if none does. Open spans nest,
// so their ends fall with their depth.
static uint32_t first_ending_before(const lin_span *spans, const uint32_t *open, uint32_t depth,
                                    uint32_t last) {
  uint32_t low = 0, high = depth;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (spans[open[middle]].last < last)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

uint32_t lin_spans_merge(lin_arena *arena, const uint32_t *furthest, uint32_t count,
                         lin_span **result) {
  lin_span *spans = LIN_ARRAY(arena, lin_span, count);
  uint32_t *open = LIN_ARRAY(arena, uint32_t, count); // spans around the leaf at hand
  uint32_t num_spans = 0, depth = 0;
  for (uint32_t leaf = 0; leaf < count; leaf++) {
    while (depth > 0 && spans[open[depth - 1]].last < leaf)
      depth--;
    if (furthest[leaf] == LIN_NONE)
      continue;
    uint32_t overlapped = first_ending_before(spans, open, depth, furthest[leaf]);
    if (overlapped < depth) {
      spans[open[overlapped]].last = furthest[leaf];
    } else {
      open[depth++] = num_spans;
      spans[num_spans++] = (lin_span){leaf, furthest[leaf]};
    }
  }
  *result = spans;
  return num_spans;
}
