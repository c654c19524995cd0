#include "short_loops.h"

#include "linearize/between.h"

// Simple instructions between the first and the last test, which threads run that would have left.
// With 8 `early_returns` stays as it is, with 32 no other kernel of bench/ changes:
// `scripts/calibrate MOST_BETWEEN`, code of 2026-11-23.
enum { MOST_BETWEEN = 16 };

typedef struct finder {
  const lin_front *front;
  const lin_order *order;
  const lin_analysis *a;
  bool divergence_known;
} finder;

// Whether the block's instructions may move to another block. Adds what they cost.
static bool may_move(const finder *l, lin_block block, uint32_t *cost) {
  if (lin_in_degree(l->a->graph, block) != 1)
    return false;
  uint32_t own = l->front->cost_of_moving(l->front->context, l->order->origin[block]);
  *cost += own == UINT32_MAX ? 0 : own;
  return own != UINT32_MAX;
}

// Whether `block` ends in a branch out of the loop, or else to `next`.
static bool is_test(const finder *l, uint32_t loop, lin_block block, lin_block next) {
  const lin_graph *graph = l->a->graph;
  lin_edge first = graph->first_edge[block];
  if (!l->front->is_branch(l->front->context, l->order->origin[block]))
    return false;
  lin_block yes = graph->destination[first], no = graph->destination[first + 1];
  bool yes_stays = lin_loop_contains(l->a->loops, loop, yes),
       no_stays = lin_loop_contains(l->a->loops, loop, no);
  return yes_stays != no_stays && (yes_stays ? yes : no) == next;
}

// The number of tests of which the loop consists, 0 if it doesn't. Its blocks stand together.
static uint32_t count_tests(const finder *l, uint32_t loop) {
  const lin_graph *graph = l->a->graph;
  lin_block header = l->a->loops->header[loop], block = header;
  uint32_t cost = 0;
  bool parts = false;
  for (;; block++) {
    bool is_last =
        block + 1 == graph->num_blocks || !lin_loop_contains(l->a->loops, loop, block + 1);
    if (l->a->loops->loop_of[block] != loop || (graph->flags[block] & LIN_LEFT_OUT) != 0 ||
        !is_test(l, loop, block, is_last ? header : block + 1) ||
        (block != header && !may_move(l, block, &cost)) || cost > MOST_BETWEEN)
      return 0;
    parts |= lin_may_part(graph, block, l->divergence_known);
    if (is_last)
      return parts && block != header ? block - header + 1 : 0;
  }
}

// Whether the loop is left for one place in the loop around it, and for another outside of both.
static bool shares_iterations(const finder *l, uint32_t loop, uint32_t tests) {
  const lin_graph *graph = l->a->graph;
  const lin_loops *loops = l->a->loops;
  uint32_t around = loops->tree->parent[loop], inside = 0, outside = 0;
  for (lin_block block = loops->header[loop]; block < loops->header[loop] + tests; block++)
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_block to = graph->destination[edge];
      inside += !lin_loop_contains(loops, loop, to) && lin_loop_contains(loops, around, to);
      outside += !lin_loop_contains(loops, around, to);
    }
  return inside > 0 && outside > 0;
}

static bool is_left_for_one_place(const finder *l, uint32_t loop, uint32_t tests) {
  const lin_graph *graph = l->a->graph;
  lin_block place = LIN_NONE;
  for (lin_block block = l->a->loops->header[loop]; tests-- > 0; block++)
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_block to = graph->destination[edge];
      if (lin_loop_contains(l->a->loops, loop, to))
        continue;
      if (place != LIN_NONE && place != to)
        return false;
      place = to;
    }
  return true;
}

lin_edits *lin_short_loops_find(lin_arena *arena, const lin_front *front, const lin_shape *shape,
                                bool divergence_known) {
  const lin_order *order = shape->order;
  const lin_loops *loops = order->loops;
  finder l = {front, order, shape->analysis, divergence_known};
  lin_edits *found = LIN_NEW(arena, lin_edits);
  found->edit = LIN_ARRAY(arena, lin_edit, loops->num_loops);
  for (uint32_t loop = 1; loop < loops->num_loops; loop++) {
    uint32_t tests = loops->irreducible[loop] ? 0 : count_tests(&l, loop);
    if (tests == 0 || shares_iterations(&l, loop, tests))
      continue;
    lin_block *from = LIN_ARRAY(arena, lin_block, tests);
    for (uint32_t i = 0; i < tests; i++)
      from[i] = order->origin[loops->header[loop] + i];
    if (is_left_for_one_place(&l, loop, tests) &&
        front->kept_behind(front->context, from, tests) > 0)
      continue;
    found->edit[found->count++] = (lin_edit){.kind = LIN_EDIT_FOLD,
                                             .block = from[0],
                                             .count = tests,
                                             .from = from,
                                             .to = LIN_NONE,
                                             .rest = LIN_NONE,
                                             .exit = LIN_NONE,
                                             .loop = loop};
  }
  return found;
}
