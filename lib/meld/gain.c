#include "gain.h"

#include "choose/estimate.h"
#include "choose/trip_counts.h"
#include "gpu/costs.h"

// A share of what the arms have, that has to be gained.
static const double LEAST_SHARE = 0.12, SURE_SHARE = 0.25, LARGE_SHARE = 0.4;

// Ways that a warp takes of a branch, each time that it comes there, which is as good as one.
static const double MOST_WAYS = 1.05;

lin_meld_facts *lin_meld_facts_find(lin_arena *arena, const lin_meld_code *code) {
  const lin_graph *graph = code->analysis->graph;
  const lin_loops *loops = code->analysis->loops;
  lin_meld_facts *f = LIN_NEW(arena, lin_meld_facts);
  f->code = code;
  f->block_of = LIN_ARRAY(arena, uint32_t, code->num_ops);
  f->times = LIN_ARRAY(arena, double, graph->num_blocks);
  f->side = LIN_ARRAY(arena, uint8_t, graph->num_blocks);
  f->is_guarded = LIN_ARRAY(arena, bool, code->num_ops);
  const double *trips = lin_trip_counts_build(arena, code->analysis)->trips;
  double *in_loop = LIN_ARRAY(arena, double, loops->num_loops);
  const uint32_t *preorder = lin_tree_preorder(arena, loops->tree);
  for (uint32_t i = 0; i < loops->num_loops; i++) {
    uint32_t loop = preorder[i];
    in_loop[loop] = loop == 0 ? 1 : in_loop[loops->tree->parent[loop]] * trips[loop];
  }
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    f->times[block] = in_loop[loops->loop_of[block]];
    for (uint32_t op = code->first_op[block]; op < code->first_op[block + 1]; op++)
      f->block_of[op] = block;
  }
  return f;
}

// Two values between which a block chooses.
typedef struct choice {
  uint32_t value[2];
  lin_block block;
} choice;

typedef struct estimator {
  const lin_meld_facts *f;
  const lin_melds *melds;
  const lin_meld_code *code;
  const lin_meld_arms *arms;
  choice *made; // [capacity] a hash table; block LIN_NONE: free
  size_t capacity;
  double entered; // times that D is run
  double saved, paid;
} estimator;

static uint8_t side_of(const estimator *e, uint32_t value) {
  return value < e->code->num_ops ? e->f->side[e->f->block_of[value]] : 0;
}

// The one that stays of two that are melded.
static uint32_t melded(const estimator *e, uint32_t value) {
  return side_of(e, value) == 2 && e->melds->partner[value] != LIN_NONE ? e->melds->partner[value]
                                                                        : value;
}

static bool is_outside(const estimator *e, uint32_t value) { return side_of(e, value) == 0; }

// Computed where threads of its arm alone come.
static bool is_of_one_arm(const estimator *e, uint32_t value) {
  return !is_outside(e, value) &&
         (e->melds->twin[e->f->block_of[value]] == LIN_NONE || e->f->is_guarded[value]);
}

static bool is_new(const estimator *e, choice c) {
  size_t hash = ((size_t)c.value[0] * 31 + c.value[1]) * 0x9E3779B97F4A7C15u + c.block;
  size_t at = (hash ^ hash >> 29) & (e->capacity - 1);
  while (e->made[at].block != LIN_NONE) {
    const choice *is = &e->made[at];
    if (is->value[0] == c.value[0] && is->value[1] == c.value[1] && is->block == c.block)
      return false;
    at = (at + 1) & (e->capacity - 1);
  }
  e->made[at] = c;
  return true;
}

// Values from above D are chosen there, for all iterations of a loop; what is computed in blocks of
// either arm meets in a phi.
static void choose(estimator *e, lin_block block, uint32_t a, uint32_t b) {
  a = melded(e, a);
  b = melded(e, b);
  if (a == b)
    return;
  const double times = e->f->times[block];
  const bool outside = is_outside(e, a) && is_outside(e, b);
  const bool above = outside && times > e->entered;
  if (!is_new(e, (choice){{a, b}, above ? e->arms->branch : block}))
    return;
  const bool meet = !outside && (is_outside(e, a) || is_of_one_arm(e, a)) &&
                    (is_outside(e, b) || is_of_one_arm(e, b));
  e->paid += (meet ? 0.5 : 1) * (above ? e->entered : times);
}

