#include "shrink.h"

enum { MOST_TRIES = 6000 };

typedef struct shrinker {
  lin_arena *arena; // owns the smallest graph so far
  lin_graph *graph; // the smallest so far
  shrink_test *still_fails;
  void *context;
  uint32_t tries;
} shrinker;

// `graph` without the edges of dropped[], with every edge into `bypassed` led on to where that
// block's first edge goes, and without unreachable blocks; a block that loses its last edge
// returns.
static lin_graph *reduce(lin_arena *arena, const lin_graph *graph, const bool *dropped,
                         lin_block bypassed) {
  uint32_t n = graph->num_blocks;
  lin_block *stack = LIN_ARRAY(arena, lin_block, n);
  lin_block *number = LIN_ARRAY(arena, lin_block, n);
  bool *seen = LIN_ARRAY(arena, bool, n);
  uint32_t top = 0, count = 0, num_edges = 0;
#define TARGET(edge)                                                                               \
  (graph->destination[edge] == bypassed ? graph->destination[graph->first_edge[bypassed]]          \
                                        : graph->destination[edge])
  seen[0] = true;
  for (stack[top++] = 0; top > 0;) {
    lin_block block = stack[--top];
    for (LIN_OUT_EDGES(graph, block, edge)) {
      if (dropped[edge])
        continue;
      if (!seen[TARGET(edge)])
        stack[top++] = TARGET(edge);
      seen[TARGET(edge)] = true;
    }
  }
  for (lin_block block = 0; block < n; block++) {
    number[block] = count;
    count += seen[block];
    for (LIN_OUT_EDGES(graph, block, edge))
      num_edges += seen[block] && !dropped[edge];
  }
  lin_graph *result = lin_graph_new(arena, count, num_edges);
  result->title = graph->title;
  lin_edge next = 0;
  for (lin_block block = 0; block < n; block++) {
    if (!seen[block])
      continue;
    lin_block at = number[block];
    result->first_edge[at] = next;
    result->flags[at] = graph->flags[block];
    result->name[at] = graph->name[block];
    result->reason[at] = graph->reason[block];
    for (LIN_OUT_EDGES(graph, block, edge))
      if (!dropped[edge])
        result->destination[next++] = number[TARGET(edge)];
    if (next == result->first_edge[at] && (result->flags[at] & LIN_TRAP) == 0)
      result->flags[at] |= LIN_RETURN;
  }
#undef TARGET
  result->first_edge[count] = next;
  lin_graph_finish(arena, result);
  return result;
}

// Replaces the graph by the reduction if it still fails and is smaller.
static bool try_reduction(shrinker *s, const bool *dropped, lin_block bypassed) {
  lin_arena scratch = {0};
  lin_block at_fault;
  s->tries++;
  lin_graph *smaller = reduce(&scratch, s->graph, dropped, bypassed);
  bool is_smaller =
      smaller->num_blocks < s->graph->num_blocks || smaller->num_edges < s->graph->num_edges;
  bool fails = is_smaller && lin_graph_check(smaller, &at_fault) == NULL &&
               s->still_fails(s->context, smaller);
  if (fails)
    s->graph = reduce(s->arena, s->graph, dropped, bypassed);
  lin_arena_release(&scratch);
  return fails;
}

static bool shrink_edges(shrinker *s, uint32_t width) {
  bool any = false;
  for (lin_edge edge = 0; edge < s->graph->num_edges && s->tries < MOST_TRIES;) {
    bool *dropped = LIN_ARRAY(s->arena, bool, s->graph->num_edges);
    for (lin_edge e = edge; e < edge + width && e < s->graph->num_edges; e++)
      dropped[e] = true;
    if (try_reduction(s, dropped, LIN_NONE))
      any = true;
    else
      edge += width;
  }
  return any;
}

static bool shrink_blocks(shrinker *s) {
  bool any = false;
  for (lin_block block = 1; block < s->graph->num_blocks && s->tries < MOST_TRIES;) {
    bool *dropped = LIN_ARRAY(s->arena, bool, s->graph->num_edges);
    lin_edge edge = s->graph->first_edge[block];
    bool possible = lin_out_degree(s->graph, block) == 1 && s->graph->destination[edge] != block;
    if (possible && try_reduction(s, dropped, block))
      any = true;
    else
      block++;
  }
  return any;
}

static void shrink_flags(shrinker *s) {
  for (lin_block block = 0; block < s->graph->num_blocks; block++)
    for (uint32_t bit = LIN_UNIFORM; bit <= LIN_REFUSED; bit <<= 1) {
      if ((s->graph->flags[block] & bit) == 0)
        continue;
      s->graph->flags[block] &= ~bit;
      if (!s->still_fails(s->context, s->graph))
        s->graph->flags[block] |= bit;
    }
}

lin_graph *shrink(lin_arena *arena, const lin_graph *graph, shrink_test *still_fails,
                  void *context) {
  shrinker s = {.arena = arena, .still_fails = still_fails, .context = context};
  s.graph = reduce(arena, graph, LIN_ARRAY(arena, bool, graph->num_edges), LIN_NONE);
  if (!still_fails(context, s.graph))
    return NULL;
  for (uint32_t width = s.graph->num_edges / 2; width > 1; width /= 2)
    shrink_edges(&s, width);
  while (s.tries < MOST_TRIES && shrink_edges(&s, 1) + shrink_blocks(&s) > 0)
    ;
  shrink_flags(&s);
  return s.graph;
}
