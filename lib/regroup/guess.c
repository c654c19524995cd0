#include "guess.h"

#include "choose/estimate.h"
#include "gpu/target.h"

// A block of several warps has more rounds than each of them: the last of their threads decides.
#define ROUNDS_OF_BLOCK 1.25

static const double warp = LIN_WARP;

lin_traffic lin_traffic_guess(lin_arena *arena, const lin_analysis *analysis,
                              const lin_joins *joins, const lin_ways *ways, uint32_t warps) {
  const lin_graph *graph = analysis->graph;
  const lin_loops *loops = analysis->loops;
  lin_traffic flow = lin_traffic_new(arena, graph->num_blocks);
  flow.is_guessed = true;
  const double *once = lin_estimate_passes(arena, analysis, joins, ways);
  double *around = LIN_ARRAY(arena, double, loops->num_loops); // a warp's iterations
  double *share = LIN_ARRAY(arena, double, graph->num_blocks); // of threads, in one iteration
  double *trips = LIN_ARRAY(arena, double, loops->num_loops);  // a thread's iterations, in all
  around[0] = trips[0] = share[0] = 1;
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    const uint32_t loop = loops->loop_of[b];
    if (loop != 0 && loops->header[loop] == b) {
      const uint32_t outer = loops->tree->parent[loop];
      around[loop] = around[outer] * lin_ways_trips(ways, loop, LIN_WARP);
      trips[loop] = trips[outer] * ways->trips[loop];
    }
    flow.passes[b] = once[b] * around[loop];
    flow.threads[b] = warp * share[b] * trips[loop];
    if (flow.threads[b] > warp * flow.passes[b])
      flow.threads[b] = warp * flow.passes[b];
    flow.rounds[b] = ROUNDS_OF_BLOCK * flow.passes[b] / warps;
    flow.turns[b] = ROUNDS_OF_BLOCK * flow.passes[b];
    for (LIN_OUT_EDGES(graph, b, edge)) {
      const lin_block to = graph->destination[edge];
      if (lin_loop_around(loops, graph, edge) == 0)
        share[to] += share[b] * ways->share[edge];
    }
  }
  return flow;
}
