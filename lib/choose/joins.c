#include "joins.h"

#include "gpu/iterations.h"
#include "gpu/meetings.h"

// The loops without rule 3 of gpu/meetings.h: several edges go back to the header, and the loop is
// left together with the one around it.
static bool *find_apart(lin_arena *arena, const lin_analysis *compiled) {
  const lin_graph *graph = compiled->graph;
  const lin_loops *loops = compiled->loops;
  bool *apart = LIN_ARRAY(arena, bool, loops->num_loops);
  const bool *left = lin_meetings_left_with_others(arena, graph, loops, compiled->postdominators);
  for (uint32_t loop = 1; loop < loops->num_loops; loop++) {
    uint32_t back = 0;
    for (LIN_IN_EDGES(graph, loops->header[loop], i))
      back += lin_loop_contains(loops, loop, graph->source[graph->in_edge[i]]);
    apart[loop] = back > 1 && left[loop];
  }
  return apart;
}

static void find_compiled(lin_arena *arena, const lin_analysis *a, lin_joins *joins) {
  lin_iterations iterations = lin_iterations_find(arena, a->graph, a->loops, a->postdominators);
  joins->inner = iterations.inner;
  joins->compiled = a;
  if (iterations.graph != a->graph)
    joins->compiled = lin_analysis_build(arena, iterations.graph, iterations.loops);
  joins->apart = find_apart(arena, joins->compiled);
}

static bool is_late(const lin_joins *joins, lin_block block) {
  const lin_analysis *a = joins->compiled;
  return lin_meetings_is_late(a->graph, a->loops, a->dominators, a->postdominators, block) &&
         lin_joins_is_parted(joins, a->dominators->parent[block], block);
}

lin_joins *lin_joins_find(lin_arena *arena, const lin_analysis *analysis, bool divergence_known,
                          bool lock_step) {
  uint32_t n = analysis->graph->num_blocks;
  lin_joins *joins = LIN_NEW(arena, lin_joins);
  find_compiled(arena, analysis, joins);
  const lin_analysis *a = joins->compiled;
  joins->lock_step = lock_step;
  joins->late = LIN_ARRAY(arena, bool, n);
  joins->parting = LIN_ARRAY(arena, uint32_t, (size_t)n + 1);
  for (lin_block block = 0; block < n; block++)
    joins->parting[block + 1] =
        joins->parting[block] + lin_may_part(a->graph, block, divergence_known);
  for (lin_block block = 1; block < n; block++)
    joins->late[block] = is_late(joins, block);
  joins->met = lock_step ? LIN_ARRAY(arena, bool, n)
                         : lin_meetings_find(arena, a->graph, a->loops, a->dominators,
                                             a->postdominators, joins->late);
  return joins;
}
