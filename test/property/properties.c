#include "properties.h"

#include "check/check_facts.h"
#include "driver/outcome.h"
#include "linearize/guards.h"
#include "random_graph.h"

#include <string.h>

const lin_mode property_mode[] = {LIN_MODE_PAPER,     LIN_MODE_IRREDUCIBLE, LIN_MODE_ALL,
                                  LIN_MODE_NEEDED,    LIN_MODE_MERGE_LOOPS, LIN_MODE_LIMIT_DEPTH,
                                  LIN_MODE_INTERLEAVE};
const char *const property_mode_name[] = {"paper",       "irreducible", "all",       "needed",
                                          "merge-loops", "limit-depth", "interleave"};

// Optimising guards never makes more of them or more blocks, nor more phis than it saves guards:
// where a region takes arms, phis join what they set. A graph has no other values.
static const char *check_levels(lin_arena *arena, const lin_graph *graph, lin_options options) {
  uint32_t guards[2], blocks[2], phis[2];
  for (int i = 0; i < 2; i++) {
    lin_result result;
    options.level = i == 0 ? 0 : PROPERTY_LEVELS - 1;
    lin_linearize(arena, graph, &options, &result);
    guards[i] = result.flow->num_guards;
    blocks[i] = result.flow->graph->num_blocks;
    phis[i] = lin_guard_phis_build(arena, result.flow)->total;
  }
  bool any = options.policy.mode > LIN_MODE_MERGE_LOOPS; // have a form of their own for guards
  if (guards[1] <= guards[0] && blocks[1] <= blocks[0] &&
      (any || phis[1] + guards[1] <= phis[0] + guards[0]))
    return NULL;
  return lin_check_describe(arena,
                            "levels: O0 has %u guards, %u blocks and %u phis, O4 has %u, %u and %u",
                            guards[0], blocks[0], phis[0], guards[1], blocks[1], phis[1]);
}

// Without the exit that returns are united in.
static uint32_t num_reached(const lin_graph *graph, const lin_order *order) {
  uint32_t count = 0;
  for (lin_block block = 0; block < order->graph->num_blocks; block++)
    count += order->origin[block] < graph->num_blocks;
  return count;
}

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const char *wrong = (call);                                                                    \
    if (wrong != NULL)                                                                             \
      return wrong;                                                                                \
  } while (0)

// The checks that take longest look at large graphs in one mode only.
static bool is_sampled(const lin_graph *graph, const property_case *test) {
  uint64_t state = test->seed;
  return graph->num_blocks <= 500 || random_below(&state, PROPERTY_MODES) == test->mode;
}

static uint32_t num_warps(const lin_graph *graph, const property_case *test) {
  if (!is_sampled(graph, test))
    return 0;
  return graph->num_blocks < 200 ? 3 : 1;
}

static const char *check_flow(lin_arena *arena, const lin_graph *graph, const lin_result *result,
                              const property_case *test) {
  lin_mode mode = property_mode[test->mode];
  if (mode != LIN_MODE_ALL)
    CHECK(lin_check_leaves(arena, result->plan, result->seed));
  CHECK(lin_check_blocks(arena, result->flow));
  CHECK(lin_check_edges(arena, result->flow));
  CHECK(lin_check_traces(arena, graph, result, test->seed, 4));
  if (is_sampled(graph, test))
    CHECK(lin_check_values(arena, result->flow, test->seed));
  CHECK(lin_check_structure(arena, result->flow, mode));
  CHECK(lin_check_size(arena, result->flow));
  for (uint32_t warp = 0; warp < num_warps(graph, test); warp++)
    CHECK(lin_check_warp(arena, result->flow, mode, test->seed + warp, graph->num_blocks / 2 + 40));
  return NULL;
}

static bool is_named(const uint32_t *numbers, uint32_t count, uint32_t number) {
  for (uint32_t i = 0; i < count; i++)
    if (numbers[i] == number)
      return true;
  return false;
}

