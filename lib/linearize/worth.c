#include "worth.h"

typedef struct worth {
  const lin_analysis *a;
  bool *join;        // [num_blocks] threads come there at different times
  bool *met;         // [num_blocks] a join at which they wait for each other
  bool *polls;       // [num_loops] its own blocks, those of inner loops not counted
  uint32_t *parting; // [num_blocks + 1] branches that may part threads, among the blocks before
  uint64_t *cost;    // [num_blocks] of the block and all that it dominates
} worth;

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

static void find_joins(worth *w, lin_arena *arena, bool lock_step) {
  uint32_t n = w->a->graph->num_blocks;
  lin_block *last = LIN_ARRAY(arena, lin_block, n); // by dominator; 0: none
  for (lin_block block = 1; block < n; block++) {
    w->join[block] = is_join(w, block);
    if (w->join[block])
      last[w->a->dominators->parent[block]] = block;
  }
  for (lin_block block = 0; block < n && !lock_step; block++)
    w->met[last[block]] = true;
  w->met[0] = false;
}

static void find_polling_loops(worth *w) {
  const lin_graph *graph = w->a->graph;
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if ((graph->flags[block] & LIN_POLLS) != 0)
      w->polls[w->a->loops->loop_of[block]] = true;
  w->polls[0] = false; // no loop
}

static bool is_in_polling_loop(const worth *w, lin_edge edge) {
  const uint32_t *loop_of = w->a->loops->loop_of;
  return w->polls[loop_of[w->a->graph->source[edge]]] ||
         w->polls[loop_of[w->a->graph->destination[edge]]];
}

static void sum_costs(worth *w) {
  const lin_graph *graph = w->a->graph;
  for (lin_block block = graph->num_blocks; block-- > 0;) {
    w->cost[block] += graph->cost[block];
    if (block > 0)
      w->cost[w->a->dominators->parent[block]] += w->cost[block];
  }
}

// Whether threads may come apart before `edge` at all.
static bool comes_apart(const worth *w, lin_edge edge) {
  lin_block from = w->a->graph->source[edge], to = w->a->graph->destination[edge];
  return is_parted(w, w->a->dominators->parent[to], to) || is_parted(w, from, from + 1);
}

static lin_verdict judge(const worth *w, lin_edge edge, uint64_t least_cost) {
  lin_block to = w->a->graph->destination[edge];
  if (w->a->kinds[edge] == 0)
    return LIN_VERDICT_STRUCTURED;
  if (!w->join[to] && !leaves_early(w, edge))
    return comes_apart(w, edge) ? LIN_VERDICT_MEETS : LIN_VERDICT_UNIFORM;
  if (w->met[to])
    return LIN_VERDICT_WAITS;
  if (w->cost[to] < least_cost)
    return LIN_VERDICT_SMALL;
  return is_in_polling_loop(w, edge) ? LIN_VERDICT_POLLS : LIN_VERDICT_WORTH_IT;
}

lin_verdict *lin_worth_edges(lin_arena *arena, const lin_analysis *analysis,
                             const lin_worth_options *options) {
  const lin_graph *graph = analysis->graph;
  uint32_t n = graph->num_blocks;
  worth w = {.a = analysis,
             .join = LIN_ARRAY(arena, bool, n),
             .met = LIN_ARRAY(arena, bool, n),
             .polls = LIN_ARRAY(arena, bool, analysis->loops->num_loops),
             .parting = LIN_ARRAY(arena, uint32_t, (size_t)n + 1),
             .cost = LIN_ARRAY(arena, uint64_t, n)};
  for (lin_block block = 0; block < n; block++)
    w.parting[block + 1] =
        w.parting[block] + (options->divergence_known ? lin_may_diverge(graph, block)
                                                      : lin_out_degree(graph, block) > 1);
  sum_costs(&w);
  find_joins(&w, arena, options->lock_step);
  find_polling_loops(&w);
  uint64_t least_cost = options->least_cost == 0 ? LIN_LEAST_COST : options->least_cost;
  lin_verdict *verdict = LIN_ARRAY(arena, lin_verdict, graph->num_edges);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    verdict[edge] = judge(&w, edge, least_cost);
  return verdict;
}

const char *lin_verdict_text(lin_verdict verdict) {
  static const char *const texts[] = {
      [LIN_VERDICT_STRUCTURED] = "it is structured",
      [LIN_VERDICT_UNIFORM] = "all threads of a warp take each of its branches together",
      [LIN_VERDICT_MEETS] = "its threads meet at its end or before, and nothing is run twice",
      [LIN_VERDICT_WAITS] = "its threads wait for each other at its join",
      [LIN_VERDICT_SMALL] = "what is run twice is too small",
      [LIN_VERDICT_POLLS] = "it is in a loop that polls memory, in which threads wait for others",
      [LIN_VERDICT_WORTH_IT] = "",
  };
  return texts[verdict];
}
