// Each block knows the last edge by which threads that come to it broke out of a loop. It forgets
// it where all that leave the loop, for the loop around it, have come together: a block that
// post-dominates the loop's header, as far as threads stay in the loop around. If that edge starts
// at the block's immediate dominator or behind it, it is on a way between the two.
#include "breaks.h"

#include "graph/within.h"

typedef struct finder {
  lin_arena *arena;
  const lin_graph *graph;
  const lin_loops *loops;
  const lin_postdominators *postdominators;
  lin_within *within;
  const bool *left_with_others; // [num_loops]
  lin_edge *broken;             // [num_blocks] that edge; LIN_NONE: none
} finder;

static bool is_over(const finder *f, lin_edge edge, lin_block block) {
  const lin_loops *loops = f->loops;
  lin_block from = f->graph->source[edge], to = f->graph->destination[edge];
  uint32_t around = lin_loops_common(loops, from, to);
  if (loops->loop_of[from] == around || !lin_loop_contains(loops, around, block))
    return true;
  lin_block start = lin_within_start(loops, from, to);
  uint32_t outer = around;
  while (f->left_with_others[outer])
    outer = loops->tree->parent[outer];
  return lin_within_postdominates(f->within, around, block, start) &&
         lin_within_postdominates(f->within, outer, block, start);
}

static void find_break(const finder *f, lin_block block) {
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
                      const lin_tree *dominators, const lin_postdominators *postdominators,
                      const bool *left_with_others, lin_within *within) {
  uint32_t n = graph->num_blocks;
  finder f = {.arena = arena,
              .graph = graph,
              .loops = loops,
              .postdominators = postdominators,
              .within = within,
              .left_with_others = left_with_others,
              .broken = LIN_ARRAY(arena, lin_edge, n)};
  bool *result = LIN_ARRAY(arena, bool, n);
  f.broken[0] = LIN_NONE;
  for (lin_block block = 1; block < n; block++) {
    find_break(&f, block);
    result[block] =
        f.broken[block] != LIN_NONE && graph->source[f.broken[block]] >= dominators->parent[block];
  }
  return result;
}