// Every unstructured edge is of a minimal region, and of each of these there is something to say.
static const char *check_told(lin_arena *arena, const lin_result *result,
                              const lin_policy *policy) {
  const lin_analysis *a = result->shape.analysis;
  const lin_minimal *minimal = lin_minimal_build(arena, a);
  const lin_outcomes *told = lin_outcomes_build(arena, result, policy);
  uint32_t regions = result->regions->num_regions;
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++)
    if (a->kinds[edge] != 0 && minimal->of_edge[edge] == LIN_NONE)
      return lin_check_describe(arena, "told: edge %u is of no region", edge);
  for (uint32_t number = 0; number < told->count; number++) {
    lin_fate fate = told->outcome[number].fate;
    uint32_t into = fate == LIN_FATE_REFUSED ? told->outcome[number].into : number;
    const uint32_t *numbers = fate == LIN_FATE_LINEARIZED ? told->number : told->number_of_refused;
    bool is_worth_it = told->outcome[number].verdict == LIN_VERDICT_WORTH_IT;
    bool is_whole = lin_policy_basis(policy) == LIN_OF_FUNCTION;
    if (is_whole ? fate == LIN_FATE_REFUSED && result->refusals.count == 0
                 : ((fate == LIN_FATE_LINEARIZED || fate == LIN_FATE_REFUSED) &&
                    !is_named(numbers, regions, into)) ||
                       (fate == LIN_FATE_UNWORTHY && is_worth_it))
      return lin_check_describe(arena, "told: nothing is said of region %u", number);
  }
  return NULL;
}

// The same where threads run in lock step, and more is refused.
static const char *check_told_in_lock_step(lin_arena *arena, const lin_graph *graph,
                                           lin_options options) {
  lin_result result;
  options.policy.lock_step = true;
  lin_linearize(arena, graph, &options, &result);
  return check_told(arena, &result, &options.policy);
}

const char *property_violation(lin_arena *arena, const lin_graph *graph, const property_case *test,
                               property_stats *stats) {
  lin_mode mode = property_mode[test->mode];
  bool known = mode == LIN_MODE_NEEDED && test->seed % 2 == 0;
  lin_options options = {.policy = {.mode = mode,
                                    .divergence_known = known,
                                    .regardless = true,
                                    .most_nested = 1 + (uint32_t)(test->seed % 4)},
                         .level = test->level};
  lin_result result;
  if (mode == LIN_MODE_INTERLEAVE)
    graph = random_two_sided(arena, test->seed);
  if (!lin_ok(lin_linearize(arena, graph, &options, &result)))
    return "pipeline: the graph is refused";
  stats->num_blocks = num_reached(graph, result.shape.order);
  if (test->mode == 0) { // the same in each
    CHECK(lin_check_order(arena, result.shape.united, result.shape.order));
    CHECK(lin_check_analysis(arena, result.shape.analysis));
  }
  if (mode != LIN_MODE_ALL && mode != LIN_MODE_LIMIT_DEPTH && mode != LIN_MODE_INTERLEAVE)
    CHECK(lin_check_regions(arena, result.shape.analysis,
                            lin_regions_build(arena, result.shape.analysis, result.seed),
                            result.seed, &stats->sizes));
  if (mode < LIN_MODE_MERGE_LOOPS)
    CHECK(check_told(arena, &result, &options.policy));
  if (mode < LIN_MODE_MERGE_LOOPS && is_sampled(graph, test))
    CHECK(check_told_in_lock_step(arena, graph, options));
  if (result.flow == NULL)
    return NULL;
  CHECK(check_flow(arena, graph, &result, test));
  if (is_sampled(graph, test))
    CHECK(check_levels(arena, graph, options));
  if (mode == LIN_MODE_ALL)
    options.policy.mode = LIN_MODE_PAPER;
  // A refused region may fall apart when those in it are done; what is worth it is another question
  // where guards cost something and part threads; and loops beside a merged one may be merged next.
  if (result.refusals.count == 0 && mode < LIN_MODE_MERGE_LOOPS && mode != LIN_MODE_NEEDED)
    CHECK(lin_check_again(arena, result.flow, &options));
  return NULL;
}

bool property_same_check(const char *a, const char *b) {
  return strncmp(a, b, strcspn(a, ":") + 1) == 0;
}
