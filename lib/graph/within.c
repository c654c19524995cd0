// Each depth of loops takes another tree, of the edges that stay in a loop of that depth; an
// iteration's end is where an edge goes back to its header.
#include "within.h"

enum { DEEPEST = 8 };

struct lin_within {
  lin_arena *arena;
  const lin_graph *graph;
  const lin_loops *loops;
  const lin_postdominators *postdominators;
  lin_tree *tree[DEEPEST + 1]; // by depth of loops; NULL: not asked for yet
};

lin_within *lin_within_new(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                           const lin_postdominators *postdominators) {
  lin_within *within = LIN_NEW(arena, lin_within);
  *within = (lin_within){
      .arena = arena, .graph = graph, .loops = loops, .postdominators = postdominators};
  within->tree[0] = postdominators->tree;
  return within;
}

// The loop of that depth around `block`, or LIN_NONE.
static uint32_t loop_at(const lin_loops *loops, lin_block block, uint32_t depth) {
  uint32_t loop = loops->loop_of[block];
  return loops->tree->depth[loop] < depth ? LIN_NONE : lin_tree_ancestor(loops->tree, loop, depth);
}

static lin_tree *build(const lin_within *w, uint32_t depth) {
  const lin_graph *graph = w->graph;
  bool *ends = LIN_ARRAY(w->arena, bool, graph->num_blocks);
  bool *dropped = LIN_ARRAY(w->arena, bool, graph->num_edges);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block from = graph->source[edge], to = graph->destination[edge];
    uint32_t loop = loop_at(w->loops, from, depth);
    bool stays = loop != LIN_NONE && lin_loop_contains(w->loops, loop, to);
    dropped[edge] = !stays || w->postdominators->doomed[edge];
    if (stays && w->loops->header[loop] == to)
      ends[from] = true;
  }
  return lin_dominators_build(w->arena, lin_graph_reverse(w->arena, graph, ends, dropped),
                              graph->num_blocks);
}

bool lin_within_postdominates(lin_within *within, uint32_t loop, lin_block at, lin_block block) {
  uint32_t depth = within->loops->tree->depth[loop];
  depth = depth > DEEPEST ? 0 : depth;
  if (within->tree[depth] == NULL)
    within->tree[depth] = build(within, depth);
  return lin_tree_contains(within->tree[depth], at, block);
}

lin_block lin_within_start(const lin_loops *loops, lin_block dominator, lin_block at) {
  uint32_t inner = loops->loop_of[dominator];
  uint32_t around = lin_loops_common(loops, dominator, at);
  return inner == around
             ? dominator
             : loops->header[lin_tree_ancestor(loops->tree, inner, loops->tree->depth[around] + 1)];
}
