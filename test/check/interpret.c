#include "interpret.h"

static uint64_t mix(uint64_t z) { // the finaliser of splitmix64
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint32_t lin_stream_decide(void *data, lin_block block, uint32_t visit, uint32_t degree) {
  const lin_stream *stream = data;
  uint64_t name = stream->name == NULL ? block : stream->name[block];
  uint64_t key = mix(stream->seed + 0x9e3779b97f4a7c15u * (name + 1));
  if (stream->seed % 2 == 1)
    return (uint32_t)((key + visit) % degree);
  return (uint32_t)(mix(key + 0x9e3779b97f4a7c15u * visit) % degree);
}

void lin_flow_assign(const lin_flow *flow, lin_edge edge, uint32_t *guard) {
  if (flow->leaves[edge])
    for (uint32_t i = 0; i < flow->plan->num_guards; i++)
      guard[i] = flow->plan->guard[i].otherwise;
  for (const lin_assignment *a = flow->assigned[edge]; a != NULL; a = a->next)
    guard[a->guard] = a->value;
}

lin_edge lin_flow_test(const lin_flow *flow, lin_block block, const uint32_t *guard) {
  const lin_node *node = &flow->plan->node[flow->node[block]];
  uint32_t value = guard[node->guard];
  bool yes = node->low <= value && value <= node->high;
  return flow->graph->first_edge[block] + (yes ? 0 : 1);
}

static lin_edge decide(const lin_graph *graph, lin_oracle oracle, lin_block block, lin_block name,
                       uint32_t visit) {
  uint32_t degree = lin_out_degree(graph, block);
  uint32_t choice = degree == 1 ? 0 : oracle.decide(oracle.data, name, visit, degree);
  return graph->first_edge[block] + choice;
}

static lin_ending ending_of(const lin_graph *graph, lin_block block) {
  return (graph->flags[block] & LIN_RETURN) != 0 ? LIN_RAN_RETURN : LIN_RAN_TRAP;
}

lin_trace lin_run_graph(lin_arena *arena, const lin_graph *graph, lin_oracle oracle,
                        uint32_t limit) {
  lin_trace trace = {.block = LIN_ARRAY(arena, lin_block, limit), .ending = LIN_RAN_LIMIT};
  uint32_t *visits = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  for (lin_block block = 0; trace.length < limit;) {
    trace.block[trace.length++] = block;
    if (lin_out_degree(graph, block) == 0) {
      trace.ending = ending_of(graph, block);
      return trace;
    }
    block = graph->destination[decide(graph, oracle, block, block, visits[block]++)];
  }
  return trace;
}

lin_trace lin_run_flow(lin_arena *arena, const lin_flow *flow, lin_oracle oracle, uint32_t limit) {
  const lin_graph *graph = flow->graph;
  lin_trace trace = {.block = LIN_ARRAY(arena, lin_block, limit), .ending = LIN_RAN_LIMIT};
  uint32_t *visits = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  uint32_t *guard = LIN_ARRAY(arena, uint32_t, flow->plan->num_guards);
  uint32_t idle = 0; // guard blocks since the last original one
  for (lin_block block = 0; trace.length < limit;) {
    lin_edge edge;
    if (flow->node[block] != LIN_NONE) {
      edge = lin_flow_test(flow, block, guard);
      idle++;
    } else {
      lin_block original = flow->original[block];
      if (original == LIN_NONE)
        break;
      idle = 0;
      trace.block[trace.length++] = original;
      if (lin_out_degree(graph, block) == 0) {
        trace.ending = ending_of(graph, block);
        return trace;
      }
      edge = decide(graph, oracle, block, original, visits[block]++);
    }
    if (idle > 2 * graph->num_blocks)
      break;
    lin_flow_assign(flow, edge, guard);
    block = graph->destination[edge];
  }
  if (trace.length < limit)
    trace.ending = LIN_RAN_LOST;
  return trace;
}
