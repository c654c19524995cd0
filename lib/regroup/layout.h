// Where the bits of what moves are, in words of 32 bits.
//
//     items     5  64  32  1  10      the first begins at bit 0 of word 0, whatever else there is
//
//     word 0    ................ 1 10 5       what doesn't fill words, packed
//     word 1    64
//     word 2      64
//     word 3    32
//
// An item of 37 bits has a word and 5 bits in another one.
#ifndef LIN_REGROUP_LAYOUT_H
#define LIN_REGROUP_LAYOUT_H

#include "graph/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { LIN_WORD = 32 }; // bits

typedef struct lin_layout {
  uint32_t num_words;
  uint32_t
      *full; // [num_items] the first of the words that its lowest bits fill; any if there is none
  uint32_t *word;  // [num_items] the word that the rest is in; any if nothing is left
  uint32_t *shift; // [num_items] where the rest begins in it
  bool *is_alone;  // [num_items] nothing else is in that word
} lin_layout;

// Of `count` items of `bits` each, at least 1. The words are as few as first fit by falling size
// finds; a first item of fewer than 32 bits, that is there or not (`has_first`), begins at bit 0 of
// word 0. In the arena. O(items * packed words + items log items).
lin_layout lin_layout_find(lin_arena *arena, uint32_t count, const uint32_t *bits, bool has_first);

#endif
