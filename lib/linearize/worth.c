#include "worth.h"

typedef struct worth {
  const lin_analysis *a;
  const lin_joins *joins;
  bool *polls;    // [num_loops] its own blocks, those of inner loops not counted
  uint64_t *cost; // [num_blocks] of the block and all that it dominates
} worth;

static bool leaves_early(const worth *w, lin_edge edge) {
  lin_block from = w->a->graph->source[edge], to = w->a->graph->destination[edge];
  bool leaves = (w->a->kinds[edge] & LIN_JUMP_OUT) != 0;
  return leaves && !lin_tree_contains(w->a->postdominators->tree, to, from) &&
         lin_joins_is_parted(w->joins, from, from + 1);
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

bool *lin_worth_edges(lin_arena *arena, const lin_analysis *analysis, const lin_joins *joins) {
  const lin_graph *graph = analysis->graph;
  worth w = {.a = analysis,
             .joins = joins,
             .polls = LIN_ARRAY(arena, bool, analysis->loops->num_loops),
             .cost = LIN_ARRAY(arena, uint64_t, graph->num_blocks)};
  sum_costs(&w);
  find_polling_loops(&w);
  bool *wanted = LIN_ARRAY(arena, bool, graph->num_edges);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block to = graph->destination[edge];
    wanted[edge] = analysis->kinds[edge] != 0 && w.cost[to] >= LIN_LEAST_COST && !joins->met[to] &&
                   !is_in_polling_loop(&w, edge) && (joins->late[to] || leaves_early(&w, edge));
  }
  return wanted;
}
