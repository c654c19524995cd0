// Random graphs for property tests: the same seed gives the same graph on every machine.
#ifndef LIN_TEST_RANDOM_GRAPH_H
#define LIN_TEST_RANDOM_GRAPH_H

#include "graph/graph.h"

// The next number of the sequence that `state` stands in (splitmix64); any state is a good start.
uint64_t random_next(uint64_t *state);

// A number below `limit` > 0.
uint32_t random_below(uint64_t *state, uint32_t limit);

// True in `percent` of 100 cases.
bool random_chance(uint64_t *state, uint32_t percent);

// A graph of min_blocks > 0 .. max_blocks blocks that passes lin_graph_check. The seed also chooses
// its kind: sparse, dense, acyclic, loop nests with and without jumps into them, irreducible,
// switches with parallel edges, infinite loops, dead ends. Blocks may be unreachable, and are
// numbered in a random order in every other graph. A quarter of the blocks are uniform; other flags
// are rare.
lin_graph *random_graph(lin_arena *arena, uint64_t seed, uint32_t min_blocks, uint32_t max_blocks);

// The name of the kind that `seed` chooses.
const char *random_graph_kind(uint64_t seed);

// A structured function whose branches have two arms each, of blocks, loops and branches, with
// LIN_TWO_SIDED and stages: for mode interleave.
lin_graph *random_two_sided(lin_arena *arena, uint64_t seed);

// A loop that threads leave where a block, which many of its blocks lead to, asks which way: what
// front ends make of several `break` and `return`. No flags are set.
//
//     e ─▶ h ─▶ b ─▶ c ─▶ m ─▶ h       each of h, b, c may lead to m, too;
//                         ├──▶ x ─▶ z   m has one to three ways out of the loop
//                         └──▶ y ─▶ z
lin_graph *random_flag_loop(lin_arena *arena, uint64_t seed);

#endif
