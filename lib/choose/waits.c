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

// Marks the blocks, by their numbers in the graph that `order` is of, at which threads are apart.
static bool *find_apart(lin_arena *arena, const lin_order *order, const lin_analysis *analysis,
                        const lin_policy *policy, uint32_t count) {
  bool *apart = LIN_ARRAY(arena, bool, count);
  const lin_joins *joins = lin_joins_find(arena, analysis, policy->divergence_known, false);
  for (lin_block block = 0; block < analysis->graph->num_blocks; block++)
    if (order->origin[block] < count)
      apart[order->origin[block]] = is_apart(joins, block);
  return apart;
}

static bool is_taken_by(const lin_edit *edit, const lin_order *order, const lin_analysis *a,
                        lin_block wait) {
  return edit->to == wait || lin_loop_contains(a->loops, edit->loop, order->number[wait]) ||
         lin_tree_contains(a->dominators, order->number[edit->block], order->number[wait]);
}

void lin_waits_keep(const lin_graph *graph, const lin_order *order, const lin_analysis *analysis,
                    const lin_policy *policy, lin_edits *edits) {
  if (edits->count == 0 || policy->lock_step)
    return;
  lin_arena scratch = {0};
  const lin_order *after = lin_order_build(&scratch, lin_edit_apply(&scratch, graph, edits));
  const lin_analysis *then = lin_analysis_build(&scratch, after->graph, after->loops);
  uint32_t n = graph->num_blocks;
  const bool *was = find_apart(&scratch, order, analysis, policy, n);
  const bool *is = find_apart(&scratch, after, then, policy, n);
  for (lin_block block = 0; block < n; block++) {
    if (!is[block] || was[block])
      continue;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < edits->count; i++)
      if (!is_taken_by(&edits->edit[i], order, analysis, block))
        edits->edit[kept++] = edits->edit[i];
    edits->count = kept;
  }
  lin_arena_release(&scratch);
}
