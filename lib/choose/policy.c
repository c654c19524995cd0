#include "policy.h"

#include "estimate.h"
#include "linearize/minimal.h"
#include "waiting.h"

#include <stdio.h>
#include <string.h>

bool lin_policy_is_asked(const lin_policy *policy) {
  return lin_modes[policy->mode].all_edges || policy->num_only > 0;
}

lin_basis lin_policy_basis(const lin_policy *policy) {
  lin_basis basis = lin_modes[policy->mode].basis;
  return basis == LIN_OF_FUNCTION && policy->num_only > 0 ? LIN_OF_EDGES : basis;
}

// The edges of the minimal regions that the caller chose, not of those nested in them.
static bool *choose_edges(lin_arena *arena, const lin_analysis *analysis,
                          const lin_policy *policy) {
  const lin_minimal *minimal = lin_minimal_build(arena, analysis);
  bool *chosen = LIN_ARRAY(arena, bool, minimal->regions->num_regions);
  for (uint32_t i = 0; i < policy->num_only; i++)
    if (policy->only[i] < minimal->regions->num_regions)
      chosen[minimal->region[policy->only[i]]] = true;
  bool *seed = LIN_ARRAY(arena, bool, analysis->graph->num_edges);
  for (lin_edge edge = 0; edge < analysis->graph->num_edges; edge++)
    seed[edge] = minimal->of_edge[edge] != LIN_NONE && chosen[minimal->of_edge[edge]];
  return seed;
}

bool *lin_policy_seeds(lin_arena *arena, const lin_analysis *analysis, const lin_joins *joins,
                       const lin_policy *policy) {
  if (policy->num_only > 0)
    return choose_edges(arena, analysis, policy);
  bool *seed = LIN_ARRAY(arena, bool, analysis->graph->num_edges);
  const lin_verdict *verdict = NULL;
  if (lin_modes[policy->mode].gains)
    verdict = lin_worth_edges(arena, analysis, joins, policy->least_cost);
  unsigned kinds = lin_policy_is_asked(policy) ? 0xffu : LIN_JUMP_IN;
  for (lin_edge edge = 0; edge < analysis->graph->num_edges; edge++)
    seed[edge] = (analysis->kinds[edge] & kinds) != 0 ||
                 (verdict != NULL && verdict[edge] == LIN_VERDICT_WORTH_IT);
  return seed;
}

// What is known of one region: the first block at fault for each rule, LIN_NONE if there is none.
typedef struct findings {
  lin_block refused;
  lin_block cross_lane;
  lin_block hangs; // where threads would wait for ever
  bool polls;      // in a loop of the region
  bool calls;      // code there that isn't here, and may poll
  bool divergent;
  bool irreducible;
  lin_block first;
  uint32_t blocks;
  uint64_t nesting; // the sum, over the blocks, of how many regions they are in
  uint64_t work;    // policy.h
} findings;

static void note(lin_block *first, lin_block block) {
  if (*first == LIN_NONE)
    *first = block;
}

static void find_in_block(const lin_analysis *a, const lin_regions *regions, uint32_t region,
                          lin_block block, findings *f) {
  uint32_t flags = a->graph->flags[block];
  if ((flags & LIN_REFUSED) != 0)
    note(&f->refused, block);
  if ((flags & LIN_CROSS_LANE) != 0)
    note(&f->cross_lane, block);
  lin_block header = a->loops->header[a->loops->loop_of[block]];
  if ((flags & LIN_POLLS) != 0 && a->loops->loop_of[block] != 0 &&
      lin_region_contains(regions, region, header))
    *((flags & LIN_FOREIGN) != 0 ? &f->calls : &f->polls) = true;
}

// What threads do that come late from a switch: each such join has a guard and values, with an
// operand for each case.
static void count_cases(const lin_analysis *a, const lin_joins *joins, const lin_regions *regions,
                        findings *found) {
  for (lin_block block = 1; block < a->graph->num_blocks; block++) {
    uint32_t region = regions->owner[block];
    uint32_t cases = lin_out_degree(a->graph, a->dominators->parent[block]);
    if (region != LIN_NONE && joins->late[block] && cases > 2)
      found[region].work += (uint64_t)LIN_WORK_OF_CASE * cases;
  }
}

