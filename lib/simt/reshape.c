#include "reshape.h"

#include "graph/order.h"

#include <string.h>

// ---- loops with two entries --------------------------------------------------------------------

// The entries of an irreducible loop, lowest first. Returns how many there are, 3 for more.
static unsigned find_entries(const lin_order *order, uint32_t loop, lin_block entry[2]) {
  const lin_graph *graph = order->graph;
  unsigned count = 0;
  for (lin_block b = order->loops->header[loop]; b < graph->num_blocks; b++) {
    bool entered = false;
    for (LIN_IN_EDGES(graph, b, i))
      entered |= lin_loop_contains(order->loops, loop, b) &&
                 !lin_loop_contains(order->loops, loop, graph->source[graph->in_edge[i]]);
    if (!entered)
      continue;
    if (count == 2)
      return 3;
    entry[count++] = b;
  }
  return count;
}

// Inside the loop, only `header` follows `block`.
static bool leads_only_to(const lin_order *order, uint32_t loop, lin_block block,
                          lin_block header) {
  const lin_graph *graph = order->graph;
  for (LIN_OUT_EDGES(graph, block, edge)) {
    lin_block to = graph->destination[edge];
    if (to != header && lin_loop_contains(order->loops, loop, to))
      return false;
  }
  return true;
}

// Marks the entries to copy: of each loop with two, the later one if it can be.
static uint32_t choose_copies(const lin_order *order, bool split, uint32_t *loop_of_copy) {
  uint32_t count = 0;
  for (uint32_t loop = 1; split && loop < order->loops->num_loops; loop++) {
    lin_block entry[2];
    if (!order->loops->irreducible[loop] || find_entries(order, loop, entry) != 2)
      continue;
    for (unsigned i = 2; i-- > 0;)
      if (loop_of_copy[entry[i]] == 0 && leads_only_to(order, loop, entry[i], entry[1 - i])) {
        loop_of_copy[entry[i]] = loop;
        count++;
        break;
      }
  }
  return count;
}

// ---- switches ----------------------------------------------------------------------------------

// The index of the one way that stays in the loop, if it is a case and all others leave; else 0.
static uint32_t way_to_stay(const lin_order *order, lin_block block) {
  const lin_graph *graph = order->graph;
  uint32_t loop = order->loops->loop_of[block], way = 0, ways = 0;
  if (lin_out_degree(graph, block) < 3 || loop == 0)
    return 0;
  for (LIN_OUT_EDGES(graph, block, edge))
    if (lin_loop_contains(order->loops, loop, graph->destination[edge])) {
      way = edge - graph->first_edge[block];
      ways++;
    }
  return ways == 1 ? way : 0;
}

// ---- the new graph -----------------------------------------------------------------------------

typedef struct maker {
  lin_arena *arena;
  lin_graph *graph;
  simt_reshaped *shape;
  lin_block block; // the next one
  lin_edge edge;
} maker;

static maker begin(lin_arena *arena, const lin_graph *from, uint32_t blocks, uint32_t edges) {
  simt_reshaped *shape = LIN_NEW(arena, simt_reshaped);
  lin_graph *graph = lin_graph_new(arena, from->num_blocks + blocks, from->num_edges + edges);
  graph->title = from->title;
  shape->graph = graph;
  shape->origin = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  shape->peeled = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  shape->is_rest = LIN_ARRAY(arena, bool, graph->num_blocks);
  return (maker){.arena = arena, .graph = graph, .shape = shape};
}

// The next block: like `block` of `from`, its name with `suffix`.
static void add_block(maker *m, const lin_graph *from, lin_block block, lin_block origin,
                      const char *suffix) {
  size_t length = strlen(from->name[block]);
  char *name = lin_arena_bytes(m->arena, length + strlen(suffix) + 1);
  memcpy(name, from->name[block], length);
  memcpy(name + length, suffix, strlen(suffix) + 1);
  m->graph->name[m->block] = name;
  m->graph->flags[m->block] = from->flags[block];
  m->graph->cost[m->block] = from->cost[block];
  m->graph->reason[m->block] = from->reason[block];
  m->graph->first_edge[m->block] = m->edge;
  m->shape->origin[m->block++] = origin;
}

