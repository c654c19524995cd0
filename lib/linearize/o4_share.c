#include "o4_share.h"

#include "guards.h"

typedef struct sharing {
  lin_arena *arena;
  lin_plan *plan;
  const uint32_t *allowed; // [num_regions] phis
  uint32_t *phis;          // [num_regions] of the guards as they are
  uint32_t *up;            // [num_guards] towards the guard that stands for it
} sharing;

static uint32_t *count_by_region(lin_arena *arena, const lin_plan *plan,
                                 const lin_guard_phis *phis) {
  uint32_t *count = LIN_ARRAY(arena, uint32_t, plan->regions->num_regions);
  for (uint32_t guard = 0; guard < plan->num_guards; guard++)
    count[plan->guard[guard].region] += phis->count[guard];
  return count;
}

uint32_t *lin_share_count_phis(lin_arena *arena, const lin_flow *flow) {
  return count_by_region(arena, flow->plan, lin_guard_phis_build(arena, flow));
}

// ---- which guards become one

static uint32_t find(const sharing *s, uint32_t guard) {
  while (s->up[guard] != guard)
    guard = s->up[guard] = s->up[s->up[guard]];
  return guard;
}

// Unites the guards of a region that have a phi in the same block.
static void unite_meeting(const sharing *s, const lin_flow *flow, const lin_guard_phis *phis) {
  const lin_guard *guards = s->plan->guard;
  uint32_t *seen = LIN_ARRAY(s->arena, uint32_t, flow->graph->num_blocks); // last guard, + 1
  for (uint32_t guard = 0; guard < s->plan->num_guards; guard++)
    for (uint32_t i = 0; i < phis->count[guard]; i++) {
      uint32_t *other = &seen[phis->block[guard][i]];
      if (*other != 0 && guards[*other - 1].region == guards[guard].region)
        s->up[find(s, guard)] = find(s, *other - 1);
      *other = guard + 1;
    }
}

static void unite_all(const sharing *s) {
  uint32_t *first = LIN_ARRAY(s->arena, uint32_t, s->plan->regions->num_regions); // + 1
  for (uint32_t guard = 0; guard < s->plan->num_guards; guard++) {
    uint32_t *of_region = &first[s->plan->guard[guard].region];
    if (*of_region == 0)
      *of_region = guard + 1;
    s->up[find(s, guard)] = find(s, *of_region - 1);
  }
}

// ---- and how

// Lets the tests of united guards, in regions with too many phis, be of one integer: the number of
// the leaf that is next.
static void apply(const sharing *s) {
  lin_plan *plan = s->plan;
  uint32_t *size = LIN_ARRAY(s->arena, uint32_t, plan->num_guards);
  for (uint32_t guard = 0; guard < plan->num_guards; guard++)
    size[find(s, guard)]++;
  for (uint32_t i = 0; i < plan->num_nodes; i++) {
    lin_node *node = &plan->node[i];
    if (node->kind == LIN_LEAF || node->kind == LIN_BRANCH_NODE || node->guard == LIN_NONE)
      continue;
    uint32_t guard = find(s, node->guard);
    if (size[guard] == 1 || s->phis[node->region] <= s->allowed[node->region])
      continue;
    node->guard = guard;
    node->low = node->first;
    node->high = node->last;
    plan->guard[guard] = (lin_guard){.region = node->region,
                                     .otherwise = plan->num_leaves[node->region],
                                     .loop = LIN_NONE,
                                     .everywhere = true};
  }
}

// Marks the regions that need more phis than they may; all, if only such do that are flat already.
static void mark_dear(const sharing *s, bool *flat) {
  uint32_t regions = s->plan->regions->num_regions;
  bool marked = false;
  for (uint32_t region = 0; region < regions; region++) {
    bool dear = !flat[region] && s->phis[region] > s->allowed[region];
    flat[region] |= dear;
    marked |= dear;
  }
  for (uint32_t region = 0; region < regions; region++)
    flat[region] |= !marked;
}

static bool is_too_dear(const sharing *s) {
  uint32_t phis = 0, allowed = 0;
  for (uint32_t region = 0; region < s->plan->regions->num_regions; region++) {
    phis += s->phis[region];
    allowed += s->allowed[region];
  }
  return phis > allowed;
}

bool lin_share_guards(lin_arena *arena, lin_plan *plan, lin_flow **flow, const uint32_t *allowed,
                      bool *flat) {
  sharing s = {.arena = arena,
               .plan = plan,
               .allowed = allowed,
               .up = LIN_ARRAY(arena, uint32_t, plan->num_guards)};
  for (uint32_t guard = 0; guard < plan->num_guards; guard++)
    s.up[guard] = guard;
  lin_arena scratch = {0};
  bool fits = false;
  for (int step = 0;; step++) {
    const lin_guard_phis *phis = lin_guard_phis_build(&scratch, *flow);
    s.phis = count_by_region(&scratch, plan, phis);
    fits = !is_too_dear(&s);
    if (fits || step == 2)
      break;
    if (step == 0)
      unite_meeting(&s, *flow, phis);
    else
      unite_all(&s);
    apply(&s);
    lin_arena_release(&scratch);
    *flow = lin_flow_build(arena, plan);
  }
  if (!fits)
    mark_dear(&s, flat);
  lin_arena_release(&scratch);
  return fits;
}
