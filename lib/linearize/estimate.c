#include "estimate.h"

// Turns of a loop in which threads leave it, and instructions of a guard: a comparison, a branch,
// and what sets it.
static const double lanes_of_warp = 32, turns_of_exit = 4, cost_of_guard = 4;

typedef struct flow {
  const lin_analysis *a;
  const lin_joins *joins;
  double *share;   // [num_edges] of the threads that leave a block, how many go that way
  bool *told;      // [num_blocks] weights say which way threads go there
  double *passes;  // [num_blocks] in one turn of the loops around the block
  double *threads; // [num_blocks] that come there in these
  double *turns;   // [num_blocks] of the loops around it that all came to their end
} flow;

// Several edges from one block to another are one way, the first one's.
static void find_shares(flow *f, lin_arena *arena) {
  const lin_graph *graph = f->a->graph;
  double *way = LIN_ARRAY(arena, double, graph->num_blocks); // by destination
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    uint64_t all = 0;
    for (LIN_OUT_EDGES(graph, block, edge))
      all += graph->weight[edge];
    f->told[block] = all > 0;
    for (LIN_OUT_EDGES(graph, block, edge))
      way[graph->destination[edge]] +=
          all == 0 ? 1.0 / lin_out_degree(graph, block) : (double)graph->weight[edge] / (double)all;
    for (LIN_OUT_EDGES(graph, block, edge)) {
      f->share[edge] = way[graph->destination[edge]];
      way[graph->destination[edge]] = 0;
    }
  }
}

// The threads that take an edge, in all turns of the loops that they leave by it.
static double threads_on(const flow *f, lin_edge edge) {
  lin_block from = f->a->graph->source[edge];
  return f->threads[from] * f->turns[from] * f->share[edge];
}

// The chance that a pass of `threads` takes a way on which `share` of them go: all together, where
// they can't part, else any of them.
static double chance(bool parts, double share, double threads) {
  if (!parts)
    return share;
  double nobody = 1, one = 1 - share;
  for (unsigned left = (unsigned)(threads + 0.5); left > 0; left /= 2, one *= one)
    if (left % 2 == 1)
      nobody *= one;
  return 1 - nobody;
}

// Threads leave loops by `edge` in several turns.
static bool is_left_in_turns(const lin_analysis *a, const lin_joins *joins, lin_edge edge) {
  lin_block from = a->graph->source[edge];
  return (a->kinds[edge] & LIN_JUMP_OUT) != 0 && lin_joins_is_parted(joins, from, from + 1);
}

static double passes_on(const flow *f, lin_edge edge) {
  lin_block from = f->a->graph->source[edge];
  bool parts = lin_joins_is_parted(f->joins, from, from + 1);
  if (f->passes[from] == 0)
    return 0;
  double share = f->share[edge] * f->turns[from];
  double threads = f->told[from] ? f->threads[from] / f->passes[from] : lanes_of_warp;
  return f->passes[from] * chance(parts, share < 1 ? share : 1, threads < 1 ? 1 : threads) *
         (is_left_in_turns(f->a, f->joins, edge) ? turns_of_exit : 1);
}

// All blocks of `loop` are done, `end` is the next one: a thread has as many turns as it needs
// until it leaves.
static void finish_loop(flow *f, uint32_t loop, lin_block end) {
  const lin_graph *graph = f->a->graph;
  lin_block header = f->a->loops->header[loop];
  double enter = 0, leave = 0;
  for (lin_block block = header; block < end; block++) {
    for (LIN_IN_EDGES(graph, block, i))
      if (graph->source[graph->in_edge[i]] < header)
        enter += threads_on(f, graph->in_edge[i]);
    for (LIN_OUT_EDGES(graph, block, edge))
      if (graph->destination[edge] < header || graph->destination[edge] >= end)
        leave += threads_on(f, edge);
  }
  double turns = enter > leave && leave > 0 ? enter / leave : 1;
  for (lin_block block = header; block < end; block++)
    f->turns[block] *= turns;
}

static void finish_loops_before(flow *f, lin_block block) {
  const lin_loops *loops = f->a->loops;
  for (uint32_t loop = loops->loop_of[block - 1]; !lin_loop_contains(loops, loop, block);
       loop = loops->tree->parent[loop])
    finish_loop(f, loop, block);
}

