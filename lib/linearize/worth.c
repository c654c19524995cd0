#include "worth.h"

typedef struct worth {
  const lin_analysis *a;
  uint32_t *parting; // [num_blocks + 1] branches that may part threads, among the blocks before
  uint64_t *cost;    // [num_blocks] of the block and all that it dominates
} worth;

static bool may_part(const lin_graph *graph, lin_block block, bool known) {
  bool uniform = known && (graph->flags[block] & LIN_UNIFORM) != 0;
  return lin_out_degree(graph, block) > 1 && !uniform;
}

// Some branch from `from` on, `to` excluded, may part threads.
static bool is_parted(const worth *w, lin_block from, lin_block to) {
  return w->parting[to] > w->parting[from];
}

static bool postdominates(const lin_analysis *a, lin_block below, lin_block above) {
  return lin_tree_contains(a->postdominators->tree, below, above);
}

static bool is_join(const worth *w, lin_block block) {
  const lin_graph *graph = w->a->graph;
  lin_block dominator = w->a->dominators->parent[block];
  unsigned forward = 0;
  for (LIN_IN_EDGES(graph, block, i)) {
    lin_edge edge = graph->in_edge[i];
    forward += graph->source[edge] < block && !w->a->postdominators->doomed[edge];
  }
  return forward > 1 && !postdominates(w->a, block, dominator) && is_parted(w, dominator, block);
}

static bool leaves_early(const worth *w, lin_edge edge) {
  lin_block from = w->a->graph->source[edge], to = w->a->graph->destination[edge];
  bool leaves = (w->a->kinds[edge] & LIN_JUMP_OUT) != 0;
  return leaves && !postdominates(w->a, to, from) && is_parted(w, from, from + 1);
}

static void sum_costs(worth *w) {
  const lin_graph *graph = w->a->graph;
  for (lin_block block = graph->num_blocks; block-- > 0;) {
    w->cost[block] += graph->cost[block];
    if (block > 0)
      w->cost[w->a->dominators->parent[block]] += w->cost[block];
  }
}

bool *lin_worth_edges(lin_arena *arena, const lin_analysis *analysis, bool divergence_known) {
  const lin_graph *graph = analysis->graph;
  uint32_t n = graph->num_blocks;
  worth w = {.a = analysis,
             .parting = LIN_ARRAY(arena, uint32_t, (size_t)n + 1),
             .cost = LIN_ARRAY(arena, uint64_t, n)};
  for (lin_block block = 0; block < n; block++)
    w.parting[block + 1] = w.parting[block] + may_part(graph, block, divergence_known);
  sum_costs(&w);
  bool *join = LIN_ARRAY(arena, bool, n), *wanted = LIN_ARRAY(arena, bool, graph->num_edges);
  for (lin_block block = 1; block < n; block++)
    join[block] = is_join(&w, block);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block to = graph->destination[edge];
    wanted[edge] = analysis->kinds[edge] != 0 && w.cost[to] >= LIN_LEAST_COST &&
                   (join[to] || leaves_early(&w, edge));
  }
  return wanted;
}
