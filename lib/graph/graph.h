// Control-flow graph: numbers and arrays, no compiler behind it.
//
// Block 0 is the entry and has no predecessor. Edges are numbered by their source: block b owns the
// edges first_edge[b] .. first_edge[b + 1] - 1, in the order of its terminator's successors. Two
// edges between the same blocks are two edges: a phi, a switch and an oracle tell them apart.
//
//     b0 ──e0──▶ b1          first_edge = {0, 2, 3, 3}
//     │          │           destination = {1, 2, 2}
//     └──e1──▶ b2 ◀──e2──┘   source      = {0, 0, 1}
#ifndef LIN_GRAPH_GRAPH_H
#define LIN_GRAPH_GRAPH_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t lin_block;
typedef uint32_t lin_edge;

#define LIN_NONE UINT32_MAX

// What a block is to the algorithms, beyond its edges.
enum {
  LIN_RETURN = 1u << 0,   // ends the thread's stay in the function; no successors
  LIN_TRAP = 1u << 1,     // never completes: unreachable, or a call that doesn't return
  LIN_UNIFORM = 1u << 2,  // all threads of a warp that run its branch together go one way
  LIN_WAITS = 1u << 3,    // may wait for other threads: barrier, *_sync, a call that may
  LIN_POLLS = 1u << 4,    // reads what other threads may be changing (volatile, atomic), and loops
                          // may go on until they have
  LIN_RELEASES = 1u << 5, // may let waiting threads go on: a store, an atomic
  LIN_CROSS_LANE = 1u << 6, // its result depends on which threads happen to run together
  LIN_REFUSED = 1u << 7,    // may not stand in a region that is linearized
  LIN_MAY_SPIN = 1u << 8,   // polls again and again before it is done: a call of what does
  LIN_COUNTED = 1u << 9,    // how often its loop goes around is clear before it begins
  LIN_STRIP = 1u << 10,     // its loop is a strip of the loop around it, made to merge it (nests.h)
  LIN_TWO_SIDED = 1u << 11, // the arms of its branch are to be interleaved (interleave.h)
  LIN_STAGE = 1u << 12,     // of such an arm, a stage begins here
  LIN_MEMORY = 1u << 13,    // reads or writes memory, or calls
  LIN_COHERENT = 1u << 14,  // the threads of a warp mostly take its branch together
  LIN_OBSERVES = 1u << 15, // reads what others may be changing, but no loop goes on until they have
  LIN_VANISHES = 1u << 16, // no instruction is left of it in PTX: phis that go on to others alone
  LIN_AGREED = 1u << 17,   // whoever comes here has voted to go together: it is left as it is
  LIN_FOREIGN = 1u << 18,  // calls code that isn't here: LIN_WAITS, LIN_POLLS and so on are guesses
};

// What a block does to memory in which the threads of a warp may meet, a bit for each object:
// shared memory, by its variables, and all memory that is accessed as volatile.
typedef struct lin_sharing {
  uint32_t loads, stores, atomics;
  uint32_t meets; // at addresses at which other threads may be, too
} lin_sharing;

// How often a block was come to, in all launches that were counted.
typedef struct lin_visits {
  double threads, passes; // by threads; by warps, with some of their threads
  double slowest;         // by that thread of each warp which came there most often
  double some;            // threads that came there at all
} lin_visits;

enum { LIN_USUAL_COST = 8 };

typedef struct lin_graph {
  uint32_t num_blocks;
  uint32_t num_edges;
  lin_edge *first_edge;   // [num_blocks + 1]
  lin_block *source;      // [num_edges]
  lin_block *destination; // [num_edges]
  uint32_t *weight;       // [num_edges] how often it is taken, among those of its block; all 0:
                          // nobody says
  uint32_t *first_in;     // [num_blocks + 1] into in_edge
  lin_edge *in_edge;      // [num_edges] the edges into each block, by edge number
  uint32_t *flags;        // [num_blocks] LIN_RETURN ...
  uint32_t *cost;         // [num_blocks] in simple instructions; LIN_USUAL_COST if nobody says
  uint32_t *most_trips;   // [num_blocks] of a loop with this header, each time that a thread comes
                          // to it; 0: nobody knows
  const char **name;      // [num_blocks] for people; never NULL
  const char **reason;    // [num_blocks] why LIN_REFUSED, else NULL
  const char *title;      // name of the function
  const char *counted;    // its name in profiles, if that is another one, or NULL
  lin_sharing *sharing;   // [num_blocks] or NULL: it is of no matter, or there is none
  lin_visits *visits;     // [num_blocks] or NULL: nobody counted
} lin_graph;

