#include "nesting.h"

#include "graph/dominators.h"

bool tool_nesting_is_header(const tool_nesting *nesting, lin_block block) {
  return nesting->loop[block] == block;
}

static bool is_in_text(const lin_loops *loops, uint32_t loop) {
  return loop != 0 && !loops->irreducible[loop];
}

// The outermost loop of the text that contains `from` and not `to`, or 0.
static uint32_t loop_left(const lin_loops *loops, lin_block from, lin_block to) {
  uint32_t common = lin_loops_common(loops, from, to), left = 0;
  for (uint32_t loop = loops->loop_of[from]; loop != common; loop = loops->tree->parent[loop])
    if (is_in_text(loops, loop))
      left = loop;
  return left;
}

static void find_loops(lin_arena *arena, tool_nesting *n) {
  const lin_loops *loops = n->loops;
  lin_block *header = LIN_ARRAY(arena, lin_block, loops->num_loops);
  const uint32_t *order = lin_tree_preorder(arena, loops->tree);
  for (uint32_t i = 0; i < loops->num_loops; i++) {
    uint32_t loop = order[i];
    if (loop == 0)
      header[loop] = LIN_NONE;
    else
      header[loop] =
          is_in_text(loops, loop) ? loops->header[loop] : header[loops->tree->parent[loop]];
  }
  for (lin_block block = 0; block < n->graph->num_blocks; block++)
    n->loop[block] = header[loops->loop_of[block]];
}

// Edges leave what a block dominates, but for those between two dominated blocks. Dominators have
// lower numbers.
static void find_closed(lin_arena *arena, tool_nesting *n, const lin_tree *dominators) {
  const lin_graph *graph = n->graph;
  uint32_t *leaving = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  for (lin_block block = graph->num_blocks; block-- > 0;) {
    uint32_t back = 0;
    for (LIN_IN_EDGES(graph, block, i))
      back += lin_tree_contains(dominators, block, graph->source[graph->in_edge[i]]);
    leaving[block] += lin_out_degree(graph, block) - back;
    n->is_closed[block] = leaving[block] == 0;
    if (block > 0)
      leaving[dominators->parent[block]] += leaving[block] - (lin_in_degree(graph, block) - back);
  }
}

static void find_parents(tool_nesting *n, const lin_tree *dominators) {
  for (lin_block block = 1; block < n->graph->num_blocks; block++) {
    lin_block above = dominators->parent[block];
    uint32_t left = loop_left(n->loops, above, block);
    n->place[block] = left == 0 ? PLACE_INSIDE : PLACE_BEHIND_LOOP;
    n->parent[block] = left == 0 ? above : n->loops->header[left];
  }
}

// True for loops that are left for other places, too, than those that stand behind them: then all
// that stand there could as well stand inside.
static bool *find_left_otherwise(lin_arena *arena, const tool_nesting *n) {
  const lin_graph *graph = n->graph;
  const lin_loops *loops = n->loops;
  bool *otherwise = LIN_ARRAY(arena, bool, graph->num_blocks);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block from = graph->source[edge], to = graph->destination[edge];
    uint32_t common = lin_loops_common(loops, from, to);
    for (uint32_t loop = loops->loop_of[from]; loop != common; loop = loops->tree->parent[loop]) {
      lin_block header = loops->header[loop];
      otherwise[header] |= n->place[to] != PLACE_BEHIND_LOOP || n->parent[to] != header;
    }
  }
  return otherwise;
}

// True if only `from`, by one way, and the loop that begins at `block` lead to `block`.
static bool is_led_to_by(const tool_nesting *n, lin_block block, lin_block from) {
  const lin_graph *graph = n->graph;
  lin_edge way = LIN_NONE;
  for (LIN_IN_EDGES(graph, block, i)) {
    lin_edge edge = graph->in_edge[i];
    bool is_around = tool_nesting_is_header(n, block) &&
                     lin_loop_contains(n->loops, n->loops->loop_of[block], graph->source[edge]);
    if (is_around)
      continue;
    if (graph->source[edge] != from || (way != LIN_NONE && n->set[edge] != n->set[way]))
      return false;
    way = edge;
  }
  return true;
}

static void push(tool_nesting *n, lin_block *list, lin_block block) {
  n->next[block] = *list;
  *list = block;
}

// The last block behind a loop stays there, as what comes after the loop.
static void settle(tool_nesting *n, const lin_tree *dominators, const bool *otherwise) {
  for (lin_block block = n->graph->num_blocks; block-- > 1;) {
    lin_block above = dominators->parent[block];
    bool alone = is_led_to_by(n, block, above);
    lin_block *behind = &n->first_behind[n->parent[block]];
    if (n->place[block] == PLACE_BEHIND_LOOP) {
      bool is_last = *behind == LIN_NONE && !otherwise[n->parent[block]];
      if (!alone || !n->is_closed[block] || is_last) {
        push(n, behind, block);
        continue;
      }
      n->parent[block] = above;
    }
    n->place[block] = alone ? PLACE_ARM : PLACE_INSIDE;
    if (!alone)
      push(n, &n->first_inside[above], block);
  }
}

tool_nesting *tool_nesting_build(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                                 const uint32_t *set) {
  uint32_t count = graph->num_blocks;
  tool_nesting *n = LIN_NEW(arena, tool_nesting);
  *n = (tool_nesting){.graph = graph,
                      .loops = loops,
                      .set = set,
                      .parent = LIN_ARRAY(arena, lin_block, count),
                      .place = LIN_ARRAY(arena, tool_place, count),
                      .first_inside = LIN_ARRAY(arena, lin_block, count),
                      .first_behind = LIN_ARRAY(arena, lin_block, count),
                      .next = LIN_ARRAY(arena, lin_block, count),
                      .loop = LIN_ARRAY(arena, lin_block, count),
                      .is_closed = LIN_ARRAY(arena, bool, count)};
  for (lin_block block = 0; block < count; block++)
    n->parent[block] = n->first_inside[block] = n->first_behind[block] = n->next[block] = LIN_NONE;
  const lin_tree *dominators = lin_dominators_build(arena, graph, 0);
  find_loops(arena, n);
  find_closed(arena, n, dominators);
  find_parents(n, dominators);
  settle(n, dominators, find_left_otherwise(arena, n));
  return n;
}
