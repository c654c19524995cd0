// A fingerprint of a function: a number that tells whether what was measured of it still holds.
//
//     entry ─0─▶ a ─0─▶ b       entry 0, a 1, b 2, c 3: blocks are numbered as they are met, depth
//       └──1───▶ c ◀─1─┘        first, along edges in their order
//
// In it: the edges by these numbers, which blocks return and which trap, and of each block how much
// it does, by kinds. These decide what linearizing makes of a function and what that gains. Not in
// it: names, source lines, constants, types, registers, weights, the order of blocks in the text,
// and blocks that nothing reaches. They differ from build to build (with and without debug
// information; another kernel in the file), or change without any effect on what is gained.
#ifndef LIN_GRAPH_FINGERPRINT_H
#define LIN_GRAPH_FINGERPRINT_H

#include "graph.h"

// What a block has, in instructions.
typedef struct lin_block_work {
  uint32_t loads, stores;
  uint32_t meetings; // atomics, fences, barriers, and others that ask for threads beside this one
  uint32_t calls;    // of functions
  uint32_t others;
} lin_block_work;

// What the fingerprint of nothing is.
#define LIN_FINGERPRINT_START UINT64_C(0xcbf29ce484222325)

// What `fingerprint` becomes with one more function, `work` of each block beside its graph. The
// order counts: a kernel, then what it calls. O(blocks + edges).
uint64_t lin_fingerprint(uint64_t fingerprint, const lin_graph *graph, const lin_block_work *work);

#endif
