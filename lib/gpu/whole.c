#include "whole.h"

#include "graph/skip.h"

typedef struct finder {
  const lin_graph *graph;
  const lin_postdominators *post;
  bool *whole;        // [num_blocks]
  uint32_t *next;     // [num_blocks + 1] lin_skip: to what is still whole, or not in the loop
  lin_block *pending; // [num_pending] whose branches part threads
  uint32_t num_pending;
} finder;

static void set_apart(finder *f, lin_block block) {
  if (f->whole[block] && lin_out_degree(f->graph, block) > 1)
    f->pending[f->num_pending++] = block;
  f->whole[block] = false;
  f->next[block] = f->post->tree->parent[block];
}

// Whether some of the threads go where they stay for ever. (Who traps ends.)
static bool loses_threads(const finder *f, lin_block block) {
  for (LIN_OUT_EDGES(f->graph, block, edge))
    if (f->post->doomed[edge] && f->post->fate[f->graph->destination[edge]] == LIN_SPINS)
      return true;
  return false;
}

// On each way out, the blocks up to where all ways meet; where threads don't come back from, all.
static void part(finder *f, lin_block block) {
  const lin_tree *tree = f->post->tree;
  bool loses = loses_threads(f, block);
  for (LIN_OUT_EDGES(f->graph, block, edge)) {
    uint32_t meeting = loses || f->post->doomed[edge] ? tree->root : tree->parent[block];
    uint32_t at = lin_skip(f->next, f->graph->destination[edge]);
    for (; at != meeting && lin_tree_contains(tree, meeting, at); at = lin_skip(f->next, at))
      set_apart(f, at);
  }
}

bool *lin_whole_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                     const lin_postdominators *postdominators, uint32_t loop) {
  uint32_t blocks = graph->num_blocks;
  finder f = {.graph = graph,
              .post = postdominators,
              .whole = LIN_ARRAY(arena, bool, blocks),
              .next = LIN_ARRAY(arena, uint32_t, blocks + 1),
              .pending = LIN_ARRAY(arena, lin_block, 2 * blocks)};
  for (uint32_t node = 0; node <= blocks; node++)
    f.next[node] = node;
  for (lin_block block = 0; block < blocks; block++) {
    f.whole[block] = lin_loop_contains(loops, loop, block);
    if (f.whole[block] && lin_may_diverge(graph, block))
      f.pending[f.num_pending++] = block;
  }
  while (f.num_pending > 0)
    part(&f, f.pending[--f.num_pending]);
  return f.whole;
}

lin_block lin_whole_entry(const lin_graph *graph, const lin_loops *loops, uint32_t loop) {
  lin_block header = loops->header[loop], entry = LIN_NONE;
  if (loops->irreducible[loop])
    return LIN_NONE;
  for (LIN_IN_EDGES(graph, header, i)) {
    lin_block from = graph->source[graph->in_edge[i]];
    if (lin_loop_contains(loops, loop, from))
      continue;
    if (entry != LIN_NONE || lin_may_diverge(graph, from))
      return LIN_NONE;
    entry = from;
  }
  return entry;
}
