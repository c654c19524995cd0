// 1. Drop unreachable blocks (a copy in input order) and build the loop forest.
// 2. In each loop (and in loop 0, the function) its own blocks and the loops nested directly in it
//    are units; the edges between units, but those to the loop's header, are acyclic. Count for
//    each unit the edges into it.
// 3. Emit topologically, last-ready first; a nested loop that is ready is emitted whole before its
//    parent goes on.
// 4. Renumber the graph and the forest.
#include "order.h"

// Makes a graph, in the order of `origin`, of the edges of the blocks with number[] != LIN_NONE.
static void renumber_edges(lin_arena *arena, const lin_graph *input, lin_order *order,
                           uint32_t count) {
  uint32_t num_edges = 0;
  for (uint32_t i = 0; i < count; i++)
    num_edges += lin_out_degree(input, order->origin[i]);
  lin_graph *graph = lin_graph_new(arena, count, num_edges);
  order->graph = graph;
  order->old_edge = LIN_ARRAY(arena, lin_edge, num_edges);
  graph->title = input->title;
  lin_edge next = 0;
  for (uint32_t i = 0; i < count; i++) {
    graph->first_edge[i] = next;
    for (LIN_OUT_EDGES(input, order->origin[i], edge)) {
      order->old_edge[next] = edge;
      graph->destination[next++] = order->number[input->destination[edge]];
    }
  }
  graph->first_edge[count] = next;
  lin_graph_finish(arena, graph);
}

// Fills origin and number with the reachable blocks in input order; returns how many.
static uint32_t find_reachable(lin_arena *arena, const lin_graph *input, lin_order *order) {
  uint32_t n = input->num_blocks;
  lin_block *stack = LIN_ARRAY(arena, lin_block, n);
  bool *seen = LIN_ARRAY(arena, bool, n);
  uint32_t top = 0;
  seen[0] = true;
  for (stack[top++] = 0; top > 0;) {
    lin_block block = stack[--top];
    for (LIN_OUT_EDGES(input, block, edge)) {
      lin_block below = input->destination[edge];
      if (!seen[below])
        stack[top++] = below;
      seen[below] = true;
    }
  }
  uint32_t count = 0;
  for (lin_block block = 0; block < n; block++) {
    order->number[block] = seen[block] ? count : LIN_NONE;
    if (seen[block])
      order->origin[count++] = block;
  }
  return count;
}

// A unit of a loop is one of its own blocks (numbered like the block) or a loop nested directly in
// it (numbered num_blocks + loop).
typedef struct units {
  uint32_t *first;   // [num_units + 1] the edges between units of one loop, by source unit
  uint32_t *target;  // the unit an edge goes to
  uint32_t *waiting; // [num_units] edges from units that are not emitted yet
} units;

static uint32_t unit_of(const lin_graph *graph, const lin_loops *loops, uint32_t loop,
                        lin_block block) {
  uint32_t inner = loops->loop_of[block];
  if (inner == loop)
    return block;
  return graph->num_blocks + lin_tree_ancestor(loops->tree, inner, loops->tree->depth[loop] + 1);
}

static units make_units(lin_arena *arena, const lin_graph *graph, const lin_loops *loops) {
  uint32_t count = graph->num_blocks + loops->num_loops;
  units u = {.first = LIN_ARRAY(arena, uint32_t, (size_t)count + 2),
             .target = LIN_ARRAY(arena, uint32_t, graph->num_edges),
             .waiting = LIN_ARRAY(arena, uint32_t, count)};
  uint32_t *from = LIN_ARRAY(arena, uint32_t, graph->num_edges);
  uint32_t *to = LIN_ARRAY(arena, uint32_t, graph->num_edges);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block source = graph->source[edge], destination = graph->destination[edge];
    uint32_t loop = lin_loops_common(loops, source, destination);
    from[edge] = LIN_NONE;
    if (destination == loops->header[loop])
      continue;
    from[edge] = unit_of(graph, loops, loop, source);
    to[edge] = unit_of(graph, loops, loop, destination);
    u.waiting[to[edge]]++;
    u.first[from[edge] + 2]++;
  }
  for (uint32_t unit = 0; unit < count; unit++)
    u.first[unit + 2] += u.first[unit + 1];
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    if (from[edge] != LIN_NONE)
      u.target[u.first[from[edge] + 1]++] = to[edge];
  return u;
}

