#include "iterations.h"

#include <string.h>

static bool is_header(const lin_loops *loops, lin_block block) {
  uint32_t loop = loops->loop_of[block];
  return loop != 0 && loops->header[loop] == block && !loops->irreducible[loop];
}

// The header behind `block`, whose loop is directly in that of `block`; LIN_NONE: none.
static lin_block next_header(const lin_graph *graph, const lin_loops *loops, lin_block block) {
  if ((graph->flags[block] & LIN_VANISHES) == 0 || lin_out_degree(graph, block) != 1 ||
      !is_header(loops, block))
    return LIN_NONE;
  lin_block next = graph->destination[graph->first_edge[block]];
  bool is_inner = next > block && is_header(loops, next) &&
                  loops->tree->parent[loops->loop_of[next]] == loops->loop_of[block];
  return is_inner ? next : LIN_NONE;
}

// Where all come that leave the loop of `header`, or the virtual exit.
static lin_block behind(const lin_graph *graph, const lin_loops *loops,
                        const lin_tree *postdominators, lin_block header) {
  lin_block at = postdominators->parent[header];
  while (at < graph->num_blocks && lin_loop_contains(loops, loops->loop_of[header], at))
    at = postdominators->parent[at];
  return at;
}

static const lin_graph *lead_back(lin_arena *arena, const lin_graph *graph,
                                  const lin_block *inner) {
  lin_graph *result = LIN_NEW(arena, lin_graph);
  *result = *graph;
  result->source = LIN_ARRAY(arena, lin_block, graph->num_edges);
  result->destination = LIN_ARRAY(arena, lin_block, graph->num_edges);
  result->first_in = LIN_ARRAY(arena, uint32_t, (size_t)graph->num_blocks + 1);
  result->in_edge = LIN_ARRAY(arena, lin_edge, graph->num_edges);
  memcpy(result->destination, graph->destination, graph->num_edges * sizeof *graph->destination);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block to = graph->destination[edge];
    if (graph->source[edge] >= to && inner[to] != LIN_NONE)
      result->destination[edge] = inner[to];
  }
  lin_graph_finish(arena, result);
  return result;
}

lin_iterations lin_iterations_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                                   const lin_postdominators *postdominators) {
  lin_iterations result = {graph, loops, LIN_ARRAY(arena, lin_block, graph->num_blocks)};
  bool any = false;
  for (lin_block block = graph->num_blocks; block-- > 0;) { // inner ones first
    lin_block next = next_header(graph, loops, block);
    lin_block after = next == LIN_NONE ? block : behind(graph, loops, postdominators->tree, next);
    if (after < graph->num_blocks && lin_loop_contains(loops, loops->loop_of[block], after))
      next = LIN_NONE;
    result.inner[block] =
        next == LIN_NONE || result.inner[next] == LIN_NONE ? next : result.inner[next];
    any |= next != LIN_NONE;
  }
  if (any) {
    result.graph = lead_back(arena, graph, result.inner);
    result.loops = lin_loops_build(arena, result.graph);
  }
  return result;
}
