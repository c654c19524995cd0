#include "align.h"

#include "graph/graph.h"

enum { SKIP_FIRST, SKIP_SECOND, PAIR };

// The best of the prefixes of i and j elements is in row i, column j of a table of which two rows
// are kept; `step` has how each was reached.
uint64_t lin_align(const lin_alignment *a, uint32_t *partner) {
  lin_arena scratch = {0};
  const uint32_t n = a->length[0], m = a->length[1];
  const size_t width = (size_t)m + 1;
  uint8_t *step = LIN_ARRAY(&scratch, uint8_t, ((size_t)n + 1) * width);
  uint64_t *above = LIN_ARRAY(&scratch, uint64_t, width),
           *row = LIN_ARRAY(&scratch, uint64_t, width);
  for (uint32_t i = 1; i <= n; i++) {
    row[0] = 0;
    for (uint32_t j = 1; j <= m; j++) {
      uint64_t best = above[j];
      uint8_t how = SKIP_FIRST;
      if (row[j - 1] > best) {
        best = row[j - 1];
        how = SKIP_SECOND;
      }
      uint32_t score = a->score(a->context, i - 1, j - 1);
      if (score > 0 && above[j - 1] + score > best) {
        best = above[j - 1] + score;
        how = PAIR;
      }
      row[j] = best;
      step[i * width + j] = how;
    }
    uint64_t *swapped = above;
    above = row;
    row = swapped;
  }
  for (uint32_t i = 0; i < n; i++)
    partner[i] = LIN_NONE;
  for (uint32_t i = n, j = m; i > 0 && j > 0;) {
    uint8_t how = step[i * width + j];
    if (how == PAIR)
      partner[i - 1] = j - 1;
    i -= how != SKIP_SECOND;
    j -= how != SKIP_FIRST;
  }
  uint64_t score = above[m];
  lin_arena_release(&scratch);
  return score;
}
