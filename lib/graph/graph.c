#include "graph.h"

#include <string.h>

lin_graph *lin_graph_new(lin_arena *arena, uint32_t num_blocks, uint32_t num_edges) {
  lin_graph *graph = LIN_NEW(arena, lin_graph);
  graph->num_blocks = num_blocks;
  graph->num_edges = num_edges;
  graph->first_edge = LIN_ARRAY(arena, lin_edge, (size_t)num_blocks + 1);
  graph->source = LIN_ARRAY(arena, lin_block, num_edges);
  graph->destination = LIN_ARRAY(arena, lin_block, num_edges);
  graph->weight = LIN_ARRAY(arena, uint32_t, num_edges);
  graph->first_in = LIN_ARRAY(arena, uint32_t, (size_t)num_blocks + 1);
  graph->in_edge = LIN_ARRAY(arena, lin_edge, num_edges);
  graph->flags = LIN_ARRAY(arena, uint32_t, num_blocks);
  graph->cost = LIN_ARRAY(arena, uint32_t, num_blocks);
  graph->most_trips = LIN_ARRAY(arena, uint32_t, num_blocks);
  graph->name = LIN_ARRAY(arena, const char *, num_blocks);
  graph->reason = LIN_ARRAY(arena, const char *, num_blocks);
  graph->title = "";
  for (lin_block block = 0; block < num_blocks; block++)
    graph->name[block] = "", graph->cost[block] = LIN_USUAL_COST;
  return graph;
}

void lin_graph_finish(lin_arena *arena, lin_graph *graph) {
  uint32_t *first_in = graph->first_in;
  memset(first_in, 0, ((size_t)graph->num_blocks + 1) * sizeof(uint32_t));
  for (lin_block block = 0; block < graph->num_blocks; block++)
    for (LIN_OUT_EDGES(graph, block, edge)) {
      graph->source[edge] = block;
      first_in[graph->destination[edge] + 1]++;
    }
  for (lin_block block = 0; block < graph->num_blocks; block++)
    first_in[block + 1] += first_in[block];
  uint32_t *next = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  memcpy(next, first_in, graph->num_blocks * sizeof(uint32_t));
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    graph->in_edge[next[graph->destination[edge]]++] = edge;
}

void lin_graph_copy_blocks(lin_arena *arena, lin_graph *to, const lin_graph *from,
                           const lin_block *origin, uint32_t count) {
  if (from->sharing != NULL && to->sharing == NULL)
    to->sharing = LIN_ARRAY(arena, lin_sharing, to->num_blocks);
  if (from->visits != NULL && to->visits == NULL)
    to->visits = LIN_ARRAY(arena, lin_visits, to->num_blocks);
  for (lin_block block = 0; block < count; block++) {
    const lin_block old = origin == NULL ? block : origin[block];
    to->flags[block] = from->flags[old];
    to->cost[block] = from->cost[old];
    to->most_trips[block] = from->most_trips[old];
    to->name[block] = from->name[old];
    to->reason[block] = from->reason[old];
    if (from->sharing != NULL)
      to->sharing[block] = from->sharing[old];
    if (from->visits != NULL)
      to->visits[block] = from->visits[old];
  }
}

const char *lin_graph_check(const lin_graph *graph, lin_block *block) {
  *block = 0;
  if (graph->num_blocks == 0)
    return "the function has no block";
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    *block = graph->source[edge];
    if (graph->destination[edge] >= graph->num_blocks)
      return "a successor that doesn't exist";
    if (graph->destination[edge] == 0)
      return "an edge to the entry block";
  }
  for (*block = 0; *block < graph->num_blocks; (*block)++) {
    bool ends = (graph->flags[*block] & (LIN_RETURN | LIN_TRAP)) != 0;
    if (ends && lin_out_degree(graph, *block) != 0)
      return "a block that returns or traps has successors";
    if (!ends && lin_out_degree(graph, *block) == 0)
      return "a block without successors neither returns nor traps";
  }
  return NULL;
}

lin_graph *lin_graph_reverse(lin_arena *arena, const lin_graph *graph, const bool *is_exit,
                             const bool *dropped) {
  uint32_t n = graph->num_blocks;
  uint32_t count = 0;
  for (lin_block block = 0; block < n; block++)
    count += is_exit[block];
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    count += dropped == NULL || !dropped[edge];

  lin_graph *reverse = lin_graph_new(arena, n + 1, count);
  uint32_t next = 0;
  for (lin_block block = 0; block < n; block++) {
    reverse->first_edge[block] = next;
    for (LIN_IN_EDGES(graph, block, i)) {
      lin_edge edge = graph->in_edge[i];
      if (dropped == NULL || !dropped[edge])
        reverse->destination[next++] = graph->source[edge];
    }
  }
  reverse->first_edge[n] = next;
  for (lin_block block = 0; block < n; block++)
    if (is_exit[block])
      reverse->destination[next++] = block;
  reverse->first_edge[n + 1] = next;
  lin_graph_finish(arena, reverse);
  return reverse;
}
