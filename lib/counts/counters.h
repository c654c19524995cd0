// Which edges of a function get counters, so that all others follow.
//
// What enters a block leaves it. So an edge need not be counted if it is the only unknown one of a
// block, and so on: it is enough to count the edges outside of a spanning tree of the graph, its
// edges taken without direction (Knuth and Stevenson, "Optimal Measurement Points for Program
// Frequency Counts", 1973), and the tree may have the edges at which counting is dearest (Ball and
// Larus, "Optimally Profiling and Tracing Programs", 1994). A return is an edge, too, back to the
// entry.
//
//        A ◀─────┐               edges A-B, B-B, B-C, A-C, C-A (the return): 5
//       ┌┴─────┐ │               tree A-B, B-C (in a loop, say they are dear)
//       ▼      │ │               counters 5 - 3 + 1: B-B, A-C, C-A
//    ┌─ B ◀┐   │ return
//    │  └──┘   │ │               A = C-A            thread: C-A 1, A-C 0, B-B 7
//    ▼         │ │               A-B = A - A-C      A 1, A-B 1, B-C 1
//    C ◀───────┘ │               B = A-B + B-B      B 8
//    └───────────┘               C = B-C + A-C      C 1
//
// Numbers are those modulo 2^32: what comes out is right as long as no thread enters a block 2^32
// times or more. A thread that ends elsewhere than at a return breaks the sums: a function in which
// that may be has a counter for each block. Who traps ends the launch, and nobody reads its
// counters; so a trap is no edge.
//
// An increment stands at the end of the edge's source if that has no other way out; at the
// beginning of its destination if that has no other way in; else at the end of the source, adding
// whether the edge is taken, so that no block is added and the machine's control flow stays the
// program's.
#ifndef LIN_COUNTS_COUNTERS_H
#define LIN_COUNTS_COUNTERS_H

#include "graph/graph.h"

typedef struct lin_counters {
  uint32_t count;
  uint32_t *of_edge;  // [num_edges] LIN_NONE: it follows from others; so are:
  uint32_t *of_exit;  // [num_blocks] of how often a thread returns there
  uint32_t *of_block; // [num_blocks] counts the block itself
  // [num_blocks] of how often the thread was the first of those of its warp that entered the block
  // together, from which nothing follows. None has one, or all have.
  uint32_t *of_pass;
} lin_counters;

typedef enum lin_count_place {
  LIN_COUNT_AT_SOURCE,      // always, at its end
  LIN_COUNT_AT_DESTINATION, // always, at its beginning
  LIN_COUNT_IF_TAKEN,       // at the source's end
} lin_count_place;

// Where the increment of an edge stands. O(1).
lin_count_place lin_count_place_of(const lin_graph *graph, lin_edge edge);

// Counters for `graph`, in the arena. `is_dear` [num_edges], or NULL: edges of which it is dear to
// say whether they are taken. Where counting is rare is guessed from loops and the graph's weights.
// O(edges log edges).
lin_counters *lin_counters_choose(lin_arena *arena, const lin_graph *graph, const bool *is_dear);

// One for each block. O(blocks + edges).
lin_counters *lin_counters_of_blocks(lin_arena *arena, const lin_graph *graph);

#endif
