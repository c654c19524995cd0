#include "brute_force.h"

bool *brute_reach(lin_arena *arena, const lin_graph *graph, lin_block from, lin_block without,
                  const bool *dropped) {
  bool *seen = LIN_ARRAY(arena, bool, graph->num_blocks);
  lin_block *work = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  uint32_t count = 0;
  if (from != without) {
    seen[from] = true;
    work[count++] = from;
  }
  while (count > 0) {
    lin_block block = work[--count];
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_block to = graph->destination[edge];
      if (seen[to] || to == without || (dropped != NULL && dropped[edge]))
        continue;
      seen[to] = true;
      work[count++] = to;
    }
  }
  return seen;
}

lin_graph *brute_reachable_part(lin_arena *arena, const lin_graph *graph) {
  const bool *seen = brute_reach(arena, graph, 0, LIN_NONE, NULL);
  lin_block *number = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  uint32_t num_blocks = 0, num_edges = 0;
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if (seen[block]) {
      number[block] = num_blocks++;
      num_edges += graph->first_edge[block + 1] - graph->first_edge[block];
    }
  lin_graph *part = lin_graph_new(arena, num_blocks, num_edges);
  part->title = graph->title;
  lin_edge next = 0;
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    if (!seen[block])
      continue;
    part->name[number[block]] = graph->name[block];
    part->flags[number[block]] = graph->flags[block];
    part->reason[number[block]] = graph->reason[block];
    for (LIN_OUT_EDGES(graph, block, edge))
      part->destination[next++] = number[graph->destination[edge]];
    part->first_edge[number[block] + 1] = next;
  }
  lin_graph_finish(arena, part);
  return part;
}

uint8_t *brute_fates(lin_arena *arena, const lin_graph *graph) {
  uint8_t *fates = LIN_ARRAY(arena, uint8_t, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    const bool *seen = brute_reach(arena, graph, block, LIN_NONE, NULL);
    fates[block] = 2;
    for (lin_block end = 0; end < graph->num_blocks; end++) {
      if (seen[end] && (graph->flags[end] & LIN_RETURN) != 0)
        fates[block] = 0;
      if (seen[end] && (graph->flags[end] & LIN_TRAP) != 0 && fates[block] == 2)
        fates[block] = 1;
    }
  }
  return fates;
}

// A depth-first walk that numbers blocks as it meets them. Written as a recursion on purpose, since
// the code under test has a stack of its own; only for small graphs.
typedef struct walk {
  const lin_graph *graph;
  uint32_t num_met;
  uint32_t *met; // [num_blocks] LIN_NONE if not met
} walk;

static void walk_from(walk *w, lin_block block) {
  if (w->met[block] != LIN_NONE)
    return;
  w->met[block] = w->num_met++;
  for (LIN_OUT_EDGES(w->graph, block, edge))
    walk_from(w, w->graph->destination[edge]);
}

uint32_t *brute_preorder(lin_arena *arena, const lin_graph *graph) {
  walk w = {.graph = graph, .met = LIN_ARRAY(arena, uint32_t, graph->num_blocks)};
  for (lin_block block = 0; block < graph->num_blocks; block++)
    w.met[block] = LIN_NONE;
  walk_from(&w, 0);
  return w.met;
}

bool *brute_exits(lin_arena *arena, const lin_graph *graph, const uint8_t *fates) {
  uint32_t n = graph->num_blocks;
  bool *exits = LIN_ARRAY(arena, bool, n);
  bool **reach = LIN_ARRAY(arena, bool *, n);
  for (lin_block block = 0; block < n; block++)
    reach[block] = brute_reach(arena, graph, block, LIN_NONE, NULL);
  for (lin_block block = 0; block < n; block++) {
    exits[block] = true;
    for (lin_block other = 0; other < n; other++) {
      // Whoever cannot come back, or in an infinite loop is not the last block, is no exit.
      if (reach[block][other] && !reach[other][block])
        exits[block] = false;
      if (fates[block] == 2 && reach[block][other] && other > block)
        exits[block] = false;
    }
  }
  return exits;
}

// The blocks of `in` that reach `block` and are reached by it without leaving `in`.
static bool *component(lin_arena *arena, const lin_graph *graph, const bool *in, lin_block block) {
  bool *outside = LIN_ARRAY(arena, bool, graph->num_edges);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    outside[edge] = !in[graph->source[edge]] || !in[graph->destination[edge]];
  bool *members = brute_reach(arena, graph, block, LIN_NONE, outside);
  for (lin_block other = 0; other < graph->num_blocks; other++)
    if (members[other])
      members[other] = brute_reach(arena, graph, other, LIN_NONE, outside)[block];
  return members;
}

static bool has_inner_edge(const lin_graph *graph, const bool *members) {
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    if (members[graph->source[edge]] && members[graph->destination[edge]])
      return true;
  return false;
}

static bool is_entered_past(const lin_graph *graph, const bool *members, lin_block header) {
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block to = graph->destination[edge];
    if (members[to] && to != header && !members[graph->source[edge]])
      return true;
  }
  return false;
}

// Finds the loops among the blocks of `in`, all in the loop `parent`, and those nested in them.
static void find_loops(lin_arena *arena, const lin_graph *graph, const uint32_t *met, bool *in,
                       lin_block parent, brute_loops *loops) {
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    if (!in[block])
      continue;
    bool *members = component(arena, graph, in, block);
    lin_block header = block;
    for (lin_block other = 0; other < graph->num_blocks; other++)
      if (members[other] && met[other] < met[header])
        header = other;
    for (lin_block other = 0; other < graph->num_blocks; other++)
      if (members[other])
        in[other] = false;
    if (!has_inner_edge(graph, members))
      continue;
    for (lin_block other = 0; other < graph->num_blocks; other++)
      if (members[other])
        loops->around[other] = header;
    loops->count++;
    loops->parent[header] = parent;
    loops->irreducible[header] = is_entered_past(graph, members, header);
    members[header] = false;
    find_loops(arena, graph, met, members, header, loops);
  }
}

brute_loops *brute_loops_of(lin_arena *arena, const lin_graph *graph) {
  uint32_t n = graph->num_blocks;
  brute_loops *loops = LIN_NEW(arena, brute_loops);
  loops->around = LIN_ARRAY(arena, lin_block, n);
  loops->parent = LIN_ARRAY(arena, lin_block, n);
  loops->irreducible = LIN_ARRAY(arena, bool, n);
  bool *all = LIN_ARRAY(arena, bool, n);
  for (lin_block block = 0; block < n; block++) {
    all[block] = true;
    loops->around[block] = loops->parent[block] = LIN_NONE;
  }
  find_loops(arena, graph, brute_preorder(arena, graph), all, LIN_NONE, loops);
  return loops;
}

bool brute_loop_contains(const brute_loops *loops, lin_block header, lin_block block) {
  lin_block loop = loops->around[block];
  while (loop != LIN_NONE && loop != header)
    loop = loops->parent[loop];
  return loop != LIN_NONE;
}