// Puts the blocks in order into `sequence`. `stack` holds units that are ready; a loop that is
// being emitted leaves a mark below its own ready units, and is released to its parent at that
// mark.
static void emit(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                 lin_block *sequence) {
  const units u = make_units(arena, graph, loops);
  uint32_t n = graph->num_blocks;
  const uint32_t closing = 1u << 31;
  uint32_t *stack = LIN_ARRAY(arena, uint32_t, (size_t)n + 2 * (size_t)loops->num_loops);
  uint32_t top = 0, count = 0;
  for (stack[top++] = n + 0; top > 0;) {
    uint32_t unit = stack[--top];
    if (unit >= n && (unit & closing) == 0) { // a loop begins: its header is ready, alone
      stack[top++] = unit | closing;
      stack[top++] = loops->header[unit - n];
      continue;
    }
    unit &= ~closing;
    if (unit < n)
      sequence[count++] = unit;
    for (uint32_t i = u.first[unit + 1]; i-- > u.first[unit];)
      if (--u.waiting[u.target[i]] == 0)
        stack[top++] = u.target[i];
  }
}

static void renumber_loops(lin_arena *arena, lin_order *order, const lin_loops *loops,
                           const lin_block *sequence, const lin_block *position) {
  uint32_t n = order->graph->num_blocks;
  lin_loops *result = LIN_NEW(arena, lin_loops);
  *result = *loops;
  result->loop_of = LIN_ARRAY(arena, uint32_t, n);
  result->header = LIN_ARRAY(arena, lin_block, loops->num_loops);
  for (uint32_t i = 0; i < n; i++)
    result->loop_of[i] = loops->loop_of[sequence[i]];
  for (uint32_t loop = 0; loop < loops->num_loops; loop++)
    result->header[loop] = position[loops->header[loop]];
  order->loops = result;
}

lin_order *lin_order_build(lin_arena *arena, const lin_graph *input) {
  lin_arena scratch = {0};
  lin_order *order = LIN_NEW(arena, lin_order);
  order->origin = LIN_ARRAY(&scratch, lin_block, input->num_blocks);
  order->number = LIN_ARRAY(arena, lin_block, input->num_blocks);
  uint32_t count = find_reachable(&scratch, input, order);
  renumber_edges(&scratch, input, order, count);
  lin_graph *reachable = order->graph;

  lin_loops *loops = lin_loops_build(arena, reachable);
  lin_block *sequence = LIN_ARRAY(&scratch, lin_block, count);
  emit(&scratch, reachable, loops, sequence);

  lin_block *position = LIN_ARRAY(&scratch, lin_block, count);
  for (uint32_t i = 0; i < count; i++)
    position[sequence[i]] = i;
  lin_block *origin = LIN_ARRAY(arena, lin_block, count);
  for (uint32_t i = 0; i < count; i++)
    origin[i] = order->origin[sequence[i]];
  order->origin = origin;
  for (uint32_t i = 0; i < count; i++)
    order->number[origin[i]] = i;
  renumber_edges(arena, input, order, count);
  lin_order_update(arena, input, order);
  renumber_loops(arena, order, loops, sequence, position);
  lin_arena_release(&scratch);
  return order;
}

void lin_order_update(lin_arena *arena, const lin_graph *input, lin_order *order) {
  lin_graph *graph = order->graph;
  lin_graph_copy_blocks(arena, graph, input, order->origin, graph->num_blocks);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    graph->weight[edge] = input->weight[order->old_edge[edge]];
}
