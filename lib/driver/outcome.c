// 1. Find the minimal regions, and again the regions of the wanted edges, as they were before some
//    were refused and others dissolved.
// 2. Each unstructured edge says what became of the minimal region that it makes.
// 3. Measure: blocks, instructions, what a warp runs of them.
#include "outcome.h"

#include "choose/estimate.h"

#include <string.h>

// ---- regions that are linearized

// A flag is a branch; an integer is compared, an interval of it after a subtraction.
static uint32_t cost_of_test(const lin_plan *plan, const lin_node *node) {
  if (plan->guard[node->guard].is_flag)
    return 1;
  return node->low == node->high || node->low == 0 ? 2 : 3;
}

lin_linearized *lin_linearized_build(lin_arena *arena, const lin_result *result) {
  const lin_plan *plan = result->plan;
  const lin_graph *graph = result->shape.order->graph;
  lin_linearized *all = LIN_ARRAY(arena, lin_linearized, result->regions->num_regions);
  for (lin_block block = graph->num_blocks; block-- > 0;) {
    uint32_t region = result->regions->owner[block];
    if (region == LIN_NONE)
      continue;
    if (all[region].blocks++ == 0)
      all[region].cross_lane = LIN_NONE;
    all[region].first = block;
    if ((graph->flags[block] & LIN_CROSS_LANE) != 0)
      all[region].cross_lane = block;
  }
  for (uint32_t i = 0; plan != NULL && i < plan->num_nodes; i++) {
    const lin_node *node = &plan->node[i];
    if (!lin_node_is_guarded(node))
      continue;
    all[node->region].guards++;
    all[node->region].cost += cost_of_test(plan, node);
  }
  return all;
}

// ---- what became of the minimal regions

typedef struct telling {
  const lin_result *result;
  const lin_analysis *a;
  const lin_policy *policy;
  const lin_minimal *minimal;
  const lin_regions *before; // of the wanted edges
  const bool *is_refused;    // [before->num_regions]
  const lin_verdict *verdict;
  lin_outcomes *outcomes;
} telling;

static uint32_t number_of_edge(const telling *t, lin_edge edge) {
  return t->minimal->number[t->minimal->of_edge[edge]];
}

static void raise_fate(lin_outcome *outcome, lin_fate fate) {
  if (fate > outcome->fate)
    outcome->fate = fate;
}

static void raise_verdict(lin_outcome *outcome, lin_verdict verdict) {
  raise_fate(outcome, LIN_FATE_UNWORTHY);
  if (verdict > outcome->verdict)
    outcome->verdict = verdict;
}

// `*region` becomes the outermost of itself and `other`: minimal regions around others come later.
static void widen(uint32_t *region, uint32_t other) {
  if (*region == LIN_NONE || other > *region)
    *region = other;
}

// Where an edge that the mode wanted is now.
static void follow_edge(const telling *t, lin_edge edge, lin_outcome *outcome) {
  uint32_t now = lin_region_of_edge(t->a, t->result->regions, edge);
  uint32_t before = lin_region_of_edge(t->a, t->before, edge);
  uint32_t region = t->minimal->of_edge[edge];
  if (lin_policy_basis(t->policy) == LIN_OF_FUNCTION) {
    raise_fate(outcome, t->result->num_regions > 0 ? LIN_FATE_PART : LIN_FATE_REFUSED);
  } else if (now != LIN_NONE) {
    raise_fate(outcome, LIN_FATE_PART);
    widen(&t->outcomes->number[now], region);
  } else if (t->is_refused[before]) {
    raise_fate(outcome, LIN_FATE_REFUSED);
    widen(&t->outcomes->number_of_refused[before], region);
  } else {
    raise_verdict(outcome, t->result->refusals.verdict[before]);
  }
}

