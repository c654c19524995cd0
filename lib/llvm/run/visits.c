#include "visits.h"

#include "regroup/traffic.h"

void lin_ir_read_visits(lin_arena *arena, lin_ir_function *f, const lin_counts *counts) {
  lin_graph *graph = f->graph;
  lin_traffic flow;
  const char *reason;
  if (lin_traffic_count(arena, graph, counts, &flow, &reason))
    graph->visits = lin_traffic_visits(arena, &flow, graph->num_blocks);
}
