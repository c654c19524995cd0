// Each block knows the last edge by which threads that come to it broke out of a loop. It forgets
// it where all that leave the loop, for the loop around it, have come together: a block that
// post-dominates the loop's header, as far as threads stay in the loop around. If that edge starts
// at the block's immediate dominator or behind it, it is on a way between the two.
//
// Each depth of loops takes another tree; from a depth that nobody writes on, that of the whole
// function has to do.
#include "breaks.h"

enum { DEEPEST = 8 };

typedef struct finder {
  lin_arena *arena;
  const lin_graph *graph;
  const lin_loops *loops;
  const lin_postdominators *postdominators;
  lin_tree *within[DEEPEST + 1]; // post-dominators of blocks as far as threads stay in a turn of
                                 // the loops of that depth; NULL: not asked for yet
  lin_edge *broken;              // [num_blocks] that edge; LIN_NONE: none
} finder;

// The loop of that depth around `block`, or LIN_NONE.
static uint32_t loop_at(const finder *f, lin_block block, uint32_t depth) {
  uint32_t loop = f->loops->loop_of[block];
  return f->loops->tree->depth[loop] < depth ? LIN_NONE
                                             : lin_tree_ancestor(f->loops->tree, loop, depth);
}

static lin_tree *build_within(const finder *f, uint32_t depth) {
  const lin_graph *graph = f->graph;
  bool *ends = LIN_ARRAY(f->arena, bool, graph->num_blocks);
  bool *dropped = LIN_ARRAY(f->arena, bool, graph->num_edges);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block from = graph->source[edge], to = graph->destination[edge];
    uint32_t loop = loop_at(f, from, depth);
    bool stays = loop != LIN_NONE && lin_loop_contains(f->loops, loop, to);
    dropped[edge] = !stays || f->postdominators->doomed[edge];
    if (stays && f->loops->header[loop] == to)
      ends[from] = true;
  }
  return lin_dominators_build(f->arena, lin_graph_reverse(f->arena, graph, ends, dropped),
                              graph->num_blocks);
}

static bool is_over(finder *f, lin_edge edge, lin_block block) {
  const lin_loops *loops = f->loops;
  uint32_t inner = loops->loop_of[f->graph->source[edge]];
  uint32_t around = lin_loops_common(loops, f->graph->source[edge], f->graph->destination[edge]);
  if (inner == around || !lin_loop_contains(loops, around, block))
    return true;
  uint32_t depth = loops->tree->depth[around];
  uint32_t left = lin_tree_ancestor(loops->tree, inner, depth + 1); // the outermost one
  depth = depth > DEEPEST ? 0 : depth;
  if (f->within[depth] == NULL)
    f->within[depth] = build_within(f, depth);
  return lin_tree_contains(f->within[depth], block, loops->header[left]);
}

static void look_at(finder *f, lin_block block) {
  const lin_graph *graph = f->graph;
  lin_edge last = LIN_NONE;
  for (LIN_IN_EDGES(graph, block, i)) {
    lin_edge in = graph->in_edge[i];
    if (graph->source[in] >= block || f->postdominators->doomed[in])
      continue;
    lin_edge edges[] = {in, f->broken[graph->source[in]]};
    for (int k = 0; k < 2; k++)
      if (edges[k] != LIN_NONE && (last == LIN_NONE || edges[k] > last) &&
          !is_over(f, edges[k], block))
        last = edges[k];
  }
  f->broken[block] = last;
}

bool *lin_breaks_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                      const lin_tree *dominators, const lin_postdominators *postdominators) {
  uint32_t n = graph->num_blocks;
  finder f = {.arena = arena,
              .graph = graph,
              .loops = loops,
              .postdominators = postdominators,
              .broken = LIN_ARRAY(arena, lin_edge, n)};
  f.within[0] = postdominators->tree;
  bool *result = LIN_ARRAY(arena, bool, n);
  f.broken[0] = LIN_NONE;
  for (lin_block block = 1; block < n; block++) {
    look_at(&f, block);
    result[block] =
        f.broken[block] != LIN_NONE && graph->source[f.broken[block]] >= dominators->parent[block];
  }
  return result;
}
