#include "estimate.h"

// Turns of a loop in which threads leave it, and instructions of a guard: a comparison, a branch,
// and what sets it.
enum { LANES = 32, TURNS = 4, GUARD = 4 };

// The chance that a warp takes a way on which `share` of its threads go: all of them together,
// where they can't part, else any of them.
static double chance(bool parts, double share) {
  if (!parts)
    return share;
  double nobody = 1 - share;
  for (unsigned lanes = 1; lanes < LANES; lanes *= 2)
    nobody *= nobody;
  return 1 - nobody;
}

// Adds to the passes of each successor but a loop's header those that come from `block`.
static void pass_on(const lin_analysis *a, const lin_joins *joins, lin_block block,
                    double *passes) {
  const lin_graph *graph = a->graph;
  bool parts = lin_joins_is_parted(joins, block, block + 1);
  uint64_t all = 0;
  for (LIN_OUT_EDGES(graph, block, edge))
    all += graph->weight[edge];
  for (LIN_OUT_EDGES(graph, block, edge)) {
    double share =
        all == 0 ? 1.0 / lin_out_degree(graph, block) : (double)graph->weight[edge] / (double)all;
    bool in_turns = parts && (a->kinds[edge] & LIN_JUMP_OUT) != 0;
    if (graph->destination[edge] > block)
      passes[graph->destination[edge]] +=
          passes[block] * chance(parts, share) * (in_turns ? TURNS : 1);
  }
}

static double *count_passes(lin_arena *arena, const lin_analysis *a, const lin_joins *joins) {
  double *passes = LIN_ARRAY(arena, double, a->graph->num_blocks);
  passes[0] = 1;
  for (lin_block block = 0; block < a->graph->num_blocks; block++) {
    double most = LANES;
    lin_block above = a->dominators->parent[block];
    if (block > 0 && lin_tree_contains(a->postdominators->tree, block, above))
      passes[block] = passes[above];
    else if (joins->met[block])
      most = passes[above];
    passes[block] = passes[block] < most ? passes[block] : most;
    pass_on(a, joins, block, passes);
  }
  return passes;
}

static bool gets_guard(const lin_analysis *a, lin_block block) {
  for (LIN_IN_EDGES(a->graph, block, i))
    if (a->kinds[a->graph->in_edge[i]] != 0)
      return true;
  return false;
}

lin_estimate *lin_estimate_regions(lin_arena *arena, const lin_analysis *analysis,
                                   const lin_joins *joins, const lin_regions *regions) {
  double *passes = count_passes(arena, analysis, joins);
  lin_estimate *result = LIN_ARRAY(arena, lin_estimate, regions->num_regions);
  for (lin_block block = 0; block < analysis->graph->num_blocks; block++) {
    double cost = analysis->graph->cost[block];
    bool guarded = gets_guard(analysis, block);
    for (uint32_t r = regions->owner[block]; r != LIN_NONE; r = regions->parent[r]) {
      double once = regions->dominator[r] == LIN_NONE ? 1 : passes[regions->dominator[r]];
      double again = passes[block] > once ? passes[block] - once : 0;
      result[r].total += passes[block] * cost;
      result[r].saved += again * cost;
      result[r].guards += guarded ? once * GUARD : 0;
    }
  }
  return result;
}

bool *lin_estimate_choose(lin_arena *arena, const lin_estimate *estimate,
                          const lin_regions *regions) {
  bool *chosen = LIN_ARRAY(arena, bool, regions->num_regions);
  double *nested =
      LIN_ARRAY(arena, double, regions->num_regions); // gained by what is chosen inside
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    double gain = estimate[region].saved - estimate[region].guards, best = nested[region];
    chosen[region] = gain >= estimate[region].total * LIN_LEAST_GAIN && gain >= best;
    if (regions->parent[region] != LIN_NONE)
      nested[regions->parent[region]] += chosen[region] ? gain : best;
  }
  return chosen;
}
