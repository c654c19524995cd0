#include "worth.h"

typedef struct worth {
  const lin_analysis *a;
  const lin_joins *joins;
  // [num_loops] LIN_VERDICT_POLLS or _CALLS by its own blocks, those of inner loops not counted;
  // LIN_VERDICT_STRUCTURED if none polls
  lin_verdict *polls;
  uint64_t *cost; // [num_blocks] of the block and all that it dominates
} worth;

static bool leaves_early(const worth *w, lin_edge edge) {
  lin_block from = w->a->graph->source[edge], to = w->a->graph->destination[edge];
  const lin_analysis *compiled = w->joins->compiled;
  bool leaves = (compiled->kinds[edge] & LIN_JUMP_OUT) != 0;
  return leaves && !lin_tree_contains(compiled->postdominators->tree, to, from) &&
         lin_joins_is_parted(w->joins, from, from + 1);
}

static void find_polling_loops(worth *w) {
  const lin_graph *graph = w->a->graph;
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if ((graph->flags[block] & LIN_POLLS) != 0) {
      lin_verdict *polls = &w->polls[w->a->loops->loop_of[block]];
      bool calls = (graph->flags[block] & LIN_FOREIGN) != 0 && *polls != LIN_VERDICT_POLLS;
      *polls = calls ? LIN_VERDICT_CALLS : LIN_VERDICT_POLLS;
    }
  w->polls[0] = LIN_VERDICT_STRUCTURED; // no loop
}

static lin_verdict verdict_of_loops(const worth *w, lin_edge edge) {
  const uint32_t *loop_of = w->a->loops->loop_of;
  lin_verdict from = w->polls[loop_of[w->a->graph->source[edge]]];
  lin_verdict to = w->polls[loop_of[w->a->graph->destination[edge]]];
  if (from == LIN_VERDICT_STRUCTURED && to == LIN_VERDICT_STRUCTURED)
    return LIN_VERDICT_WORTH_IT;
  return from == LIN_VERDICT_POLLS || to == LIN_VERDICT_POLLS ? LIN_VERDICT_POLLS
                                                              : LIN_VERDICT_CALLS;
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
  return lin_joins_is_parted(w->joins, w->a->dominators->parent[to], to) ||
         lin_joins_is_parted(w->joins, from, from + 1);
}

static lin_verdict verdict_of(const worth *w, lin_edge edge, uint64_t least_cost) {
  lin_block to = w->a->graph->destination[edge];
  if (w->a->kinds[edge] == 0)
    return LIN_VERDICT_STRUCTURED;
  if (!w->joins->late[to] && !leaves_early(w, edge))
    return comes_apart(w, edge) ? LIN_VERDICT_MEETS : LIN_VERDICT_UNIFORM;
  if (w->joins->met[to])
    return LIN_VERDICT_WAITS;
  if (w->cost[to] < least_cost)
    return LIN_VERDICT_SMALL;
  return verdict_of_loops(w, edge);
}

lin_verdict *lin_worth_edges(lin_arena *arena, const lin_analysis *analysis, const lin_joins *joins,
                             uint32_t least_cost) {
  const lin_graph *graph = analysis->graph;
  worth w = {.a = analysis,
             .joins = joins,
             .polls = LIN_ARRAY(arena, lin_verdict, analysis->loops->num_loops),
             .cost = LIN_ARRAY(arena, uint64_t, graph->num_blocks)};
  sum_costs(&w);
  find_polling_loops(&w);
  uint64_t least = least_cost == 0 ? LIN_LEAST_COST : least_cost;
  lin_verdict *verdict = LIN_ARRAY(arena, lin_verdict, graph->num_edges);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    verdict[edge] = verdict_of(&w, edge, least);
  return verdict;
}

const char *lin_verdict_name(lin_verdict verdict) {
  static const char *const names[] = {
      [LIN_VERDICT_STRUCTURED] = "NothingToGain",
      [LIN_VERDICT_MEETS] = "NothingToGain",
      [LIN_VERDICT_UNIFORM] = "Uniform",
      [LIN_VERDICT_WAITS] = "ThreadsWait",
      [LIN_VERDICT_SMALL] = "TooSmall",
      [LIN_VERDICT_POLLS] = "PollingLoop",
      [LIN_VERDICT_CALLS] = "UnknownCall",
      [LIN_VERDICT_HOLDS] = "HoldsThreads",
      [LIN_VERDICT_DEAR] = "TooDear",
      [LIN_VERDICT_WORTH_IT] = "NotLinearized",
  };
  return names[verdict];
}

const char *lin_verdict_text(lin_verdict verdict) {
  static const char *const texts[] = {
      [LIN_VERDICT_STRUCTURED] = "it is structured",
      [LIN_VERDICT_UNIFORM] = "all threads of a warp take each of its branches together",
      [LIN_VERDICT_MEETS] = "its threads meet at its end or before, and nothing is run twice",
      [LIN_VERDICT_WAITS] = "its threads wait for each other at its join",
      [LIN_VERDICT_SMALL] = "what is run twice is too small",
      [LIN_VERDICT_POLLS] = "it is in a loop that polls memory, in which threads wait for others",
      [LIN_VERDICT_CALLS] =
          "its loop calls code that isn't here, in which threads may wait for others",
      [LIN_VERDICT_HOLDS] = ("its guards would have threads that begin the next iteration wait for "
                             "those in an inner loop, "
                             "which is the same loop in the source; no profile says that it pays"),
      [LIN_VERDICT_DEAR] = "it gains too little",
      [LIN_VERDICT_WORTH_IT] = "",
  };
  return texts[verdict];
}
