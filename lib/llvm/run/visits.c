#include "visits.h"

#include "regroup/flow.h"

void lin_ir_read_visits(lin_arena *arena, lin_ir_function *f, const lin_counts *counts) {
  lin_graph *graph = f->graph;
  lin_flow flow;
  const char *reason;
  if (!lin_flow_count(arena, graph, counts, &flow, &reason))
    return;
  graph->visits = LIN_ARRAY(arena, lin_visits, graph->num_blocks);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    graph->visits[b] = (lin_visits){flow.threads[b], flow.passes[b], flow.slowest[b], flow.some[b]};
}