static void follow_edges(const telling *t) {
  for (lin_edge edge = 0; edge < t->a->graph->num_edges; edge++) {
    if (t->minimal->of_edge[edge] == LIN_NONE)
      continue;
    lin_outcome *outcome = &t->outcomes->outcome[number_of_edge(t, edge)];
    if (t->result->seed[edge]) {
      follow_edge(t, edge, outcome);
      outcome->gains |= t->verdict[edge] == LIN_VERDICT_WORTH_IT;
    } else if (lin_modes[t->policy->mode].gains && t->policy->num_only == 0) {
      raise_verdict(outcome, t->verdict[edge] == LIN_VERDICT_WORTH_IT
                                 ? LIN_VERDICT_DEAR // was dropped
                                 : t->verdict[edge]);
    }
  }
}

// Of the regions that were refused with edges of a minimal region in them, the outermost.
static void refuse_with(const telling *t, lin_edge edge, lin_outcome *outcome) {
  uint32_t before = lin_region_of_edge(t->a, t->before, edge);
  if (t->is_refused[before])
    outcome->into = t->outcomes->number_of_refused[before];
}

// From regions to their numbers.
static void number_regions(const telling *t) {
  lin_outcomes *o = t->outcomes;
  for (uint32_t region = 0; region < t->before->num_regions; region++) {
    if (o->number[region] != LIN_NONE) {
      o->number[region] = t->minimal->number[o->number[region]];
      o->outcome[o->number[region]].fate = LIN_FATE_LINEARIZED;
    }
    if (o->number_of_refused[region] != LIN_NONE)
      o->number_of_refused[region] = t->minimal->number[o->number_of_refused[region]];
  }
  for (lin_edge edge = 0; edge < t->a->graph->num_edges; edge++) {
    if (!t->result->seed[edge] || t->minimal->of_edge[edge] == LIN_NONE)
      continue;
    lin_outcome *outcome = &o->outcome[number_of_edge(t, edge)];
    uint32_t now = lin_region_of_edge(t->a, t->result->regions, edge);
    if (now != LIN_NONE)
      outcome->into = o->number[now];
    else if (outcome->fate == LIN_FATE_REFUSED && lin_policy_basis(t->policy) != LIN_OF_FUNCTION)
      refuse_with(t, edge, outcome);
  }
}

// ---- numbers

static void measure_blocks(const telling *t) {
  const lin_regions *regions = t->minimal->regions;
  const lin_graph *graph = t->a->graph;
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    if (regions->owner[block] == LIN_NONE)
      continue;
    lin_outcome *o = &t->outcomes->outcome[t->minimal->number[regions->owner[block]]];
    o->first = o->blocks++ == 0 ? block : o->first;
    o->instructions += graph->cost[block];
  }
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    if (regions->parent[region] == LIN_NONE)
      continue;
    lin_outcome *inner = &t->outcomes->outcome[t->minimal->number[region]];
    inner->around = t->minimal->number[regions->parent[region]];
    lin_outcome *around = &t->outcomes->outcome[inner->around];
    if (around->blocks == 0 || inner->first < around->first)
      around->first = inner->first;
    around->blocks += inner->blocks;
    around->instructions += inner->instructions;
  }
}

// Each one in which another is linearized is marked once.
static void find_inner(lin_outcomes *o) {
  for (uint32_t number = 0; number < o->count; number++)
    for (uint32_t around = o->outcome[number].around;
         o->outcome[number].fate == LIN_FATE_LINEARIZED && around != LIN_NONE &&
         o->outcome[around].inner == LIN_NONE;
         around = o->outcome[around].around)
      o->outcome[around].inner = number;
}

