#include "joins.h"

#include "gpu/meetings.h"

static bool is_late(const lin_analysis *a, const lin_joins *joins, lin_block block) {
  return lin_meetings_is_late(a->graph, a->loops, a->dominators, a->postdominators, block) &&
         lin_joins_is_parted(joins, a->dominators->parent[block], block);
}

lin_joins *lin_joins_find(lin_arena *arena, const lin_analysis *analysis, bool divergence_known,
                          bool lock_step) {
  const lin_graph *graph = analysis->graph;
  uint32_t n = graph->num_blocks;
  lin_joins *joins = LIN_NEW(arena, lin_joins);
  joins->lock_step = lock_step;
  joins->late = LIN_ARRAY(arena, bool, n);
  joins->parting = LIN_ARRAY(arena, uint32_t, (size_t)n + 1);
  for (lin_block block = 0; block < n; block++)
    joins->parting[block + 1] =
        joins->parting[block] + lin_may_part(graph, block, divergence_known);
  for (lin_block block = 1; block < n; block++)
    joins->late[block] = is_late(analysis, joins, block);
  joins->met = lock_step ? LIN_ARRAY(arena, bool, n)
                         : lin_meetings_find(arena, graph, analysis->loops, analysis->dominators,
                                             analysis->postdominators, joins->late);
  return joins;
}
