// What blocks cost stands in the order of the dominator tree, summed up: then a child, and what is
// behind the place where all meet, is an interval. Costs stand there twice: once as they are, and
// once for each time around the loops, of which a branch has its own share.
#include "alike.h"

#include "gpu/costs.h"
#include "gpu/nvptx.h"
#include "graph/dominators.h"
#include "graph/order.h"
#include "meld/gain.h"

#include <math.h>

// Trips of a loop, more than any estimate has (choose/trip_counts.h); and kinds of instructions.
#define MOST_TRIPS 64.0
enum {
  CALLS,
  EXPENSIVE,
  LOADS, // and of shared memory
  STORES = LOADS + 2,
  DOUBLES = STORES + 2,
  FLOATS,
  OTHERS,
  NUM_KINDS
};

// What no arm may have, whoever is called (lin_meld_why_not).
enum { REFUSED = LIN_WAITS | LIN_CROSS_LANE };

typedef struct sums {
  double once[NUM_KINDS], repeated[NUM_KINDS];
  uint32_t refused; // instructions that may not be in an arm
} sums;

typedef struct state {
  const lin_ptx_function *f;
  const lin_graph *graph; // ordered
  const lin_loops *loops;
  const lin_tree *dominators;
  const uint32_t *preorder;
  const lin_block *meeting; // [blocks] the immediate post-dominator
  const sums *before;       // [blocks + 1] of all in front of a place in preorder
} state;

static uint32_t kind_of(const lin_ptx_body *body, uint32_t at) {
  const lin_ptx_opcode *opcode = lin_ptx_meaning(body, at);
  const lin_ptx_instruction *i = &body->instruction[at];
  const char *name = body->module->text + i->name;
  const size_t length = i->operands - i->name;
  if (opcode->flow == LIN_PTX_CALL)
    return CALLS;
  const uint32_t shared = lin_nvptx_has_part(name, length, ".shared") ? 1 : 0;
  if ((opcode->effects & LIN_MEMORY) != 0)
    return opcode->has_result ? LOADS + shared : STORES + shared;
  if (opcode->cost >= LIN_COST_MANY)
    return EXPENSIVE;
  return lin_nvptx_has_part(name, length, ".f64")   ? DOUBLES
         : lin_nvptx_has_part(name, length, ".f32") ? FLOATS
                                                    : OTHERS;
}

static double trips(const state *s, lin_block block) {
  return pow(MOST_TRIPS, s->loops->tree->depth[s->loops->loop_of[block]]);
}

static void add_block(const state *s, const lin_order *order, lin_block block, sums *sum) {
  const lin_ptx_block *b = &s->f->block[order->origin[block]];
  const double times = trips(s, block);
  for (uint32_t i = b->first; i < b->behind; i++) {
    const lin_ptx_opcode *opcode = lin_ptx_meaning(s->f->body, i);
    const uint32_t kind = kind_of(s->f->body, i);
    sum->once[kind] += opcode->cost;
    sum->repeated[kind] += opcode->cost * times;
    sum->refused += opcode->flow != LIN_PTX_CALL && (opcode->effects & REFUSED) != 0;
  }
}

static void subtract(sums *from, const sums *what) {
  for (uint32_t kind = 0; kind < NUM_KINDS; kind++) {
    from->once[kind] -= what->once[kind];
    from->repeated[kind] -= what->repeated[kind];
  }
  from->refused -= what->refused;
}

static sums sums_of(const state *s, lin_block block) {
  sums made = s->before[s->dominators->leave[block]];
  subtract(&made, &s->before[s->dominators->enter[block]]);
  return made;
}

// What a child of `branch` has, up to where the branch's threads meet.
static sums sums_of_child(const state *s, lin_block branch, lin_block child) {
  const lin_block meeting = s->meeting[branch];
  sums made = sums_of(s, child);
  if (meeting < s->graph->num_blocks && lin_tree_contains(s->dominators, child, meeting)) {
    const sums behind = sums_of(s, meeting);
    subtract(&made, &behind);
  }
  return made;
}

// Whether a child may be no arm but a test that leads to some, where the same threads meet.
static bool may_decide(const state *s, lin_block branch, lin_block child) {
  return lin_may_diverge(s->graph, child) && s->meeting[child] == s->meeting[branch];
}

// Whether the second largest of the children's costs, of each kind, is enough in all.
static bool has_alike(const state *s, lin_block branch, double least) {
  const lin_tree *tree = s->dominators;
  double most[NUM_KINDS] = {0}, second[NUM_KINDS] = {0}, sum = 0;
  for (uint32_t at = tree->enter[branch] + 1; at < tree->leave[branch];) {
    const lin_block child = s->preorder[at];
    const sums its = sums_of_child(s, branch, child);
    at = tree->leave[child];
    if (its.refused > 0 && !may_decide(s, branch, child))
      continue;
    for (uint32_t kind = 0; kind < NUM_KINDS; kind++) {
      const double cost = its.once[kind] + its.repeated[kind] / trips(s, branch);
      second[kind] = fmax(second[kind], fmin(cost, most[kind]));
      most[kind] = fmax(most[kind], cost);
    }
  }
  for (uint32_t kind = 0; kind < NUM_KINDS; kind++)
    sum += second[kind];
  return sum >= least;
}

bool lin_ptx_may_be_alike(const lin_ptx_function *f, double least) {
  lin_arena arena = {0};
  const lin_order *order = lin_order_build(&arena, f->graph);
  const uint32_t n = order->graph->num_blocks;
  sums *before = LIN_ARRAY(&arena, sums, (size_t)n + 1);
  state s = {.f = f, .graph = order->graph, .loops = order->loops, .before = before};
  s.dominators = lin_dominators_build(&arena, s.graph, 0);
  s.preorder = lin_tree_preorder(&arena, s.dominators);
  s.meeting = lin_postdominators_build(&arena, s.graph)->tree->parent;
  for (uint32_t at = 0; at < n; at++) {
    before[at + 1] = before[at];
    add_block(&s, order, s.preorder[at], &before[at + 1]);
  }
  bool found = false;
  for (lin_block block = 0; block < n && !found; block++)
    found = lin_may_part(s.graph, block, true) && has_alike(&s, block, least);
  lin_arena_release(&arena);
  return found;
}
