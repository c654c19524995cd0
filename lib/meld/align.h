// The alignment of two sequences that has the highest score: Needleman and Wunsch (1970), without a
// price for gaps.
//
//     a:  x  y  z  -  w
//         │     │     │      pairs keep their order in both sequences
//     b:  x  -  z  v  w
#ifndef LIN_MELD_ALIGN_H
#define LIN_MELD_ALIGN_H

#include <stdint.h>

typedef struct lin_alignment {
  uint32_t length[2];
  // What it is worth to pair element i of the first sequence with j of the second; 0: never.
  uint32_t (*score)(const void *context, uint32_t i, uint32_t j);
  const void *context;
} lin_alignment;

// Sets partner[i] to the element of the second sequence that i is paired with, or LIN_NONE:
// [length[0]]. Returns the score. O(length[0] * length[1]) time, and bytes until it returns.
uint64_t lin_align(const lin_alignment *a, uint32_t *partner);

#endif
