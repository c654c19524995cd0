#include "made_up.h"

#include "property/random_graph.h"

uint64_t made_up_number(uint64_t seed, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t state = seed ^ (a * 0x9e3779b97f4a7c15) ^ (b * 0xc2b2ae3d27d4eb4f) ^ (c << 17);
  random_next(&state);
  return random_next(&state);
}

enum question { NEXT = 1, COPY, MOVE, KEPT, GUARD, USES, PIECE, CUT, LIVE, VOTE };

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

static uint32_t kept_behind(void *context, const lin_block *block, uint32_t count) {
  return (uint32_t)(ask(context, KEPT, block[0], count) % 3);
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

static uint32_t cost_of_vote(void *context, lin_block block, bool known) {
  uint64_t number = ask(context, VOTE, block, 0);
  return number % 8 == 0 ? UINT32_MAX : (uint32_t)(number / 8 % 4) + !known;
}

// Up to five pieces; cuts in blocks that all threads of the arm come to, several of them in some.
static lin_pieces pieces(void *context, const lin_arm *arm) {
  const made_up *m = context;
  lin_pieces found = {.row = {.count = 1, .registers = 8}};
  for (uint32_t i = 0; i < arm->count; i++) {
    lin_block block = arm->block[i];
    uint64_t cuts = arm->inside[i] ? 0 : ask(m, CUT, block, 0) % 3;
    for (uint32_t k = 0; k < cuts && found.num_cuts < 4; k++) {
      uint32_t length = (uint32_t)(ask(m, CUT, block, k + 1) % 3) + (k > 0);
      found.cut[found.num_cuts++] = (lin_cut){block, length, length, 0};
      found.row.count++;
    }
  }
  for (uint32_t i = 0; i < found.row.count; i++) {
    uint64_t number = ask(m, PIECE, arm->block[0], i);
    uint64_t wait = i + 1 < found.row.count ? number / 40 % 400 : 0;
    found.row.piece[i] = (lin_piece){number % 40, wait, (uint32_t)(number / 16000 % 8)};
  }
  return found;
}

static uint32_t live_behind(void *context, lin_block block) {
  return (uint32_t)(ask(context, LIVE, block, 0) % 32);
}

static uint32_t most_warps(void *context) {
  const made_up *m = context;
  return 1 + (uint32_t)(m->seed % 64);
}

static uint32_t registers(void *context, uint32_t warps) {
  (void)context;
  return warps == 0 ? 255 : 2048 / warps > 255 ? 255 : 2048 / warps;
}

void made_up_front(made_up *result, const lin_graph *graph, uint64_t seed) {
  *result = (made_up){.graph = graph, .seed = seed};
  result->front = (lin_front){.context = result,
                              .num_blocks = graph->num_blocks,
                              .next_from = next_from,
                              .cost_of_copy = cost_of_copy,
                              .cost_of_moving = cost_of_moving,
                              .kept_behind = kept_behind,
                              .is_branch = is_branch,
                              .is_guard = is_guard,
                              .uses = uses,
                              .cost_of_vote = cost_of_vote,
                              .pieces = pieces,
                              .live_behind = live_behind,
                              .most_warps = most_warps,
                              .registers = registers};
}