static void compare_operands(estimator *e, lin_block block, uint32_t a, uint32_t b) {
  const lin_meld_op *op[2] = {&e->code->op[a], &e->code->op[b]};
  const uint32_t *x = &e->code->operand[op[0]->first_operand];
  const uint32_t *y = &e->code->operand[op[1]->first_operand];
  uint32_t count = op[0][1].first_operand - op[0]->first_operand;
  bool swaps = (op[0]->flags & LIN_MELD_COMMUTES) != 0 && melded(e, x[0]) != melded(e, y[0]) &&
               melded(e, x[1]) != melded(e, y[1]) &&
               (melded(e, x[0]) == melded(e, y[1]) || melded(e, x[1]) == melded(e, y[0]));
  for (uint32_t i = 0; i < count; i++)
    choose(e, block, x[i], y[swaps && i < 2 ? 1 - i : i]);
}

static void walk_twins(estimator *e, lin_block block, double times, double both) {
  lin_meld_step step = {.is_last = false};
  while (lin_meld_next(e->code, e->melds, block, &step)) {
    e->paid += step.guarded ? (LIN_COST_OF_TEST + LIN_COST_OF_SET) * times : 0;
    for (uint32_t arm = 0; arm < 2; arm++)
      for (uint32_t i = step.first[arm]; i < step.end[arm]; i++)
        e->f->is_guarded[i] = step.guarded;
    uint32_t a = step.end[0], b = step.end[1];
    if (e->melds->partner[a] != b)
      continue;
    e->f->is_guarded[a] = e->f->is_guarded[b] = false;
    e->saved += e->code->op[a].cost * both;
    compare_operands(e, block, a, b);
  }
}

static bool same_place(const estimator *e, lin_block a, lin_block b) {
  return a == b || e->melds->twin[a] == b;
}

static void leave_twins(estimator *e, lin_block block, double times) {
  const lin_graph *graph = e->code->analysis->graph;
  lin_block twin = e->melds->twin[block];
  uint32_t end = e->code->first_op[block + 1] - 1, guards = 0;
  if (e->melds->partner[end] == LIN_NONE) {
    guards = 1;
  } else {
    bool turned = lin_meld_is_turned(e->code, e->melds, block);
    const lin_block *a = &graph->destination[graph->first_edge[block]];
    const lin_block *b = &graph->destination[graph->first_edge[twin]];
    for (uint32_t i = 0; i < lin_out_degree(graph, block); i++)
      guards += !same_place(e, a[i], b[turned ? 1 - i : i]);
  }
  e->paid += guards * (LIN_COST_OF_TEST + LIN_COST_OF_SET) * times;
}

void lin_meld_estimate(const lin_meld_facts *facts, const lin_melds *melds, lin_meld_arms *arms) {
  lin_arena scratch = {0};
  const lin_meld_code *code = facts->code;
  estimator e = {.f = facts,
                 .melds = melds,
                 .code = code,
                 .arms = arms,
                 .capacity = 16,
                 .entered = facts->times[arms->branch]};
  size_t operands = 0;
  arms->before = 0;
  for (uint32_t i = 0; i < arms->count[0] + arms->count[1]; i++) {
    lin_block block = arms->block[i];
    operands += code->op[code->first_op[block + 1]].first_operand -
                code->op[code->first_op[block]].first_operand;
    for (uint32_t op = code->first_op[block]; op < code->first_op[block + 1]; op++)
      arms->before += code->op[op].cost * facts->times[block] / e.entered;
  }
  while (e.capacity < 2 * operands)
    e.capacity *= 2;
  e.made = LIN_ARRAY(&scratch, choice, e.capacity);
  for (size_t i = 0; i < e.capacity; i++)
    e.made[i].block = LIN_NONE;
  for (uint32_t i = 0; i < arms->count[0]; i++) {
    lin_block block = arms->block[i], twin = melds->twin[block];
    if (twin == LIN_NONE)
      continue;
    double a = facts->times[block], b = facts->times[twin];
    walk_twins(&e, block, a > b ? a : b, a < b ? a : b);
    leave_twins(&e, block, a > b ? a : b);
  }
  arms->after = arms->before + (e.paid - e.saved) / e.entered;
  lin_arena_release(&scratch);
}