static simt_reshaped *finish(maker *m) {
  m->graph->first_edge[m->block] = m->edge;
  lin_graph_finish(m->arena, m->graph);
  return m->shape;
}

static simt_reshaped *split_loops(lin_arena *arena, const lin_graph *graph, bool split) {
  const lin_order *order = lin_order_build(arena, graph);
  const lin_graph *ordered = order->graph;
  uint32_t n = ordered->num_blocks;
  uint32_t *loop = LIN_ARRAY(arena, uint32_t, n); // of an entry that is copied, else 0
  lin_block *copy = LIN_ARRAY(arena, lin_block, n);
  uint32_t count = choose_copies(order, split, loop), next = n, edges = 0;
  for (lin_block b = 0; b < n; b++)
    if (loop[b] != 0) {
      copy[b] = next++;
      edges += lin_out_degree(ordered, b);
    }
  maker m = begin(arena, ordered, count, edges);
  for (lin_block b = 0; b < n; b++) {
    add_block(&m, ordered, b, order->origin[b], "");
    for (LIN_OUT_EDGES(ordered, b, e)) {
      lin_block to = ordered->destination[e];
      bool enters = loop[to] != 0 && !lin_loop_contains(order->loops, loop[to], b);
      m.graph->destination[m.edge++] = enters ? copy[to] : to;
    }
  }
  for (lin_block b = 0; b < n; b++)
    if (loop[b] != 0) {
      add_block(&m, ordered, b, order->origin[b], ".copy");
      for (LIN_OUT_EDGES(ordered, b, e))
        m.graph->destination[m.edge++] = ordered->destination[e];
    }
  return finish(&m);
}

// Of each block in order the way that is peeled. A copy does what the block does: of two that stand
// in different loops neither is peeled.
static uint32_t *find_ways(lin_arena *arena, const simt_reshaped *split, const lin_order *order) {
  const uint32_t n = order->graph->num_blocks;
  uint32_t *way = LIN_ARRAY(arena, uint32_t, n);
  lin_block *same = LIN_ARRAY(arena, lin_block, n); // of an origin, the first block, and one more
  for (lin_block b = 0; b < n; b++) {
    lin_block *first = &same[split->origin[order->origin[b]]];
    way[b] = way_to_stay(order, b);
    if (*first != 0 && way[*first - 1] != way[b])
      way[*first - 1] = way[b] = 0;
    *first = *first == 0 ? b + 1 : *first;
  }
  return way;
}

static simt_reshaped *peel_switches(lin_arena *arena, const simt_reshaped *split) {
  const lin_order *order = lin_order_build(arena, split->graph);
  const lin_graph *ordered = order->graph;
  uint32_t n = ordered->num_blocks, count = 0;
  const uint32_t *way = find_ways(arena, split, order);
  for (lin_block b = 0; b < n; b++)
    count += way[b] != 0;
  maker m = begin(arena, ordered, count, count);
  lin_block rest = n;
  for (lin_block b = 0; b < n; b++) {
    add_block(&m, ordered, b, split->origin[order->origin[b]], "");
    m.shape->peeled[b] = way[b];
    if (way[b] != 0) {
      m.graph->destination[m.edge++] = ordered->destination[ordered->first_edge[b] + way[b]];
      m.graph->destination[m.edge++] = rest++;
      continue;
    }
    for (LIN_OUT_EDGES(ordered, b, e))
      m.graph->destination[m.edge++] = ordered->destination[e];
  }
  for (lin_block b = 0; b < n; b++) {
    if (way[b] == 0)
      continue;
    m.shape->peeled[m.block] = way[b];
    m.shape->is_rest[m.block] = true;
    add_block(&m, ordered, b, split->origin[order->origin[b]], ".rest");
    for (LIN_OUT_EDGES(ordered, b, e))
      if (e - ordered->first_edge[b] != way[b])
        m.graph->destination[m.edge++] = ordered->destination[e];
  }
  return finish(&m);
}

simt_reshaped *simt_reshape(lin_arena *arena, const lin_graph *graph, bool split) {
  return peel_switches(arena, split_loops(arena, graph, split));
}
