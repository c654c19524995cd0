#include "carry.h"

typedef struct header_cell {
  lin_block header;
  struct header_cell *next;
} header_cell;

static lin_headers to_array(lin_arena *arena, const header_cell *list) {
  uint32_t count = 0;
  for (const header_cell *cell = list; cell != NULL; cell = cell->next)
    count++;
  lin_block *block = LIN_ARRAY(arena, lin_block, count);
  for (uint32_t i = 0; list != NULL; list = list->next)
    block[i++] = list->header;
  return (lin_headers){count, block};
}

static void add(lin_arena *arena, header_cell **list, lin_block header) {
  for (const header_cell *cell = *list; cell != NULL; cell = cell->next)
    if (cell->header == header)
      return;
  header_cell *cell = LIN_NEW(arena, header_cell);
  *cell = (header_cell){header, *list};
  *list = cell;
}

// The region in which `edge` goes around a loop, or LIN_NONE.
static uint32_t retreats_in(const lin_plan *plan, lin_edge edge, uint32_t *from, uint32_t *to) {
  const lin_graph *graph = plan->analysis->graph;
  uint32_t region = plan->regions->owner[graph->source[edge]];
  for (; region != LIN_NONE; region = plan->regions->parent[region]) {
    *to = lin_plan_leaf(plan, region, graph->destination[edge]);
    if (*to == LIN_NONE)
      continue;
    *from = lin_plan_leaf(plan, region, graph->source[edge]);
    bool back =
        lin_plan_goes_back(plan, region, *from, *to, graph->source[edge], graph->destination[edge]);
    return back ? region : LIN_NONE;
  }
  return LIN_NONE;
}

// True if `block` is in the leaf `first` of `region` or a later one. Where a loop begins at
// `first`, the function's entry isn't.
static bool is_behind(const lin_plan *plan, uint32_t region, uint32_t first, lin_block block) {
  uint32_t leaf = lin_plan_leaf(plan, region, block);
  return leaf != LIN_NONE && leaf >= first;
}

lin_carry *lin_carry_build(lin_arena *arena, const lin_flow *flow) {
  const lin_plan *plan = flow->plan;
  const lin_graph *graph = plan->analysis->graph;
  const lin_tree *dominators = plan->analysis->dominators;
  header_cell **lists = LIN_ARRAY(arena, header_cell *, graph->num_blocks);
  lin_carry *carry = LIN_NEW(arena, lin_carry);
  carry->around = LIN_ARRAY(arena, lin_block, graph->num_edges);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    carry->around[edge] = LIN_NONE;
    uint32_t from, to;
    uint32_t region = retreats_in(plan, edge, &from, &to);
    if (region == LIN_NONE)
      continue;
    uint32_t loop = plan->node_of[plan->first_leaf[region] + from];
    while (plan->node[loop].kind != LIN_LOOP || plan->node[loop].first > to)
      loop = plan->node[loop].parent;
    lin_block header = flow->header[loop];
    carry->around[edge] = header;
    lin_block block = dominators->parent[graph->destination[edge]];
    for (; is_behind(plan, region, plan->node[loop].first, block);
         block = dominators->parent[block])
      add(arena, &lists[block], header);
  }
  carry->value = LIN_ARRAY(arena, lin_headers, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    carry->value[block] = to_array(arena, lists[block]);

  // An edge around an outer loop may lead into an inner one: it sets the inner one's guard too.
  header_cell **guards = LIN_ARRAY(arena, header_cell *, plan->num_guards);
  for (uint32_t node = 0; node < plan->num_nodes; node++) {
    uint32_t guard = plan->node[node].guard;
    if (plan->node[node].kind != LIN_LOOP || guard == LIN_NONE)
      continue;
    if (plan->guard[guard].everywhere)
      add(arena, &guards[guard], flow->header[node]);
    if (plan->guard[guard].loop == node)
      for (uint32_t around = node; around != LIN_NONE; around = plan->node[around].parent)
        if (plan->node[around].kind == LIN_LOOP)
          add(arena, &guards[guard], flow->header[around]);
  }
  carry->guard = LIN_ARRAY(arena, lin_headers, plan->num_guards);
  for (uint32_t guard = 0; guard < plan->num_guards; guard++)
    carry->guard[guard] = to_array(arena, guards[guard]);
  return carry;
}