double lin_meld_cost_of(const lin_meld_code *code, lin_block block) {
  const uint32_t ways = lin_out_degree(code->analysis->graph, block);
  double sum = ways < 2 ? 0 : ways / 2.0;
  for (uint32_t op = code->first_op[block]; op < code->first_op[block + 1]; op++)
    sum += (code->op[op].flags & LIN_MELD_PHI) != 0 ? 0.5 : code->op[op].cost;
  return sum;
}

lin_meld_price lin_meld_price_of(lin_arena *arena, const lin_meld_code *code, bool lock_step) {
  const lin_analysis *analysis = code->analysis;
  const lin_joins *joins = lin_joins_find(arena, analysis, false, lock_step);
  const lin_ways *ways = lin_ways_find(arena, joins->compiled, joins);
  const double *passes = lin_estimate_passes(arena, joins->compiled, joins, ways);
  const lin_meld_facts *facts = lin_meld_facts_find(arena, code);
  lin_meld_price price = {.times = LIN_ARRAY(arena, double, analysis->graph->num_blocks),
                          .times_serially = facts->times};
  for (lin_block block = 0; block < analysis->graph->num_blocks; block++) {
    price.times[block] = facts->times[block] * passes[block];
    price.total += price.times[block] * lin_meld_cost_of(code, block);
    price.serial += facts->times[block] * lin_meld_cost_of(code, block);
  }
  return price;
}

double lin_meld_counted(const lin_meld_code *code) {
  const lin_graph *graph = code->analysis->graph;
  double sum = 0;
  for (lin_block block = 0; graph->visits != NULL && block < graph->num_blocks; block++)
    sum += graph->visits[block].passes * lin_meld_cost_of(code, block);
  return sum;
}

bool lin_meld_is_enough(const lin_meld_code *code, double gain, double before) {
  const bool is_small = gain < (double)LIN_MELD_USUAL_GAIN;
  const double share = code->sure ? SURE_SHARE : is_small ? LARGE_SHARE : LEAST_SHARE;
  return code->regardless || (gain >= lin_meld_least_gain(code) && gain >= share * before);
}

bool lin_meld_is_plain(const lin_meld_code *code, const lin_meld_arms *arms) {
  const lin_graph *graph = code->analysis->graph;
  const lin_block *to = &graph->destination[graph->first_edge[arms->branch]];
  return lin_out_degree(graph, arms->branch) == 2 &&
         ((to[0] == arms->arm[0] && to[1] == arms->arm[1]) ||
          (to[0] == arms->arm[1] && to[1] == arms->arm[0]));
}

double lin_meld_gain(const lin_meld_code *code, const lin_meld_arms *arms, bool serially,
                     const lin_meld_price *before, const lin_meld_price *after) {
  const double *times = serially ? before->times_serially : before->times;
  const double gain = serially ? before->serial - after->serial : before->total - after->total;
  double has[2] = {0};
  for (uint32_t i = 0; i < arms->count[0] + arms->count[1]; i++)
    has[i < arms->count[0] ? 0 : 1] +=
        times[arms->block[i]] * lin_meld_cost_of(code, arms->block[i]);
  const double shorter = has[0] < has[1] ? has[0] : has[1], all = has[0] + has[1];
  return all == 0 ? 0 : (gain < shorter ? gain : shorter) * arms->before / all;
}

bool lin_meld_agrees(const lin_graph *graph, lin_block branch) {
  if (graph->visits == NULL)
    return false;
  double passes = 0;
  for (LIN_OUT_EDGES(graph, branch, edge)) {
    const lin_block to = graph->destination[edge];
    if (lin_in_degree(graph, to) > 1)
      return false;
    passes += graph->visits[to].passes;
  }
  return passes <= MOST_WAYS * graph->visits[branch].passes;
}
