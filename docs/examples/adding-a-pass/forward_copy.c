#include "forward_copy.h"

// Simple instructions, of a block. An example needs no better number; others say which command
// measures them (lib/gpu/costs.h).
enum { MOST_COPIED = 16 };

// Whether a copy can do what the block does: nothing that it computes is used elsewhere.
static bool may_be_copied(lin_arena *arena, const lin_front *front, lin_block block) {
  if (front->cost_of_copy(front->context, block, MOST_COPIED) > MOST_COPIED)
    return false;
  uint32_t count;
  const lin_block *uses = front->uses(front->context, arena, block, &count);
  for (uint32_t i = 0; i < count; i++)
    if (uses[i] != block)
      return false;
  return true;
}

// Whether the block behind an edge is to be copied for it. Both ends are blocks that were read,
// which the exit isn't, and in one loop: a copy of a header would be another entry.
static bool is_wanted(const lin_front *front, const lin_shape *shape, lin_edge edge) {
  const lin_order *order = shape->order;
  const lin_analysis *analysis = shape->analysis;
  const lin_loops *loops = analysis->loops;
  lin_block from = analysis->graph->source[edge], to = analysis->graph->destination[edge];
  return analysis->kinds[edge] == LIN_BRANCH && order->origin[to] < front->num_blocks &&
         loops->loop_of[from] == loops->loop_of[to] && loops->header[loops->loop_of[to]] != to;
}

lin_edits *lin_forward_copy_find(lin_arena *arena, const lin_front *front, const lin_shape *shape) {
  const lin_order *order = shape->order;
  const lin_graph *graph = order->graph;
  lin_edits *found = LIN_NEW(arena, lin_edits);
  found->edit = LIN_ARRAY(arena, lin_edit, graph->num_blocks);
  bool *is_copied = LIN_ARRAY(arena, bool, graph->num_blocks);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block block = graph->destination[edge], origin = order->origin[block];
    if (is_copied[block] || !is_wanted(front, shape, edge) || !may_be_copied(arena, front, origin))
      continue;
    lin_block *from = LIN_NEW(arena, lin_block);
    *from = order->origin[graph->source[edge]];
    is_copied[block] = true;
    found->edit[found->count++] = (lin_edit){.kind = LIN_EDIT_COPY,
                                             .block = origin,
                                             .count = 1,
                                             .from = from,
                                             .to = LIN_NONE,
                                             .rest = LIN_NONE,
                                             .exit = LIN_NONE,
                                             .cost = graph->cost[block]};
  }
  return found;
}
