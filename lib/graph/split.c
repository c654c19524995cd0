#include "split.h"

lin_graph *lin_graph_split_edges(lin_arena *arena, const lin_graph *graph, const bool *on) {
  const uint32_t n = graph->num_blocks;
  uint32_t more = 0;
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    more += on[edge];
  lin_graph *result = lin_graph_new(arena, n + more, graph->num_edges + more);
  result->title = graph->title;
  lin_graph_copy_blocks(arena, result, graph, NULL, n);
  // Edges keep their numbers, too: those of the new blocks come behind them.
  lin_block made = n;
  lin_edge next = graph->num_edges;
  for (lin_block block = 0; block < n; block++) {
    result->first_edge[block] = graph->first_edge[block];
    for (LIN_OUT_EDGES(graph, block, edge)) {
      result->weight[edge] = graph->weight[edge];
      result->destination[edge] = on[edge] ? made : graph->destination[edge];
      if (!on[edge])
        continue;
      result->first_edge[made] = next;
      result->cost[made++] = 0;
      result->destination[next++] = graph->destination[edge];
    }
  }
  result->first_edge[n + more] = next;
  lin_graph_finish(arena, result);
  return result;
}
