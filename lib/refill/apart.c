#include "apart.h"

#include "graph/dominators.h"

static bool parts(const lin_graph *graph, lin_block block) {
  return lin_may_diverge(graph, block) && (graph->flags[block] & LIN_COHERENT) == 0;
}

// ---- leaving -----------------------------------------------------------------------------------

static bool leads_out(const lin_graph *graph, const lin_loops *loops, uint32_t loop,
                      lin_block block) {
  for (LIN_OUT_EDGES(graph, block, e))
    if (!lin_loop_contains(loops, loop, graph->destination[e]))
      return true;
  return false;
}

bool lin_refill_is_left(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                        uint32_t loop) {
  const lin_tree *dominators = lin_dominators_build(arena, graph, 0);
  const lin_block end = lin_loops_last(arena, loops, graph, dominators)[loop];
  const uint32_t *order = lin_tree_preorder(arena, dominators);
  bool *is_below = LIN_ARRAY(arena, bool, graph->num_blocks); // a block of the loop that parts
  for (uint32_t i = 0; i < graph->num_blocks; i++) {
    const lin_block b = order[i];
    if (!lin_loop_contains(loops, loop, b))
      continue;
    const lin_block above = dominators->parent[b];
    is_below[b] = b != loops->header[loop] && (is_below[above] || parts(graph, above));
    const bool is_for_some = is_below[b] && !lin_tree_contains(dominators, b, end);
    if (leads_out(graph, loops, loop, b) && (parts(graph, b) || is_for_some))
      return true;
  }
  return false;
}

// ---- passing by --------------------------------------------------------------------------------

// The loop's header, and the blocks of init from which threads can reach it.
static bool *find_towards(lin_arena *arena, const lin_graph *graph, lin_block header,
                          const bool *is_init) {
  bool *towards = LIN_ARRAY(arena, bool, graph->num_blocks);
  lin_block *list = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  uint32_t length = 1;
  list[0] = header;
  towards[header] = true;
  while (length > 0) {
    const lin_block block = list[--length];
    for (uint32_t i = graph->first_in[block]; i < graph->first_in[block + 1]; i++) {
      const lin_block from = graph->source[graph->in_edge[i]];
      if (towards[from] || !is_init[from])
        continue;
      towards[from] = true;
      list[length++] = from;
    }
  }
  return towards;
}

bool lin_refill_is_passed(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                          uint32_t loop, const bool *is_init) {
  const bool *towards = find_towards(arena, graph, loops->header[loop], is_init);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    if (is_init[b] && towards[b] && parts(graph, b))
      for (LIN_OUT_EDGES(graph, b, e))
        if (!towards[graph->destination[e]])
          return true;
  return false;
}