// What profiles call the function. O(1).
static inline const char *lin_counted_name(const lin_graph *graph) {
  return graph->counted == NULL ? graph->title : graph->counted;
}

// Allocates a graph of `num_blocks` blocks and `num_edges` edges whose arrays are zero, names
// empty. The caller fills flags, name, reason, first_edge and destination, then calls
// lin_graph_finish.
lin_graph *lin_graph_new(lin_arena *arena, uint32_t num_blocks, uint32_t num_edges);

// Derives source, first_in and in_edge from first_edge and destination. O(blocks + edges).
void lin_graph_finish(lin_arena *arena, lin_graph *graph);

// What is known of the blocks of `from`, all but their edges, goes to the blocks 0 .. count - 1 of
// `to`: to block b from block origin[b], or from b if `origin` is NULL. O(count).
void lin_graph_copy_blocks(lin_arena *arena, lin_graph *to, const lin_graph *from,
                           const lin_block *origin, uint32_t count);

// Returns what is wrong with the shape of `graph`, or NULL: every destination exists, the entry has
// no predecessor, LIN_RETURN and LIN_TRAP blocks have no successors and all others have some.
// `*block` is set to the block at fault. O(blocks + edges).
const char *lin_graph_check(const lin_graph *graph, lin_block *block);

// The reverse: edges turned around and a new block `num_blocks` (the virtual exit) as the entry,
// with an edge to every block for which `is_exit[b]` is set. Edges for which `dropped[e]` is set
// are left out (`dropped` may be NULL). Only the arrays of edges are filled. O(blocks + edges).
lin_graph *lin_graph_reverse(lin_arena *arena, const lin_graph *graph, const bool *is_exit,
                             const bool *dropped);

static inline uint32_t lin_out_degree(const lin_graph *graph, lin_block block) {
  return graph->first_edge[block + 1] - graph->first_edge[block];
}

static inline uint32_t lin_in_degree(const lin_graph *graph, lin_block block) {
  return graph->first_in[block + 1] - graph->first_in[block];
}

// Whether the block's branch may send threads of a warp different ways.
static inline bool lin_may_diverge(const lin_graph *graph, lin_block block) {
  return lin_out_degree(graph, block) > 1 && (graph->flags[block] & LIN_UNIFORM) == 0;
}

// The same where uniform blocks may not be known: then every branch may.
static inline bool lin_may_part(const lin_graph *graph, lin_block block, bool divergence_known) {
  return divergence_known ? lin_may_diverge(graph, block) : lin_out_degree(graph, block) > 1;
}

// What block and others do together.
static inline lin_sharing lin_share(lin_sharing a, lin_sharing b) {
  return (lin_sharing){a.loads | b.loads, a.stores | b.stores, a.atomics | b.atomics,
                       a.meets | b.meets};
}

// The objects of which what is loaded depends on which of the threads that meet there come first.
// Atomic operations alone are in order whoever comes first.
static inline uint32_t lin_shared_objects(lin_sharing all) {
  return all.meets & ((all.loads & (all.stores | all.atomics)) | (all.stores & all.atomics));
}

// for (LIN_OUT_EDGES(graph, block, edge)) ... visits the edges that leave `block`.
#define LIN_OUT_EDGES(graph, block, edge)                                                          \
  lin_edge edge = (graph)->first_edge[block];                                                      \
  edge < (graph)->first_edge[(block) + 1];                                                         \
  edge++

// for (LIN_IN_EDGES(graph, block, i)) ... visits the indices i of in_edge[] that enter `block`.
#define LIN_IN_EDGES(graph, block, index)                                                          \
  uint32_t index = (graph)->first_in[block];                                                       \
  index < (graph)->first_in[(block) + 1];                                                          \
  index++

#endif
