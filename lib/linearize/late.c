#include "late.h"

// Notes a block; false if it isn't the first one.
static bool is_only(lin_block *first, lin_block block) {
  if (*first == LIN_NONE)
    *first = block;
  return *first == block;
}

// Threads part at the immediate dominator and are together again at its immediate post-dominator,
// not before.
static bool is_late_join(const lin_analysis *a, lin_block block) {
  lin_block first = LIN_NONE;
  bool joins = false;
  for (LIN_IN_EDGES(a->graph, block, i)) {
    lin_edge edge = a->graph->in_edge[i];
    lin_block from = a->graph->source[edge];
    if (from < block && !a->postdominators->doomed[edge])
      joins |= !is_only(&first, from);
  }
  return joins && a->postdominators->tree->parent[a->dominators->parent[block]] != block;
}

// Without unstructured edges, a loop is left only from the block that post-dominates all of it.
// Threads that spin for ever only have ways to stay there.
static bool is_late_loop(const lin_analysis *a, uint32_t loop) {
  const lin_graph *graph = a->graph;
  lin_block exit = a->loop_exit[loop];
  if (exit >= graph->num_blocks || !lin_loop_contains(a->loops, loop, exit))
    return false;
  lin_block stay = LIN_NONE, leave = LIN_NONE;
  for (LIN_OUT_EDGES(graph, exit, edge)) {
    lin_block to = graph->destination[edge];
    bool stays = lin_loop_contains(a->loops, loop, to);
    if (!a->postdominators->doomed[edge] && !is_only(stays ? &stay : &leave, to))
      return true;
  }
  for (LIN_IN_EDGES(graph, a->loops->header[loop], i)) {
    lin_block from = graph->source[graph->in_edge[i]];
    if (lin_loop_contains(a->loops, loop, from) && !lin_tree_contains(a->dominators, exit, from))
      return true;
  }
  return false;
}

uint8_t *lin_late_find(lin_arena *arena, const lin_analysis *analysis) {
  uint8_t *late = LIN_ARRAY(arena, uint8_t, analysis->graph->num_blocks);
  for (lin_block block = 1; block < analysis->graph->num_blocks; block++)
    if (is_late_join(analysis, block))
      late[block] |= LIN_LATE_JOIN;
  for (uint32_t loop = 1; loop < analysis->loops->num_loops; loop++)
    if (is_late_loop(analysis, loop))
      late[analysis->loops->header[loop]] |= LIN_LATE_LOOP;
  return late;
}
