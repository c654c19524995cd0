#include "strips.h"

lin_edits *lin_strips_find(lin_arena *arena, const lin_front *front, const lin_shape *shape,
                           const lin_nests *nests) {
  const lin_order *order = shape->order;
  const lin_graph *graph = order->graph;
  const lin_loops *loops = order->loops;
  lin_edits *found = LIN_NEW(arena, lin_edits);
  found->edit = LIN_ARRAY(arena, lin_edit, graph->num_edges);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    uint32_t loop = lin_loop_around(loops, graph, edge);
    lin_block end = order->origin[graph->source[edge]];
    if (loop == 0 || !nests->merged[loop] || nests->nest[loop].strip < 2 ||
        !front->is_branch(front->context, end))
      continue;
    found->edit[found->count++] = (lin_edit){.kind = LIN_EDIT_STRIP,
                                             .block = order->origin[loops->header[loop]],
                                             .to = end,
                                             .rest = LIN_NONE,
                                             .exit = LIN_NONE,
                                             .loop = loop,
                                             .length = nests->nest[loop].strip};
  }
  return found;
}
