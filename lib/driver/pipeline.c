#include "pipeline.h"

#include "choose/arms.h"
#include "linearize/o4_share.h"

#include <string.h>

// The level at which regions are arranged.
static int level_of(const lin_options *options) {
  int most = lin_modes[options->policy.mode].most_level;
  return options->level < most ? options->level : most;
}

static void plan_and_lower(lin_arena *arena, const lin_options *options, const bool *flat,
                           lin_result *result) {
  lin_basis basis = lin_policy_basis(&options->policy);
  lin_plan_options plan_options = {
      .keep_subregions = basis != LIN_OF_FUNCTION && basis != LIN_OF_SCOPES,
      .level = level_of(options),
      .flat = flat,
      .plain = result->refusals.plain,
      .stage = result->sides == NULL ? NULL : lin_interleave_stages(arena, result->shape.analysis),
      .merged = result->nests == NULL ? NULL : result->nests->merged};
  result->plan =
      lin_plan_build(arena, result->shape.analysis, result->regions, result->seed, &plan_options);
  result->flow = lin_flow_build(arena, result->plan);
}

// Guards in the form that costs least, which needs no more phis than Algorithm 1's: that is planned
// first, to be compared with. Plans take most of the memory that a large function needs: only the
// last one is kept.
static void plan_by_cost(lin_arena *arena, const lin_options *options, lin_result *result) {
  uint32_t regions = result->regions->num_regions;
  bool *flat = LIN_ARRAY(arena, bool, regions);
  uint32_t *allowed = LIN_ARRAY(arena, uint32_t, regions);
  lin_arena attempt = {0};
  memset(flat, true, regions * sizeof *flat);
  plan_and_lower(&attempt, options, flat, result);
  memcpy(allowed, lin_share_count_phis(&attempt, result->flow), regions * sizeof *allowed);
  memset(flat, false, regions * sizeof *flat);
  do {
    lin_arena_release(&attempt);
    plan_and_lower(&attempt, options, flat, result);
  } while (!lin_share_guards(&attempt, result->plan, &result->flow, allowed, flat));
  lin_arena_absorb(arena, &attempt);
}

enum { KEPT_OUT = LIN_REFUSED | LIN_CROSS_LANE }; // of regions chosen without unstructured edges

// What the mode is after: edges, or regions.
static void find_seeds(lin_arena *arena, const lin_policy *policy, lin_result *result) {
  const lin_analysis *a = result->shape.analysis;
  lin_nest_options options = {policy->divergence_known, policy->lock_step, policy->regardless,
                              policy->counts_ended};
  result->nests = NULL;
  result->depths = NULL;
  result->sides = NULL;
  switch (lin_policy_basis(policy)) {
  case LIN_OF_NESTS:
    result->nests = lin_nests_find(arena, a, &options);
    result->seed = lin_nests_seeds(arena, a, result->nests);
    break;
  case LIN_OF_SCOPES:
    result->depths =
        lin_depths_find(arena, a, policy->divergence_known, policy->most_nested, KEPT_OUT);
    result->seed = LIN_ARRAY(arena, bool, a->graph->num_edges);
    break;
  case LIN_OF_ARMS:
    result->sides = lin_interleave_regions(arena, a, policy->divergence_known);
    result->seed = LIN_ARRAY(arena, bool, a->graph->num_edges);
    break;
  case LIN_OF_EDGES:
  case LIN_OF_FUNCTION:
    result->seed = lin_policy_seeds(arena, a, result->joins, policy);
  }
}

static void choose_regions(lin_arena *arena, const lin_policy *policy, lin_result *result) {
  const lin_analysis *a = result->shape.analysis;
  if (lin_policy_basis(policy) == LIN_OF_FUNCTION)
    result->regions = lin_regions_whole(arena, a);
  else if (result->depths != NULL)
    result->regions = result->depths->regions;
  else if (result->sides != NULL)
    result->regions = result->sides;
  else
    result->regions = lin_regions_build(arena, a, result->seed);
  result->refusals =
      lin_policy_apply(arena, a, result->joins, policy, result->regions, result->seed);
}

void lin_linearize_shape(lin_arena *arena, const lin_shape *shape, const lin_options *options,
                         lin_result *result) {
  const lin_analysis *a = shape->analysis;
  const lin_policy *policy = &options->policy;
  result->shape = *shape;
  result->joins = lin_joins_find(arena, a, policy->divergence_known, policy->lock_step);
  find_seeds(arena, policy, result);
  choose_regions(arena, policy, result);
  if (lin_policy_drop_seeds(a, result->regions, &result->refusals, result->seed))
    choose_regions(arena, policy, result);
  if (result->nests != NULL)
    lin_nests_keep(a, result->regions, result->nests);
  result->num_regions = 0;
  result->plan = NULL;
  result->flow = NULL;
  for (uint32_t region = 0; region < result->regions->num_regions; region++)
    result->num_regions += !result->regions->gone[region];
  if (result->num_regions == 0)
    return;
  if (level_of(options) >= 3 && lin_policy_basis(policy) == LIN_OF_EDGES)
    lin_arms_take(arena, a, result->regions, result->refusals.plain,
                  lin_policy_most_blocks(policy));

  if (level_of(options) < 4)
    plan_and_lower(arena, options, NULL, result);
  else
    plan_by_cost(arena, options, result);
}

lin_status lin_linearize(lin_arena *arena, const lin_graph *input, const lin_options *options,
                         lin_result *result) {
  const lin_status status = lin_status_of(input);
  if (!lin_ok(status))
    return status;
  const lin_shape shape = lin_shape_build(arena, input);
  lin_linearize_shape(arena, &shape, options, result);
  return status;
}
