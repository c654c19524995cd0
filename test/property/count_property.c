// count_property [first_seed] [count]
//
// Random graphs, and threads that walk through them at random:
//   1. there are as many counters as edges, with a return for each block that has one, less blocks,
//      plus pieces of the graph that hang together;
//   2. what was counted where counters are gives how often the walk entered each block, exactly;
//   3. so does a counter for each block.
// The last line is `N graphs, F failed`.
#include "counts/solve.h"
#include "random_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 400, WALKS = 4 };

static bool complain(const char *what) {
  printf("%s\n", what);
  return false;
}

// The pieces of the graph, its edges taken without direction, found by spreading labels.
static uint32_t count_pieces(lin_arena *arena, const lin_graph *graph) {
  lin_block *label = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  uint32_t pieces = 0;
  for (lin_block b = 0; b < graph->num_blocks; b++)
    label[b] = (graph->flags[b] & LIN_RETURN) != 0 ? 0 : b;
  for (bool changed = true; changed;) {
    changed = false;
    for (lin_edge e = 0; e < graph->num_edges; e++) {
      lin_block *a = &label[graph->source[e]], *b = &label[graph->destination[e]];
      lin_block least = *a < *b ? *a : *b;
      changed |= *a != least || *b != least;
      *a = *b = least;
    }
  }
  for (lin_block b = 0; b < graph->num_blocks; b++)
    pieces += label[b] == b;
  return pieces;
}

// A walk from the entry that returns; false if it doesn't, or traps.
static bool walk(const lin_graph *graph, const lin_counters *c, uint64_t *random, uint32_t *counter,
                 uint64_t *entries) {
  lin_block at = 0;
  for (uint32_t steps = 0; steps < MOST_STEPS; steps++) {
    entries[at]++;
    if (c->of_block[at] != LIN_NONE)
      counter[c->of_block[at]]++;
    if ((graph->flags[at] & LIN_RETURN) != 0) {
      if (c->of_exit[at] != LIN_NONE)
        counter[c->of_exit[at]]++;
      return true;
    }
    uint32_t degree = lin_out_degree(graph, at);
    if (degree == 0)
      return false;
    lin_edge edge = graph->first_edge[at] + random_below(random, degree);
    if (c->of_edge[edge] != LIN_NONE)
      counter[c->of_edge[edge]]++;
    at = graph->destination[edge];
  }
  return false;
}

static uint64_t walks;

static bool try_counters(lin_arena *arena, const lin_graph *graph, const lin_counters *c,
                         uint64_t *random) {
  lin_count_solver *solver = lin_count_solver_new(arena, graph, c);
  if (solver == NULL)
    return complain("an edge doesn't follow from the counters");
  uint32_t n = graph->num_blocks;
  for (int i = 0; i < WALKS; i++) {
    uint32_t *counter = LIN_ARRAY(arena, uint32_t, c->count);
    uint64_t *entries = LIN_ARRAY(arena, uint64_t, n), *solved = LIN_ARRAY(arena, uint64_t, n);
    if (!walk(graph, c, random, counter, entries))
      continue;
    walks++;
    lin_count_solve(solver, counter, 1, solved);
    if (memcmp(entries, solved, n * sizeof *entries) != 0)
      return complain("other counts than the walk's");
  }
  return true;
}

static bool try_graph(uint64_t seed) {
  lin_arena arena = {0};
  uint64_t random = seed;
  const lin_graph *graph = random_graph(&arena, seed, 1, 40);
  bool *is_dear = LIN_ARRAY(&arena, bool, graph->num_edges);
  uint32_t returns = 0;
  for (lin_edge e = 0; e < graph->num_edges; e++)
    is_dear[e] = random_chance(&random, 10);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    returns += (graph->flags[b] & LIN_RETURN) != 0;
  const lin_counters *c = lin_counters_choose(&arena, graph, is_dear);
  uint32_t least = graph->num_edges + returns - graph->num_blocks + count_pieces(&arena, graph);
  bool ok = c->count == least || complain("another number of counters");
  ok = ok && try_counters(&arena, graph, c, &random);
  ok = ok && try_counters(&arena, graph, lin_counters_of_blocks(&arena, graph), &random);
  lin_arena_release(&arena);
  return ok;
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 2000, failed = 0;
  for (uint64_t seed = first; seed < first + count; seed++)
    if (!try_graph(seed)) {
      printf("seed %llu\n", (unsigned long long)seed);
      failed++;
    }
  printf("%llu walks\n%llu graphs, %llu failed\n", (unsigned long long)walks,
         (unsigned long long)count, (unsigned long long)failed);
  return failed != 0;
}
