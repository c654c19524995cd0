#include "made_up.h"

#include "property/random_graph.h"

uint64_t made_up_number(uint64_t seed, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t state = seed ^ (a * 0x9e3779b97f4a7c15) ^ (b * 0xc2b2ae3d27d4eb4f) ^ (c << 17);
  random_next(&state);
  return random_next(&state);
}

enum question { NEXT = 1, COPY, MOVE, GUARD, USES };

static uint64_t ask(const made_up *m, enum question question, lin_block a, lin_block b) {
  return made_up_number(m->seed, question, a, b);
}

// Known of five edges in six.
static lin_block next_from(void *context, lin_block block, lin_block from) {
  const made_up *m = context;
  uint64_t number = ask(m, NEXT, block, from);
  uint32_t degree = lin_out_degree(m->graph, block);
  if (number % 6 == 0 || degree == 0)
    return LIN_NONE;
  return m->graph->destination[m->graph->first_edge[block] + number / 6 % degree];
}

static uint32_t cost_of_copy(void *context, lin_block block, uint32_t most) {
  const made_up *m = context;
  (void)most;
  uint64_t number = ask(m, COPY, block, 0);
  return number % 8 == 0 ? UINT32_MAX : (uint32_t)(number / 8 % 10);
}

static uint32_t cost_of_moving(void *context, lin_block block) {
  const made_up *m = context;
  uint64_t number = ask(m, MOVE, block, 0);
  return number % 8 == 0 ? UINT32_MAX : (uint32_t)(number / 8 % 6);
}

static bool is_branch(void *context, lin_block block) {
  const made_up *m = context;
  return lin_out_degree(m->graph, block) == 2;
}

static bool is_guard(void *context, lin_block block) {
  const made_up *m = context;
  return ask(m, GUARD, block, 0) % 8 == 0;
}

// Its own, and every fourth block's somewhere else, too.
static const lin_block *uses(void *context, lin_arena *arena, lin_block block, uint32_t *count) {
  const made_up *m = context;
  lin_block *place = LIN_ARRAY(arena, lin_block, 2);
  uint64_t number = ask(m, USES, block, 0);
  *count = number % 4 == 0 ? 2 : 1;
  place[0] = block;
  place[1] = (lin_block)(number / 4 % m->graph->num_blocks);
  return place;
}

void made_up_front(made_up *result, const lin_graph *graph, uint64_t seed) {
  *result = (made_up){.graph = graph, .seed = seed};
  result->front = (lin_front){.context = result,
                              .num_blocks = graph->num_blocks,
                              .next_from = next_from,
                              .cost_of_copy = cost_of_copy,
                              .cost_of_moving = cost_of_moving,
                              .is_branch = is_branch,
                              .is_guard = is_guard,
                              .uses = uses};
}
