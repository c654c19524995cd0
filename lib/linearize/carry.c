#include "carry.h"

#include <string.h>

typedef struct header_cell {
  lin_block header;
  struct header_cell *next;
} header_cell;

// The loop nodes that are open around each leaf, found by walking the tree once.
static uint32_t *innermost_loops(lin_arena *arena, const lin_plan *plan, uint32_t **parent) {
  uint32_t *loop_of = LIN_ARRAY(arena, uint32_t, plan->analysis->graph->num_blocks);
  *parent = LIN_ARRAY(arena, uint32_t, plan->num_nodes);
  uint32_t *stack = LIN_ARRAY(arena, uint32_t, (size_t)plan->num_nodes + 1);
  uint32_t *around = LIN_ARRAY(arena, uint32_t, plan->num_nodes);
  for (uint32_t region = 0; region < plan->regions->num_regions; region++) {
    if (plan->regions->gone[region])
      continue;
    uint32_t top = 0;
    around[plan->root[region]] = LIN_NONE;
    for (stack[top++] = plan->root[region]; top > 0;) {
      uint32_t node = stack[--top];
      const lin_node *at = &plan->node[node];
      (*parent)[node] = around[node];
      if (at->kind == LIN_LEAF)
        loop_of[plan->first_leaf[region] + at->first] = around[node];
      for (uint32_t child = at->child; child != LIN_NONE; child = plan->node[child].next) {
        around[child] = at->kind == LIN_LOOP ? node : around[node];
        stack[top++] = child;
      }
    }
  }
  return loop_of;
}

// The header in the flow of each loop node: where its guard block goes back to.
static lin_block *find_headers(lin_arena *arena, const lin_flow *flow) {
  lin_block *header = LIN_ARRAY(arena, lin_block, flow->plan->num_nodes);
  for (lin_block block = 0; block < flow->graph->num_blocks; block++)
    if (flow->node[block] != LIN_NONE)
      header[flow->node[block]] = flow->graph->destination[flow->graph->first_edge[block]];
  return header;
}

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

// The region in which `edge` leads from a leaf to an earlier one, or LIN_NONE.
static uint32_t retreats_in(const lin_plan *plan, lin_edge edge, uint32_t *from, uint32_t *to) {
  const lin_graph *graph = plan->analysis->graph;
  uint32_t region = plan->regions->owner[graph->source[edge]];
  for (; region != LIN_NONE; region = plan->regions->parent[region]) {
    *to = lin_plan_leaf(plan, region, graph->destination[edge]);
    if (*to == LIN_NONE)
      continue;
    *from = lin_plan_leaf(plan, region, graph->source[edge]);
    return *to < *from ? region : LIN_NONE;
  }
  return LIN_NONE;
}

lin_carry *lin_carry_build(lin_arena *arena, const lin_flow *flow) {
  const lin_plan *plan = flow->plan;
  const lin_graph *graph = plan->analysis->graph;
  const lin_tree *dominators = plan->analysis->dominators;
  uint32_t *parent;
  const uint32_t *loop_of = innermost_loops(arena, plan, &parent);
  const lin_block *header = find_headers(arena, flow);
  header_cell **lists = LIN_ARRAY(arena, header_cell *, graph->num_blocks);
  lin_carry *carry = LIN_NEW(arena, lin_carry);
  carry->around = LIN_ARRAY(arena, lin_block, graph->num_edges);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    carry->around[edge] = LIN_NONE;
    uint32_t from, to;
    uint32_t region = retreats_in(plan, edge, &from, &to);
    if (region == LIN_NONE)
      continue;
    uint32_t loop = loop_of[plan->first_leaf[region] + from];
    while (plan->node[loop].first > to)
      loop = parent[loop];
    carry->around[edge] = header[loop];
    lin_block block = graph->destination[edge];
    for (block = dominators->parent[block]; block != LIN_NONE; block = dominators->parent[block]) {
      uint32_t leaf = lin_plan_leaf(plan, region, block);
      if (leaf == LIN_NONE || leaf < plan->node[loop].first || leaf > plan->node[loop].last)
        break;
      add(arena, &lists[block], header[loop]);
    }
  }
  carry->value = LIN_ARRAY(arena, lin_headers, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    carry->value[block] = to_array(arena, lists[block]);

  header_cell **guards = LIN_ARRAY(arena, header_cell *, plan->regions->num_regions);
  for (uint32_t node = 0; node < plan->num_nodes; node++)
    if (plan->node[node].kind == LIN_LOOP)
      add(arena, &guards[plan->node[node].region], header[node]);
  carry->guard = LIN_ARRAY(arena, lin_headers, plan->regions->num_regions);
  for (uint32_t region = 0; region < plan->regions->num_regions; region++)
    carry->guard[region] = to_array(arena, guards[region]);
  return carry;
}