// What needs no look at each block for each region around it: O(blocks + regions).
static findings *measure(lin_arena *arena, const lin_analysis *a, const lin_joins *joins,
                         const lin_regions *regions) {
  findings *found = LIN_ARRAY(arena, findings, regions->num_regions);
  for (uint32_t region = 0; region < regions->num_regions; region++)
    found[region] = (findings){
        .refused = LIN_NONE, .cross_lane = LIN_NONE, .hangs = LIN_NONE, .first = LIN_NONE};
  for (lin_block block = 0; block < a->graph->num_blocks; block++) {
    if (regions->owner[block] == LIN_NONE)
      continue;
    findings *f = &found[regions->owner[block]];
    note(&f->first, block);
    f->blocks++;
    f->nesting++;
    f->work += 1 + a->loops->tree->depth[a->loops->loop_of[block]];
    f->divergent |= lin_may_diverge(a->graph, block);
    f->irreducible |= a->loops->irreducible[a->loops->loop_of[block]];
  }
  count_cases(a, joins, regions, found);
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    const findings *f = &found[region];
    if (regions->parent[region] == LIN_NONE)
      continue;
    findings *around = &found[regions->parent[region]]; // comes later
    around->first = f->first < around->first ? f->first : around->first;
    around->blocks += f->blocks;
    around->nesting += f->nesting + f->blocks; // each block is in one more
    around->work += f->work + 2 * f->nesting + f->blocks;
    around->divergent |= f->divergent;
    around->irreducible |= f->irreducible;
  }
  return found;
}

// Why a region is over budget, or NULL. One around a region that is, is too.
static const char *find_excess(lin_arena *arena, const lin_policy *policy, const findings *f) {
  uint64_t most_blocks = lin_policy_most_blocks(policy);
  uint64_t most_work = lin_policy_most_work(policy);
  bool is_large = f->blocks > most_blocks;
  if (!is_large && f->work <= most_work)
    return NULL;
  char text[100];
  int length =
      snprintf(text, sizeof text, "over budget: %s is %llu, max-%s is %llu",
               is_large ? "its number of blocks" : "its work",
               (unsigned long long)(is_large ? f->blocks : f->work), is_large ? "blocks" : "work",
               (unsigned long long)(is_large ? most_blocks : most_work));
  return lin_arena_text(arena, text, (size_t)length);
}

static const char *refuse(const lin_analysis *a, const lin_policy *policy, const findings *f,
                          lin_block *block) {
  if (f->refused != LIN_NONE) {
    *block = f->refused;
    return a->graph->reason[f->refused];
  }
  if (f->hangs != LIN_NONE) {
    *block = f->hangs;
    return "threads that run in lock step could wait for each other for ever";
  }
  if (f->cross_lane != LIN_NONE && !lin_policy_is_asked(policy)) {
    *block = f->cross_lane;
    return "its result depends on which threads run together";
  }
  return NULL;
}

static bool is_divergent(const lin_analysis *a, const lin_policy *policy,
                         const lin_regions *regions, uint32_t region, const findings *f) {
  lin_block above = regions->dominator[region];
  if (lin_policy_is_asked(policy) || !policy->divergence_known || f->divergent)
    return true;
  return above != LIN_NONE && lin_may_diverge(a->graph, above); // that sends threads into it
}

// Finds where threads that run in lock step would wait for ever. Returns which regions have to be
// planned as plainly as can be, or NULL: none.
static const bool *find_hanging(lin_arena *arena, const lin_analysis *a, const lin_policy *policy,
                                const lin_regions *regions, const char *const *excess,
                                findings *found) {
  if (!policy->lock_step || policy->force)
    return NULL;
  bool *skipped = LIN_ARRAY(arena, bool, regions->num_regions);
  for (uint32_t region = 0; region < regions->num_regions; region++)
    skipped[region] = excess[region] != NULL;
  lin_waiting waiting = lin_waiting_find(arena, a, regions, skipped, policy->divergence_known);
  for (uint32_t region = 0; region < regions->num_regions; region++)
    found[region].hangs = waiting.at_fault[region];
  return waiting.plain;
}

// Asks each block about each region around it, up to the first that is over budget.
static void find_all(lin_arena *arena, const lin_analysis *a, const lin_regions *regions,
                     const char *const *excess, findings *found) {
  const lin_block *preorder = lin_tree_preorder(arena, a->dominators);
  for (uint32_t i = 0; i < a->graph->num_blocks; i++)
    for (uint32_t region = regions->owner[preorder[i]];
         region != LIN_NONE && excess[region] == NULL; region = regions->parent[region])
      find_in_block(a, regions, region, preorder[i], &found[region]);
}

// With what isn't believed.
static bool would_gain(const lin_estimate *e, double least) {
  return e->doubted > 0 && e->saved + e->doubted - e->guards >= e->total * least;
}

