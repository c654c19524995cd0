// Kruskal's algorithm, on the edges in the order of what counting them costs, dearest first.
#include "counters.h"

#include "graph/loops.h"
#include "graph/order.h"

#include <stdlib.h>

lin_count_place lin_count_place_of(const lin_graph *graph, lin_edge edge) {
  if (lin_out_degree(graph, graph->source[edge]) == 1)
    return LIN_COUNT_AT_SOURCE;
  lin_block to = graph->destination[edge];
  return lin_in_degree(graph, to) == 1 ? LIN_COUNT_AT_DESTINATION : LIN_COUNT_IF_TAKEN;
}

static uint32_t *fill(lin_arena *arena, uint32_t count) {
  uint32_t *array = LIN_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    array[i] = LIN_NONE;
  return array;
}

static lin_counters *make(lin_arena *arena, const lin_graph *graph) {
  lin_counters *c = LIN_NEW(arena, lin_counters);
  c->of_edge = fill(arena, graph->num_edges);
  c->of_exit = fill(arena, graph->num_blocks);
  c->of_block = fill(arena, graph->num_blocks);
  c->of_pass = fill(arena, graph->num_blocks);
  return c;
}

// ---- how often, as far as one can guess

// In a loop things happen so many times as often as outside of it. Ball and Larus take 10.
#define ITERATIONS 10.0
enum { MOST_NESTED = 20 }; // deeper loops count as such

// [num_blocks] A block that nothing reaches is never entered.
static double *guess_blocks(lin_arena *arena, const lin_graph *graph) {
  double *often = LIN_ARRAY(arena, double, graph->num_blocks);
  const lin_order *order = lin_order_build(arena, graph);
  double of_depth[MOST_NESTED + 1] = {1};
  for (uint32_t depth = 1; depth <= MOST_NESTED; depth++)
    of_depth[depth] = ITERATIONS * of_depth[depth - 1];
  for (lin_block b = 0; b < order->graph->num_blocks; b++) {
    uint32_t depth = order->loops->tree->depth[order->loops->loop_of[b]];
    often[order->origin[b]] = of_depth[depth < MOST_NESTED ? depth : MOST_NESTED];
  }
  return often;
}

static double guess_edge(const lin_graph *graph, const double *often, lin_edge edge) {
  lin_block from = graph->source[edge];
  double sum = 0;
  for (LIN_OUT_EDGES(graph, from, other))
    sum += graph->weight[other];
  return often[from] * (sum > 0 ? graph->weight[edge] / sum : 1.0 / lin_out_degree(graph, from));
}

// ---- the tree

typedef struct candidate {
  double cost;
  uint32_t number; // of an edge; behind them those of returns, by block
  lin_block from, to;
} candidate;

static int compare(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  if (a->cost != b->cost)
    return a->cost > b->cost ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

static lin_block find(lin_block *parent, lin_block block) {
  while (parent[block] != block)
    block = parent[block] = parent[parent[block]];
  return block;
}

static candidate *list(lin_arena *arena, const lin_graph *graph, const bool *is_dear,
                       uint32_t *count) {
  const double *often = guess_blocks(arena, graph);
  candidate *all = LIN_ARRAY(arena, candidate, (size_t)graph->num_edges + graph->num_blocks);
  double dearest = 0;
  for (lin_block b = 0; b < graph->num_blocks; b++)
    dearest = often[b] > dearest ? often[b] : dearest;
  *count = 0;
  for (lin_edge e = 0; e < graph->num_edges; e++) {
    lin_block from = graph->source[e];
    bool asks = lin_count_place_of(graph, e) == LIN_COUNT_IF_TAKEN;
    double cost = asks ? often[from] : guess_edge(graph, often, e);
    if (asks && is_dear != NULL && is_dear[e])
      cost = 2 * dearest + cost;
    all[(*count)++] = (candidate){cost, e, from, graph->destination[e]};
  }
  for (lin_block b = 0; b < graph->num_blocks; b++)
    if ((graph->flags[b] & LIN_RETURN) != 0)
      all[(*count)++] = (candidate){often[b], graph->num_edges + b, b, 0};
  qsort(all, *count, sizeof *all, compare);
  return all;
}

lin_counters *lin_counters_choose(lin_arena *arena, const lin_graph *graph, const bool *is_dear) {
  lin_counters *c = make(arena, graph);
  uint32_t count;
  const candidate *all = list(arena, graph, is_dear, &count);
  lin_block *parent = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    parent[b] = b;
  for (uint32_t i = 0; i < count; i++) {
    lin_block a = find(parent, all[i].from), b = find(parent, all[i].to);
    uint32_t number = all[i].number;
    if (a != b)
      parent[a] = b;
    else if (number < graph->num_edges)
      c->of_edge[number] = c->count++;
    else
      c->of_exit[number - graph->num_edges] = c->count++;
  }
  return c;
}

lin_counters *lin_counters_of_blocks(lin_arena *arena, const lin_graph *graph) {
  lin_counters *c = make(arena, graph);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    c->of_block[b] = c->count++;
  return c;
}
