#include "answers.h"

static lin_block next_from(void *context, lin_block block, lin_block from) {
  (void)context, (void)block, (void)from;
  return LIN_NONE;
}

static uint32_t cost_of_copy(void *context, lin_block block, uint32_t most) {
  const lin_graph *graph = context;
  (void)most;
  bool ends = (graph->flags[block] & (LIN_RETURN | LIN_TRAP)) != 0;
  return ends ? UINT32_MAX : graph->cost[block];
}

static uint32_t cost_of_moving(void *context, lin_block block) {
  const lin_graph *graph = context;
  return (graph->flags[block] & LIN_MEMORY) != 0 ? UINT32_MAX : graph->cost[block];
}

static uint32_t kept_behind(void *context, const lin_block *block, uint32_t count) {
  (void)context, (void)block, (void)count;
  return 0;
}

static bool is_branch(void *context, lin_block block) {
  return lin_out_degree(context, block) == 2;
}

static bool is_guard(void *context, lin_block block) {
  (void)context, (void)block;
  return false;
}

static const lin_block *uses(void *context, lin_arena *arena, lin_block block, uint32_t *count) {
  (void)context;
  lin_block *place = LIN_NEW(arena, lin_block);
  *place = block;
  *count = 1;
  return place;
}

const lin_front *tool_answers(lin_arena *arena, const lin_graph *graph) {
  lin_front *front = LIN_NEW(arena, lin_front);
  *front = (lin_front){.context = (void *)graph,
                       .num_blocks = graph->num_blocks,
                       .next_from = next_from,
                       .cost_of_copy = cost_of_copy,
                       .cost_of_moving = cost_of_moving,
                       .kept_behind = kept_behind,
                       .is_branch = is_branch,
                       .is_guard = is_guard,
                       .uses = uses};
  return front;
}