// Why each region is left, [num_regions]: no branch of it parts threads; or, in a mode that is
// after gains, it gains too little, or its threads poll memory until others write it, who would be
// held by guards, too. Irreducible loops that threads part in are never left, whatever they cost.
static lin_verdict *find_verdicts(lin_arena *arena, const lin_analysis *a, const lin_joins *joins,
                                  const lin_policy *policy, const lin_regions *regions,
                                  const bool *seed, const findings *found) {
  lin_verdict *verdict = LIN_ARRAY(arena, lin_verdict, regions->num_regions);
  bool chooses = lin_modes[policy->mode].gains && policy->num_only == 0;
  double least = policy->many_registers ? LIN_LEAST_GAIN_OF_MANY_REGISTERS : 0;
  least = policy->least_gain > least ? policy->least_gain : least;
  const lin_estimate *estimate = NULL;
  const bool *gains = NULL;
  if (chooses) {
    estimate = lin_estimate_regions(arena, a, joins, lin_ways_find(arena, joins->compiled, joins),
                                    regions, seed);
    gains = lin_estimate_choose(arena, estimate, regions, least,
                                policy->lock_step ? LIN_LEAST_FOR_GUARDS_IN_LOCK_STEP
                                                  : LIN_LEAST_FOR_GUARDS);
  }
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    const findings *f = &found[region];
    verdict[region] = LIN_VERDICT_WORTH_IT;
    if (!is_divergent(a, policy, regions, region, f))
      verdict[region] = LIN_VERDICT_UNIFORM;
    else if (chooses && !f->irreducible && f->polls)
      verdict[region] = LIN_VERDICT_POLLS;
    else if (chooses && !f->irreducible && f->calls)
      verdict[region] = LIN_VERDICT_CALLS;
    else if (chooses && !f->irreducible && !gains[region])
      verdict[region] = would_gain(&estimate[region], least) ? LIN_VERDICT_HOLDS : LIN_VERDICT_DEAR;
  }
  return verdict;
}

// What is wrong with a region is wrong with those around it, but not the other way round; one
// without divergent branches may lie in one that has some, and one that waits for what is around it
// in one that has that, too.
static void remove_regions(const lin_analysis *a, lin_regions *regions, bool *removed,
                           lin_refusals *refusals) {
  for (uint32_t region = regions->num_regions; region-- > 0;) {
    uint32_t around = regions->parent[region];
    if (around != LIN_NONE && !removed[around])
      removed[region] = false;
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < refusals->count; i++)
    if (removed[refusals->refusal[i].region])
      refusals->refusal[count++] = refusals->refusal[i];
  refusals->count = count;
  lin_regions_remove(regions, a->graph->num_blocks, removed);
}

lin_refusals lin_policy_apply(lin_arena *arena, const lin_analysis *analysis,
                              const lin_joins *joins, const lin_policy *policy,
                              lin_regions *regions, const bool *seed) {
  uint32_t count = regions->num_regions;
  findings *found = measure(arena, analysis, joins, regions);
  const char **excess = LIN_ARRAY(arena, const char *, count);
  for (uint32_t region = 0; region < count; region++)
    excess[region] = find_excess(arena, policy, &found[region]);
  find_all(arena, analysis, regions, excess, found);

  lin_refusals result = {.refusal = LIN_ARRAY(arena, lin_refusal, count),
                         .plain = find_hanging(arena, analysis, policy, regions, excess, found),
                         .verdict =
                             find_verdicts(arena, analysis, joins, policy, regions, seed, found)};
  bool *removed = LIN_ARRAY(arena, bool, count);
  for (uint32_t region = 0; region < count; region++) {
    lin_refusal r = {
        .region = region, .block = found[region].first, .irreducible = found[region].irreducible};
    r.over_budget = excess[region] != NULL;
    bool left = result.verdict[region] != LIN_VERDICT_WORTH_IT;
    if (!left)
      r.reason =
          r.over_budget ? excess[region] : refuse(analysis, policy, &found[region], &r.block);
    if (r.reason != NULL)
      result.refusal[result.count++] = r;
    removed[region] = r.reason != NULL || left;
  }
  remove_regions(analysis, regions, removed, &result);
  return result;
}

static bool gains_too_little(lin_verdict verdict) {
  return verdict == LIN_VERDICT_DEAR || verdict == LIN_VERDICT_HOLDS;
}

bool lin_policy_drop_seeds(const lin_analysis *analysis, const lin_regions *regions,
                           const lin_refusals *refusals, bool *seed) {
  bool any = false;
  for (lin_edge edge = 0; edge < analysis->graph->num_edges; edge++) {
    if (!seed[edge])
      continue;
    uint32_t region = lin_region_of_edge(analysis, regions, edge);
    if (region == LIN_NONE || !gains_too_little(refusals->verdict[region]))
      continue;
    seed[edge] = false;
    any = true;
  }
  return any;
}
