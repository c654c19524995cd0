#include "unite.h"

#include <string.h>

lin_graph *lin_graph_unite_returns(lin_arena *arena, const lin_graph *graph) {
  uint32_t n = graph->num_blocks, returns = 0;
  for (lin_block block = 0; block < n; block++)
    returns += (graph->flags[block] & LIN_RETURN) != 0;
  uint32_t exits = returns > 0;
  lin_graph *result = lin_graph_new(arena, n + exits, graph->num_edges + returns);
  result->title = graph->title;
  if (graph->sharing != NULL) {
    result->sharing = LIN_ARRAY(arena, lin_sharing, n + exits);
    memcpy(result->sharing, graph->sharing, n * sizeof *graph->sharing);
  }
  if (graph->visits != NULL) { // of the block in which returns are one nothing is asked
    result->visits = LIN_ARRAY(arena, lin_visits, n + exits);
    memcpy(result->visits, graph->visits, n * sizeof *graph->visits);
  }
  lin_edge next = 0;
  for (lin_block block = 0; block < n; block++) {
    result->first_edge[block] = next;
    result->flags[block] = graph->flags[block] & ~(unsigned)LIN_RETURN;
    result->cost[block] = graph->cost[block];
    result->most_trips[block] = graph->most_trips[block];
    result->name[block] = graph->name[block];
    result->reason[block] = graph->reason[block];
    for (LIN_OUT_EDGES(graph, block, edge)) {
      result->weight[next] = graph->weight[edge];
      result->destination[next++] = graph->destination[edge];
    }
    if ((graph->flags[block] & LIN_RETURN) != 0)
      result->destination[next++] = n;
  }
  if (exits) {
    result->first_edge[n] = next;
    result->flags[n] = LIN_RETURN;
    result->name[n] = "exit";
    result->cost[n] = 0; // each return has counted already
  }
  result->first_edge[n + exits] = next;
  lin_graph_finish(arena, result);
  return result;
}
