#include "unite.h"

#include <string.h>

void lin_graph_update_united(lin_arena *arena, const lin_graph *graph, lin_graph *united) {
  // Of the block in which returns are one nothing is known.
  lin_graph_copy_blocks(arena, united, graph, NULL, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    united->flags[block] &= ~(unsigned)LIN_RETURN;
    memcpy(&united->weight[united->first_edge[block]], &graph->weight[graph->first_edge[block]],
           lin_out_degree(graph, block) * sizeof *graph->weight);
  }
}

lin_graph *lin_graph_unite_returns(lin_arena *arena, const lin_graph *graph) {
  uint32_t n = graph->num_blocks, returns = 0;
  for (lin_block block = 0; block < n; block++)
    returns += (graph->flags[block] & LIN_RETURN) != 0;
  uint32_t exits = returns > 0;
  lin_graph *result = lin_graph_new(arena, n + exits, graph->num_edges + returns);
  result->title = graph->title;
  lin_edge next = 0;
  for (lin_block block = 0; block < n; block++) {
    result->first_edge[block] = next;
    for (LIN_OUT_EDGES(graph, block, edge))
      result->destination[next++] = graph->destination[edge];
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
  lin_graph_update_united(arena, graph, result);
  return result;
}
