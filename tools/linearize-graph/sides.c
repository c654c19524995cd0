#include "sides.h"

static tool_side *new_side(lin_arena *arena, const lin_graph *graph) {
  tool_side *side = LIN_NEW(arena, tool_side);
  side->order = lin_order_build(arena, graph);
  uint32_t blocks = side->order->graph->num_blocks, edges = side->order->graph->num_edges;
  side->original = LIN_ARRAY(arena, lin_block, blocks);
  side->guard = LIN_ARRAY(arena, const lin_node *, blocks);
  side->set = LIN_ARRAY(arena, uint32_t, edges);
  side->kinds = LIN_ARRAY(arena, uint8_t, edges);
  side->returning = LIN_ARRAY(arena, uint8_t, blocks);
  for (lin_edge edge = 0; edge < edges; edge++)
    side->set[edge] = LIN_NONE;
  return side;
}

void tool_find_kinds(const lin_graph *graph, const lin_shape *shape, uint8_t *kinds,
                     uint8_t *returning) {
  const lin_graph *united = shape->united;
  const lin_analysis *a = shape->analysis;
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++) {
    lin_edge old = shape->order->old_edge[edge];
    lin_block source = united->source[old];
    lin_edge now = graph->first_edge[source] + (old - united->first_edge[source]);
    *(now < graph->first_edge[source + 1] ? &kinds[now] : &returning[source]) = a->kinds[edge];
  }
}

// The same, in the side's order.
static void find_kinds(lin_arena *arena, const lin_graph *graph, const lin_shape *shape,
                       tool_side *side) {
  uint8_t *kinds = LIN_ARRAY(arena, uint8_t, graph->num_edges);
  uint8_t *returning = LIN_ARRAY(arena, uint8_t, graph->num_blocks);
  tool_find_kinds(graph, shape, kinds, returning);
  for (lin_edge edge = 0; edge < side->order->graph->num_edges; edge++)
    side->kinds[edge] = kinds[side->order->old_edge[edge]];
  for (lin_block block = 0; block < side->order->graph->num_blocks; block++)
    side->returning[block] = returning[side->order->origin[block]];
  side->num_unstructured = shape->analysis->num_unstructured;
}

tool_side *tool_side_before(const tool_work *work) {
  const lin_graph *graph = work->function->graph;
  tool_side *side = new_side(work->arena, graph);
  for (lin_block block = 0; block < side->order->graph->num_blocks; block++)
    side->original[block] = side->order->origin[block];
  find_kinds(work->arena, graph, &work->result.shape, side);
  return side;
}

// The block of the function, or its number of blocks for the united exit.
static lin_block input_block(const tool_work *work, lin_block planned) {
  return work->result.shape.order->origin[planned];
}

static void find_originals(const tool_work *work, const tool_after *after, tool_side *side) {
  const lin_flow *flow = work->result.flow;
  for (lin_block block = 0; block < side->order->graph->num_blocks; block++) {
    lin_block flow_block = after->flow_block[side->order->origin[block]];
    lin_block planned = flow->original[flow_block];
    side->original[block] = planned == LIN_NONE ? LIN_NONE : input_block(work, planned);
    if (side->original[block] == work->function->graph->num_blocks)
      side->original[block] = LIN_NONE;
    if (flow->node[flow_block] != LIN_NONE)
      side->guard[block] = &flow->plan->node[flow->node[flow_block]];
  }
}

// An edge that leads to a guard says where it led. Guards between it and there all go by that.
static void find_sets(const tool_work *work, const tool_after *after, tool_side *side) {
  const lin_flow *flow = work->result.flow;
  const lin_graph *graph = side->order->graph, *planned = flow->plan->analysis->graph;
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_edge old = flow->original_edge[after->flow_edge[side->order->old_edge[edge]]];
    if (old != LIN_NONE && side->guard[graph->destination[edge]] != NULL)
      side->set[edge] = input_block(work, planned->destination[old]);
  }
}

tool_side *tool_side_after(const tool_work *work) {
  tool_after after = tool_after_build(work);
  tool_side *side = new_side(work->arena, after.graph);
  find_originals(work, &after, side);
  find_sets(work, &after, side);
  const lin_shape shape = lin_shape_build(work->arena, after.graph);
  find_kinds(work->arena, after.graph, &shape, side);
  return side;
}
