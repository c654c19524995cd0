// How often a warp enters blocks: equation (2), corrected by how much of it is chance.
//
//     passes over b   (2) ├── correction 0 to 1 ──┤ chance ├── above 1: so many times that ──▶
//
// It is (2) where the threads of a warp go the same ways, chance (odds.h) where each goes its own,
// and more where control flow has threads come to a block apart that could be there together.
#ifndef LIN_THREADS_CHANCE_H
#define LIN_THREADS_CHANCE_H

#include "memory.h"
#include "odds.h"

typedef struct lin_chance {
  size_t num_blocks;
  const uint32_t *around;   // [num_blocks] or NULL: nothing is
  const double *correction; // [num_blocks] or NULL: 0
  uint32_t *sequence;       // [num_blocks] what is around a block comes before it
  uint32_t *depth;          // [num_blocks] how many are around it
  lin_odds **odds;          // [num_blocks] of the warp at hand; NULL where nothing is in the block
  double *expected;         // [num_blocks] lin_odds_expect of these
  bool *is_asked;           // [num_blocks] there is a correction, of it or of something in it
  uint32_t deepest;         // what is deeper is left out
} lin_chance;

// False if `around` has a number that is none, or blocks that are around themselves; or if there is
// no memory (memory->is_out). O(num_blocks).
bool lin_chance_start(lin_chance *chance, lin_memory *memory, size_t num_blocks,
                      const uint32_t *around, const double *correction);

// Of one warp, for each block [num_blocks]:
typedef struct lin_passes {
  double *mean;   // as its threads do on average
  double *most;   // (2)
  double *passes; // corrected
  double *chance; // or NULL
} lin_passes;

// Of `count` threads, 1 to LIN_WARP.
// O(num_blocks * different vectors * log of the most entries), the log squared for loops in loops.
void lin_chance_warp(const lin_chance *chance, const uint32_t *const *thread, size_t count,
                     const lin_passes *passes);

#endif