// Where those whose verdict is LIN_VERDICT_CALLS have their call: in a loop of one of their edges,
// or of one of their blocks.
static void find_foreign(const telling *t, lin_arena *arena) {
  const lin_graph *graph = t->a->graph;
  const lin_loops *loops = t->a->loops;
  lin_block *of_loop = LIN_ARRAY(arena, lin_block, loops->num_loops);
  for (uint32_t loop = 0; loop < loops->num_loops; loop++)
    of_loop[loop] = LIN_NONE;
  for (lin_block block = graph->num_blocks; block-- > 0;)
    if ((graph->flags[block] & LIN_FOREIGN) != 0 && loops->loop_of[block] != 0)
      of_loop[loops->loop_of[block]] = block;
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    if (t->minimal->of_edge[edge] == LIN_NONE)
      continue;
    lin_outcome *o = &t->outcomes->outcome[number_of_edge(t, edge)];
    lin_block from = of_loop[loops->loop_of[graph->source[edge]]];
    lin_block to = of_loop[loops->loop_of[graph->destination[edge]]];
    if (o->verdict == LIN_VERDICT_CALLS && o->foreign == LIN_NONE)
      o->foreign = from != LIN_NONE ? from : to;
  }
  for (lin_block block = 0; block < graph->num_blocks; block++)
    for (uint32_t region = t->minimal->regions->owner[block]; region != LIN_NONE;
         region = t->minimal->regions->parent[region]) {
      lin_outcome *o = &t->outcomes->outcome[t->minimal->number[region]];
      if (o->verdict == LIN_VERDICT_CALLS && o->foreign == LIN_NONE)
        o->foreign = of_loop[loops->loop_of[block]];
    }
}

// The edges that are, or would be, the reason to linearize their regions.
static bool *find_wanted(const telling *t, lin_arena *arena) {
  uint32_t num_edges = t->a->graph->num_edges;
  bool *wanted = LIN_ARRAY(arena, bool, num_edges);
  for (lin_edge edge = 0; edge < num_edges; edge++)
    wanted[edge] = t->result->seed[edge] || t->verdict[edge] == LIN_VERDICT_WORTH_IT;
  return wanted;
}

typedef struct guesses {
  uint32_t branches, weighed, blocks;
  uint32_t count;
  lin_block header[LIN_NAMED_LOOPS];
} guesses;

// [regions->num_regions]
static guesses *find_guesses(lin_arena *arena, const lin_analysis *a, const lin_ways *ways,
                             const lin_regions *regions) {
  guesses *all = LIN_ARRAY(arena, guesses, regions->num_regions);
  for (uint32_t loop = 1; loop < a->loops->num_loops; loop++) {
    lin_block header = a->loops->header[loop];
    uint32_t region = ways->guessed[loop] ? regions->owner[header] : LIN_NONE;
    for (; region != LIN_NONE; region = regions->parent[region]) {
      if (all[region].count < LIN_NAMED_LOOPS)
        all[region].header[all[region].count] = header;
      all[region].count++;
    }
  }
  return all;
}

static bool is_weighed(const lin_graph *graph, lin_block block) {
  for (LIN_OUT_EDGES(graph, block, edge))
    if (graph->weight[edge] != 0)
      return true;
  return false;
}

static void count_branches(const telling *t, const lin_regions *regions, guesses *all) {
  for (lin_block block = 0; block < t->a->graph->num_blocks; block++)
    for (uint32_t region = regions->owner[block]; region != LIN_NONE;
         region = regions->parent[region]) {
      bool parts = lin_joins_is_parted(t->result->joins, block, block + 1);
      all[region].blocks++;
      all[region].branches += parts;
      all[region].weighed += parts && is_weighed(t->a->graph, block);
    }
}

// Guesses at loops in loops multiply.
static uint64_t as_count(double estimate) {
  static const double most = 1e15;
  return estimate > most ? (uint64_t)most : estimate > 0 ? (uint64_t)(estimate + 0.5) : 0;
}

