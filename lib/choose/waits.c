#include "waits.h"

#include "joins.h"

// Threads that were apart are not together at `block` of the compiled graph: a join at which they
// don't wait, or a header that several edges lead back to.
static bool is_apart(const lin_joins *joins, lin_block block) {
  const lin_loops *loops = joins->compiled->loops;
  uint32_t loop = loops->loop_of[block];
  return (joins->late[block] && !joins->met[block]) ||
         (loop != 0 && loops->header[loop] == block && joins->apart[loop]);
}

// Marks the blocks, by their numbers in the united graph, at which threads are apart.
static bool *find_apart(lin_arena *arena, const lin_shape *shape, const lin_policy *policy,
                        uint32_t count) {
  bool *apart = LIN_ARRAY(arena, bool, count);
  const lin_joins *joins = lin_joins_find(arena, shape->analysis, policy->divergence_known, false);
  const lin_order *order = shape->order;
  for (lin_block block = 0; block < order->graph->num_blocks; block++)
    if (order->origin[block] < count)
      apart[order->origin[block]] = is_apart(joins, block);
  return apart;
}

static bool is_taken_by(const lin_edit *edit, const lin_shape *shape, lin_block wait) {
  const lin_block *number = shape->order->number;
  return edit->to == wait || lin_loop_contains(shape->order->loops, edit->loop, number[wait]) ||
         lin_tree_contains(shape->analysis->dominators, number[edit->block], number[wait]);
}

void lin_waits_keep(const lin_shape *shape, const lin_policy *policy, lin_edits *edits) {
  if (edits->count == 0 || policy->lock_step)
    return;
  lin_arena scratch = {0};
  const lin_shape after =
      lin_shape_of_united(&scratch, lin_edit_apply(&scratch, shape->united, edits));
  uint32_t n = shape->united->num_blocks;
  const bool *was = find_apart(&scratch, shape, policy, n);
  const bool *is = find_apart(&scratch, &after, policy, n);
  for (lin_block block = 0; block < n; block++) {
    if (!is[block] || was[block])
      continue;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < edits->count; i++)
      if (!is_taken_by(&edits->edit[i], shape, block))
        edits->edit[kept++] = edits->edit[i];
    edits->count = kept;
  }
  lin_arena_release(&scratch);
}
