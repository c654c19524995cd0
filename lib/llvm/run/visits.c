#include "visits.h"

#include "regroup/flow.h"

void lin_ir_read_visits(lin_arena *arena, lin_ir_function *f, const lin_counts *counts) {
  lin_graph *graph = f->graph;
  lin_flow flow;
  const char *reason;
  if (lin_flow_count(arena, graph, counts, &flow, &reason))
    graph->visits = lin_flow_visits(arena, &flow, graph->num_blocks);
}
