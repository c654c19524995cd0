// How often threads, and warps, come to the blocks of a kernel: counted, or guessed.
#ifndef LIN_COUNTS_TRAFFIC_H
#define LIN_COUNTS_TRAFFIC_H

#include "profile.h"

// Of all thread blocks together; of a guess, of one warp.
typedef struct lin_traffic {
  double *threads; // [num_blocks]
  double *passes;  // [num_blocks] by warps
  double *some;    // [num_blocks] threads that come there at all; of a guess, 0
  double *rounds;  // [num_blocks] by that thread of each thread block which comes there most often
  double *turns;   // [num_blocks] the same, by each warp of the thread block
  double *slowest; // [num_blocks] by that thread of each warp which comes there most often; of a
                   // guess 0
  bool is_guessed;
} lin_traffic;

// All 0, in the arena. O(count).
lin_traffic lin_traffic_new(lin_arena *arena, uint32_t count);

// What a file of counts says of a kernel, by its title and the names of its blocks: launches in
// which passes of warps were counted, and whole thread blocks, added up. Blocks that weren't
// counted are left out. False if there is none; `*reason`, a clause about the profile, says why. In
// the arena. O(blocks * (vectors + runs + thread blocks)).
bool lin_traffic_count(lin_arena *arena, const lin_graph *graph, const lin_counts *counts,
                       lin_traffic *flow, const char **reason);

// The launches of a kernel in a file of counts: which of the graph's blocks their blocks are, or
// NULL if they are of other code.
typedef struct lin_traffic_launches {
  const lin_counts_launch **launch; // [count]
  const lin_block **number;         // [count] of as many blocks as the launch has
  uint32_t count;
} lin_traffic_launches;

// In the arena. O(launches * blocks), if blocks stand in about the same order.
lin_traffic_launches lin_traffic_find_launches(lin_arena *arena, const lin_graph *graph,
                                               const lin_counts *counts);

// Whether these say how often threads come to the loop of `header`, which is entered from `from`
// alone: no thread has been at `from` twice, or they go around the loop as often as
// graph->most_trips says, each time. O(vectors + launches * blocks).
bool lin_traffic_knows_entries(const lin_traffic_launches *launches, const lin_graph *graph,
                               lin_block from, lin_block header);

// Counts `front`, a block between these of which the counts know nothing. O(1).
void lin_traffic_count_front(const lin_graph *graph, lin_block front, lin_traffic *flow);

// What was counted, for who weighs merged loops by it (choose/nests.h): [num_blocks], in the arena.
// O(blocks).
lin_visits *lin_traffic_visits(lin_arena *arena, const lin_traffic *flow, uint32_t num_blocks);

// Fills in graph->visits, in the arena, if the profile, or NULL, knows the function as it is, and
// says how often warps enter blocks. Complexity of lin_traffic_count.
void lin_traffic_read_visits(lin_arena *arena, const lin_profile *profile, lin_graph *graph);

#endif