static void measure_gain(const telling *t, lin_arena *arena) {
  const bool *wanted = find_wanted(t, arena);
  const lin_regions *regions = lin_regions_build(arena, t->a, wanted);
  const lin_ways *ways = lin_ways_find(arena, t->result->joins->compiled, t->result->joins);
  const lin_estimate *estimate =
      lin_estimate_regions(arena, t->a, t->result->joins, ways, regions, wanted);
  guesses *all = find_guesses(arena, t->result->joins->compiled, ways, regions);
  count_branches(t, regions, all);
  for (lin_edge edge = 0; edge < t->a->graph->num_edges; edge++) {
    uint32_t region = wanted[edge] ? lin_region_of_edge(t->a, regions, edge) : LIN_NONE;
    if (region == LIN_NONE || t->minimal->of_edge[edge] == LIN_NONE)
      continue;
    const lin_estimate *e = &estimate[region];
    lin_outcome *o = &t->outcomes->outcome[number_of_edge(t, edge)];
    if ((double)o->executed > e->total)
      continue;
    o->executed = as_count(e->total);
    o->gain = as_count(e->saved);
    o->guards = as_count(e->guards);
    o->num_guessed = all[region].count;
    o->branches = all[region].branches;
    o->weighed = all[region].weighed;
    o->rests_on = all[region].blocks;
    memcpy(o->guessed, all[region].header, sizeof o->guessed);
  }
}

static void measure_largest(const telling *t, lin_arena *arena) {
  const lin_graph *graph = t->a->graph;
  uint64_t *cost = LIN_ARRAY(arena, uint64_t, graph->num_blocks); // with what it dominates
  for (lin_block block = graph->num_blocks; block-- > 0;) {
    cost[block] += graph->cost[block];
    if (block > 0)
      cost[t->a->dominators->parent[block]] += cost[block];
  }
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    if (t->minimal->of_edge[edge] == LIN_NONE)
      continue;
    lin_outcome *o = &t->outcomes->outcome[number_of_edge(t, edge)];
    uint64_t behind = cost[graph->destination[edge]];
    if (t->verdict[edge] == o->verdict && behind > o->largest)
      o->largest = behind;
  }
}

static uint32_t *nowhere(lin_arena *arena, uint32_t count) {
  uint32_t *numbers = LIN_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    numbers[i] = LIN_NONE;
  return numbers;
}

lin_outcomes *lin_outcomes_build(lin_arena *arena, const lin_result *result,
                                 const lin_policy *policy) {
  uint32_t count = result->regions->num_regions;
  lin_outcomes *outcomes = LIN_NEW(arena, lin_outcomes);
  bool *is_refused = LIN_ARRAY(arena, bool, count);
  for (uint32_t i = 0; i < result->refusals.count; i++)
    is_refused[result->refusals.refusal[i].region] = true;
  telling t = {
      .result = result,
      .a = result->shape.analysis,
      .policy = policy,
      .minimal = lin_minimal_build(arena, result->shape.analysis),
      .before = lin_policy_basis(policy) == LIN_OF_FUNCTION
                    ? lin_regions_whole(arena, result->shape.analysis)
                    : lin_regions_build(arena, result->shape.analysis, result->seed),
      .is_refused = is_refused,
      .verdict = lin_worth_edges(arena, result->shape.analysis, result->joins, policy->least_cost),
      .outcomes = outcomes};
  outcomes->count = t.minimal->regions->num_regions;
  outcomes->outcome = LIN_ARRAY(arena, lin_outcome, outcomes->count);
  for (uint32_t number = 0; number < outcomes->count; number++)
    outcomes->outcome[number].into = outcomes->outcome[number].foreign =
        outcomes->outcome[number].around = outcomes->outcome[number].inner = LIN_NONE;
  outcomes->number = nowhere(arena, count);
  outcomes->number_of_refused = nowhere(arena, count);
  follow_edges(&t);
  number_regions(&t);
  measure_blocks(&t);
  find_inner(outcomes);
  find_foreign(&t, arena);
  measure_gain(&t, arena);
  measure_largest(&t, arena);
  return outcomes;
}
