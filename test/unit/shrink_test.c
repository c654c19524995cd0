// The shrinker of failing graphs: what is left still fails, and little is left.
#include "property/random_graph.h"
#include "property/shrink.h"

#include <stdio.h>

// "Fails" if there is a block with three or more edges and an edge of a block to itself.
static bool has_switch_and_spin(void *context, const lin_graph *graph) {
  bool has_switch = false, spins = false;
  *(uint32_t *)context += 1;
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    has_switch |= lin_out_degree(graph, block) >= 3;
    for (LIN_OUT_EDGES(graph, block, edge))
      spins |= graph->destination[edge] == block;
  }
  return has_switch && spins;
}

int main(void) {
  uint32_t tries = 0, shrunk = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    lin_arena arena = {0};
    lin_block block;
    const lin_graph *graph = random_graph(&arena, seed, 1, 60);
    const lin_graph *small = shrink(&arena, graph, has_switch_and_spin, &tries);
    if (small != NULL && (lin_graph_check(small, &block) != NULL || small->num_blocks > 7 ||
                          small->num_edges > 7 || !has_switch_and_spin(&tries, small))) {
      printf("seed %u: shrunk to %u blocks and %u edges\n", (unsigned)seed, small->num_blocks,
             small->num_edges);
      return 1;
    }
    shrunk += small != NULL;
    lin_arena_release(&arena);
  }
  printf("%u of 200 graphs shrunk, %u tries\n", shrunk, tries);
  return shrunk < 20;
}
