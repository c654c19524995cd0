#include "shape.h"

#include "graph/unite.h"

lin_shape lin_shape_of_united(lin_arena *arena, lin_graph *united) {
  lin_shape shape = {united, united, lin_order_build(arena, united), NULL};
  shape.analysis = lin_analysis_build(arena, shape.order->graph, shape.order->loops);
  return shape;
}

lin_shape lin_shape_build(lin_arena *arena, const lin_graph *input) {
  lin_shape shape = lin_shape_of_united(arena, lin_graph_unite_returns(arena, input));
  shape.input = input;
  return shape;
}

void lin_shape_update(lin_arena *arena, const lin_shape *shape) {
  lin_graph_update_united(arena, shape->input, shape->united);
  lin_order_update(arena, shape->united, shape->order);
}