// Everything about `block`, once all blocks before it are done. What comes around a loop doesn't
// count.
static void find_passes(flow *f, lin_block block) {
  const lin_graph *graph = f->a->graph;
  lin_block above = f->a->dominators->parent[block];
  if (lin_tree_contains(f->a->postdominators->tree, block, above)) {
    f->passes[block] = f->passes[above];
    f->threads[block] = f->threads[above];
    return;
  }
  for (LIN_IN_EDGES(graph, block, i)) {
    lin_edge edge = graph->in_edge[i];
    if (graph->source[edge] >= block)
      continue;
    f->passes[block] += passes_on(f, edge);
    f->threads[block] += threads_on(f, edge);
  }
  double most = f->joins->met[block] ? f->passes[above] : lanes_of_warp;
  f->passes[block] = f->passes[block] < most ? f->passes[block] : most;
}

double *lin_estimate_passes(lin_arena *arena, const lin_analysis *a, const lin_joins *joins) {
  uint32_t n = a->graph->num_blocks;
  flow f = {.a = a,
            .joins = joins,
            .share = LIN_ARRAY(arena, double, a->graph->num_edges),
            .told = LIN_ARRAY(arena, bool, n),
            .passes = LIN_ARRAY(arena, double, n),
            .threads = LIN_ARRAY(arena, double, n),
            .turns = LIN_ARRAY(arena, double, n)};
  find_shares(&f, arena);
  f.passes[0] = 1;
  f.threads[0] = lanes_of_warp;
  for (lin_block block = 0; block < n; block++) {
    f.turns[block] = 1;
    if (block == 0)
      continue;
    finish_loops_before(&f, block);
    find_passes(&f, block);
  }
  return f.passes;
}

// [num_loops] true for the loops that threads leave in several turns, and those inside.
static bool *find_left_in_turns(lin_arena *arena, const lin_analysis *a, const lin_joins *joins) {
  const lin_loops *loops = a->loops;
  bool *left = LIN_ARRAY(arena, bool, loops->num_loops);
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++)
    if (is_left_in_turns(a, joins, edge))
      for (uint32_t loop = loops->loop_of[a->graph->source[edge]];
           !lin_loop_contains(loops, loop, a->graph->destination[edge]);
           loop = loops->tree->parent[loop])
        left[loop] = true;
  for (uint32_t loop = 1; loop < loops->num_loops; loop++) // parents come first
    left[loop] |= left[loops->tree->parent[loop]];
  return left;
}

static bool gets_guard(const lin_analysis *a, lin_block block) {
  for (LIN_IN_EDGES(a->graph, block, i))
    if (a->kinds[a->graph->in_edge[i]] != 0)
      return true;
  return false;
}

lin_estimate *lin_estimate_regions(lin_arena *arena, const lin_analysis *analysis,
                                   const lin_joins *joins, const lin_regions *regions) {
  lin_estimate *result = LIN_ARRAY(arena, lin_estimate, regions->num_regions);
  if (regions->num_regions == 0)
    return result;
  const double *passes = lin_estimate_passes(arena, analysis, joins);
  const bool *left_in_turns = find_left_in_turns(arena, analysis, joins);
  for (lin_block block = 0; block < analysis->graph->num_blocks; block++) {
    double turns = left_in_turns[analysis->loops->loop_of[block]] ? turns_of_exit : 1;
    double cost = turns * analysis->graph->cost[block];
    bool guarded = gets_guard(analysis, block);
    for (uint32_t r = regions->owner[block]; r != LIN_NONE; r = regions->parent[r]) {
      double once = regions->dominator[r] == LIN_NONE ? 1 : passes[regions->dominator[r]];
      double again = passes[block] > once ? passes[block] - once : 0;
      result[r].total += passes[block] * cost;
      result[r].saved += again * cost;
      result[r].guards += guarded ? once * turns * cost_of_guard : 0;
    }
  }
  return result;
}

bool *lin_estimate_choose(lin_arena *arena, const lin_estimate *estimate,
                          const lin_regions *regions, double least) {
  bool *chosen = LIN_ARRAY(arena, bool, regions->num_regions);
  double *nested =
      LIN_ARRAY(arena, double, regions->num_regions); // gained by what is chosen inside
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    double gain = estimate[region].saved - estimate[region].guards, best = nested[region];
    chosen[region] = gain >= estimate[region].total * least && gain >= best;
    if (regions->parent[region] != LIN_NONE)
      nested[regions->parent[region]] += chosen[region] ? gain : best;
  }
  return chosen;
}
