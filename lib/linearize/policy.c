#include "policy.h"

#include "estimate.h"
#include "worth.h"

#include <stdlib.h>

static lin_joins *find_joins(lin_arena *arena, const lin_analysis *analysis,
                             const lin_policy *policy) {
  return lin_joins_find(arena, analysis, policy->divergence_known, policy->lock_step);
}

bool *lin_policy_seeds(lin_arena *arena, const lin_analysis *analysis, const lin_policy *policy) {
  bool everything = policy->mode == LIN_MODE_PAPER || policy->mode == LIN_MODE_ALL;
  bool *seed = policy->mode == LIN_MODE_NEEDED
                   ? lin_worth_edges(arena, analysis, find_joins(arena, analysis, policy))
                   : LIN_ARRAY(arena, bool, analysis->graph->num_edges);
  for (lin_edge edge = 0; edge < analysis->graph->num_edges; edge++)
    seed[edge] |= (analysis->kinds[edge] & (everything ? 0xffu : LIN_JUMP_IN)) != 0;
  return seed;
}

// What is known of one region: the first block at fault for each rule, LIN_NONE if there is none.
typedef struct findings {
  lin_block refused;
  lin_block cross_lane;
  lin_block waits, waits_too;       // the last block that waits, and one beside it
  lin_block polls;                  // in a loop of the region
  lin_block releases, releases_too; // two different ones
  bool divergent;
  bool irreducible;
} findings;

static void note(lin_block *first, lin_block block) {
  if (*first == LIN_NONE)
    *first = block;
}

// Blocks come in the dominator tree's preorder, so waiting blocks form a chain under dominance
// exactly if each dominates the next.
static void look_at(const lin_analysis *a, const lin_regions *regions, uint32_t region,
                    lin_block block, findings *f) {
  uint32_t flags = a->graph->flags[block];
  if ((flags & LIN_REFUSED) != 0)
    note(&f->refused, block);
  if ((flags & LIN_CROSS_LANE) != 0)
    note(&f->cross_lane, block);
  if ((flags & LIN_WAITS) != 0) {
    if (f->waits != LIN_NONE && !lin_tree_contains(a->dominators, f->waits, block))
      note(&f->waits_too, block);
    f->waits = block;
  }
  lin_block header = a->loops->header[a->loops->loop_of[block]];
  if ((flags & LIN_POLLS) != 0 && a->loops->loop_of[block] != 0 &&
      lin_region_contains(regions, region, header))
    note(&f->polls, block);
  if ((flags & LIN_RELEASES) != 0) {
    if (f->releases != LIN_NONE)
      note(&f->releases_too, block);
    note(&f->releases, block);
  }
  f->divergent |= lin_may_diverge(a->graph, block);
  uint32_t loop = a->loops->loop_of[block];
  f->irreducible |= a->loops->irreducible[loop];
}

static bool may_hang(const findings *f, lin_block *block) {
  if (f->waits_too != LIN_NONE) {
    *block = f->waits_too;
    return true;
  }
  if (f->polls == LIN_NONE)
    return false;
  *block = f->releases == f->polls ? f->releases_too : f->releases;
  return *block != LIN_NONE;
}

static const char *refuse(const lin_analysis *a, const lin_policy *policy, const findings *f,
                          lin_block *block) {
  if (f->refused != LIN_NONE) {
    *block = f->refused;
    return a->graph->reason[f->refused];
  }
  if (policy->lock_step && !policy->force && may_hang(f, block))
    return "threads that run in lock step could wait for each other for ever";
  bool asked = policy->mode == LIN_MODE_PAPER || policy->mode == LIN_MODE_ALL;
  if (f->cross_lane != LIN_NONE && !asked) {
    *block = f->cross_lane;
    return "its result depends on which threads run together";
  }
  return NULL;
}

static bool is_divergent(const lin_analysis *a, const lin_policy *policy,
                         const lin_regions *regions, uint32_t region, const findings *f) {
  bool asked = policy->mode == LIN_MODE_PAPER || policy->mode == LIN_MODE_ALL;
  lin_block above = regions->dominator[region];
  if (asked || !policy->divergence_known || f->divergent)
    return true;
  return above != LIN_NONE && lin_may_diverge(a->graph, above); // that sends threads into it
}

// The regions that mode needed takes, [num_regions]: those that gain from it, but for threads that
// wait for others, whom it would only make wait for more; and irreducible loops whatever they cost.
static bool *choose(lin_arena *arena, const lin_analysis *a, const lin_policy *policy,
                    const lin_regions *regions, const findings *found) {
  const lin_estimate *estimate =
      lin_estimate_regions(arena, a, find_joins(arena, a, policy), regions);
  bool *chosen = lin_estimate_choose(arena, estimate, regions);
  for (uint32_t region = 0; region < regions->num_regions; region++)
    chosen[region] = (chosen[region] && found[region].polls == LIN_NONE) ||
                     policy->mode != LIN_MODE_NEEDED || found[region].irreducible;
  return chosen;
}

lin_refusals lin_policy_apply(lin_arena *arena, const lin_analysis *analysis,
                              const lin_policy *policy, lin_regions *regions) {
  uint32_t n = analysis->graph->num_blocks, count = regions->num_regions;
  findings *found = LIN_ARRAY(arena, findings, count);
  for (uint32_t region = 0; region < count; region++)
    found[region] = (findings){.refused = LIN_NONE,
                               .cross_lane = LIN_NONE,
                               .waits = LIN_NONE,
                               .waits_too = LIN_NONE,
                               .polls = LIN_NONE,
                               .releases = LIN_NONE,
                               .releases_too = LIN_NONE};
  lin_block *preorder = LIN_ARRAY(arena, lin_block, n);
  for (lin_block block = 0; block < n; block++)
    preorder[analysis->dominators->enter[block]] = block;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t region = regions->owner[preorder[i]]; region != LIN_NONE;
         region = regions->parent[region])
      look_at(analysis, regions, region, preorder[i], &found[region]);

  lin_refusals result = {0, LIN_ARRAY(arena, lin_refusal, count)};
  const bool *chosen = choose(arena, analysis, policy, regions, found);
  bool *removed = LIN_ARRAY(arena, bool, count);
  for (uint32_t region = 0; region < count; region++) {
    lin_refusal r = {.region = region, .irreducible = found[region].irreducible};
    if (chosen[region])
      r.reason = refuse(analysis, policy, &found[region], &r.block);
    if (r.reason != NULL)
      result.refusal[result.count++] = r;
    removed[region] = r.reason != NULL || !chosen[region] ||
                      !is_divergent(analysis, policy, regions, region, &found[region]);
  }
  // What is wrong with a region is wrong with those around it, but not the other way round; one
  // without divergent branches may lie in one that has some.
  for (uint32_t region = count; region-- > 0;) {
    uint32_t around = regions->parent[region];
    if (around != LIN_NONE && !removed[around])
      removed[region] = false;
  }
  lin_regions_remove(regions, n, removed);
  return result;
}
