#include "definition1_edges.h"

// True if a loop that contains `to` but not `from` can be entered past its header. Where the
// nearest irreducible loop around `to` contains `from`, so do all loops around that one.
static bool jumps_in(const lin_loops *loops, const uint32_t *nearest_irreducible, lin_block from,
                     lin_block to) {
  uint32_t loop = nearest_irreducible[loops->loop_of[to]];
  return loop != LIN_NONE && !lin_loop_contains(loops, loop, from);
}

// True if a loop that contains `from` but not `to` has a block that `from` doesn't post-dominate.
static bool jumps_out(const lin_loops *loops, const lin_block *loop_exit, lin_block from,
                      lin_block to) {
  for (uint32_t loop = loops->loop_of[from]; !lin_loop_contains(loops, loop, to);
       loop = loops->tree->parent[loop])
    if (loop_exit[loop] != from)
      return true;
  return false;
}

static bool is_branch(const lin_analysis *a, lin_block from, lin_block to) {
  const lin_tree *above = a->dominators, *below = a->postdominators->tree;
  return !lin_tree_contains(above, from, to) && !lin_tree_contains(above, to, from) &&
         !lin_tree_contains(below, from, to) && !lin_tree_contains(below, to, from);
}

static uint32_t *find_nearest_irreducible(lin_arena *arena, const lin_loops *loops) {
  uint32_t *nearest = LIN_ARRAY(arena, uint32_t, loops->num_loops);
  nearest[0] = LIN_NONE;
  for (uint32_t loop = 1; loop < loops->num_loops; loop++) // parents come first
    nearest[loop] = loops->irreducible[loop] ? loop : nearest[loops->tree->parent[loop]];
  return nearest;
}

static lin_block *find_loop_exits(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                                  const lin_tree *postdominators) {
  lin_block *result = LIN_ARRAY(arena, lin_block, loops->num_loops);
  for (uint32_t loop = 0; loop < loops->num_loops; loop++)
    result[loop] = loops->header[loop];
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    uint32_t loop = loops->loop_of[block];
    result[loop] = lin_tree_meet(postdominators, result[loop], block);
  }
  for (uint32_t loop = loops->num_loops; loop-- > 1;) {
    uint32_t around = loops->tree->parent[loop];
    result[around] = lin_tree_meet(postdominators, result[around], result[loop]);
  }
  return result;
}

static uint8_t kinds_of(const lin_analysis *a, const uint32_t *nearest_irreducible, lin_edge edge) {
  lin_block from = a->graph->source[edge], to = a->graph->destination[edge];
  unsigned kinds = jumps_in(a->loops, nearest_irreducible, from, to) ? LIN_JUMP_IN : 0;
  if (a->postdominators->doomed[edge])
    return (uint8_t)kinds;
  if (jumps_out(a->loops, a->loop_exit, from, to))
    kinds |= LIN_JUMP_OUT;
  if (is_branch(a, from, to))
    kinds |= LIN_BRANCH;
  return (uint8_t)kinds;
}

lin_analysis *lin_analysis_build(lin_arena *arena, const lin_graph *graph, const lin_loops *loops) {
  lin_analysis *a = LIN_NEW(arena, lin_analysis);
  a->graph = graph;
  a->loops = loops;
  a->dominators = lin_dominators_build(arena, graph, 0);
  a->postdominators = lin_postdominators_build(arena, graph);
  a->loop_exit = find_loop_exits(arena, graph, loops, a->postdominators->tree);
  a->kinds = LIN_ARRAY(arena, uint8_t, graph->num_edges);
  const uint32_t *nearest_irreducible = find_nearest_irreducible(arena, loops);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    a->kinds[edge] = kinds_of(a, nearest_irreducible, edge);
    a->num_unstructured += a->kinds[edge] != 0;
  }
  return a;
}

const char *lin_edge_kind_name(unsigned kind) {
  return kind == LIN_BRANCH ? "branch" : kind == LIN_JUMP_IN ? "jump in" : "jump out";
}
