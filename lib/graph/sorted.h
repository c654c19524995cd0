// Sorted arrays of numbers.
#ifndef LIN_GRAPH_SORTED_H
#define LIN_GRAPH_SORTED_H

#include <stdint.h>

// How many of the `count` rising numbers are below `limit`: the place of the first that isn't.
// O(log count).
static inline uint32_t lin_count_below(const uint32_t *numbers, uint32_t count, uint32_t limit) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (numbers[middle] < limit)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// For qsort.
static inline int lin_rising(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

#endif
