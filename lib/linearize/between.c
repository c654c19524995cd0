#include "between.h"

lin_between *lin_between_new(lin_arena *arena, const lin_analysis *analysis) {
  lin_between *b = LIN_NEW(arena, lin_between);
  *b = (lin_between){.analysis = analysis,
                     .block = LIN_ARRAY(arena, lin_block, analysis->graph->num_blocks),
                     .seen = LIN_ARRAY(arena, uint32_t, analysis->graph->num_blocks)};
  return b;
}

static bool may_be_in(const lin_between *b, lin_block block, uint32_t kept_out) {
  const lin_tree *dominators = b->analysis->dominators;
  const uint8_t *fate = b->analysis->postdominators->fate;
  return block != b->above && lin_tree_contains(dominators, b->above, block) &&
         fate[block] == fate[b->above] && (b->analysis->graph->flags[block] & kept_out) == 0;
}

// Adds where the edges of `block` lead. Returns false if that can't be between the two.
static bool add_next(lin_between *b, lin_block block, uint32_t kept_out, uint32_t most) {
  const lin_graph *graph = b->analysis->graph;
  for (LIN_OUT_EDGES(graph, block, edge)) {
    lin_block next = graph->destination[edge];
    if (b->analysis->postdominators->doomed[edge] || b->seen[next] == b->walk)
      continue;
    if (next == b->below) {
      b->leads_past |= block == b->above;
      continue;
    }
    if (b->count == most || !may_be_in(b, next, kept_out))
      return false;
    b->seen[next] = b->walk;
    b->block[b->count++] = next;
  }
  return true;
}

// Whether all edges into `block` come from between the two, or from D.
static bool is_closed(const lin_between *b, lin_block block) {
  const lin_graph *graph = b->analysis->graph;
  for (LIN_IN_EDGES(graph, block, i)) {
    lin_block from = graph->source[graph->in_edge[i]];
    if (from != b->above && b->seen[from] != b->walk)
      return false;
  }
  return true;
}

bool lin_between_find(lin_between *b, lin_block above, lin_block below, uint32_t kept_out,
                      uint32_t most) {
  b->above = above;
  b->below = below;
  b->count = 0;
  b->leads_past = false;
  b->walk++;
  if (b->work > LIN_MOST_BETWEEN || above == LIN_NONE || below == LIN_NONE || above == below ||
      !lin_tree_contains(b->analysis->postdominators->tree, below, above))
    return false;
  bool all = add_next(b, above, kept_out, most);
  for (uint32_t i = 0; all && i < b->count; i++)
    all = add_next(b, b->block[i], kept_out, most);
  for (uint32_t i = 0; all && i < b->count; i++)
    all = is_closed(b, b->block[i]);
  b->work += b->count;
  return all && b->count > 0;
}
