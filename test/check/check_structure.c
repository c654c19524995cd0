// Properties 1 to 4 and 7: the plan's leaves, and its flow as a graph.
#include "check.h"

#include "check_facts.h"
#include "interpret.h"

// ---- leaves

// The leaf of `region` that contains `block`, or LIN_NONE.
static uint32_t leaf_in(const lin_plan *plan, uint32_t region, lin_block block) {
  uint32_t at = plan->regions->owner[block], leaf = plan->leaf_of[block];
  while (at != LIN_NONE && at != region) {
    leaf = plan->outer_leaf[at];
    at = plan->regions->parent[at];
  }
  return at == region ? leaf : LIN_NONE;
}

static bool in_inner_region(const lin_plan *plan, uint32_t region, lin_block from, lin_block to,
                            bool doomed) {
  uint32_t at = plan->regions->owner[to];
  while (at != LIN_NONE && at != region && !doomed && !lin_region_contains(plan->regions, at, from))
    at = plan->regions->parent[at];
  return at != region && at != LIN_NONE;
}

const char *lin_check_leaves(lin_arena *arena, const lin_plan *plan, const bool *seed) {
  const lin_graph *graph = plan->analysis->graph;
  const lin_facts *f = lin_facts_find(arena, graph, 0);
  uint32_t total = 0;
  for (uint32_t region = 0; region < plan->regions->num_regions; region++)
    if (!plan->regions->gone[region] && plan->first_leaf[region] + plan->num_leaves[region] > total)
      total = plan->first_leaf[region] + plan->num_leaves[region];
  lin_block *target = LIN_ARRAY(arena, lin_block, total);
  uint32_t *size = LIN_ARRAY(arena, uint32_t, total);
  for (uint32_t i = 0; i < total; i++)
    target[i] = LIN_NONE;
  for (lin_block block = 0; block < graph->num_blocks; block++)
    for (uint32_t region = plan->regions->owner[block]; region != LIN_NONE;
         region = plan->regions->parent[region]) {
      uint32_t leaf = leaf_in(plan, region, block);
      if (leaf >= plan->num_leaves[region])
        return lin_check_describe(arena, "leaves: %s is in none", graph->name[block]);
      size[plan->first_leaf[region] + leaf]++;
    }
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block from = graph->source[edge], to = graph->destination[edge];
    for (uint32_t region = plan->regions->owner[to]; region != LIN_NONE;
         region = plan->regions->parent[region]) {
      uint32_t leaf = leaf_in(plan, region, to);
      lin_block entry = plan->entry[plan->first_leaf[region] + leaf];
      bool inside = leaf_in(plan, region, from) == leaf;
      if (!inside && to != entry)
        return lin_check_describe(arena, "leaves: that of %s is entered at %s", graph->name[entry],
                                  graph->name[to]);
      if (inside && seed[edge] && to != entry &&
          !in_inner_region(plan, region, from, to, f->doomed[edge]))
        return lin_check_describe(arena, "leaves: unstructured edge %s -> %s in that of %s",
                                  graph->name[from], graph->name[to], graph->name[entry]);
    }
    for (uint32_t region = plan->regions->owner[from]; region != LIN_NONE;
         region = plan->regions->parent[region]) {
      uint32_t leaf = leaf_in(plan, region, from);
      uint32_t index = plan->first_leaf[region] + leaf;
      if (leaf_in(plan, region, to) == leaf || size[index] == 1 || f->doomed[edge])
        continue;
      if (target[index] != LIN_NONE && target[index] != to)
        return lin_check_describe(arena, "leaves: that of %s is left to %s and to %s",
                                  graph->name[plan->entry[index]], graph->name[target[index]],
                                  graph->name[to]);
      target[index] = to;
    }
  }
  return NULL;
}

// ---- 1: structure

// True if a flow's edge was unstructured before and belongs to no region, or, where the mode isn't
// after unstructured edges, to a leaf that keeps it.
static bool was_unstructured(const lin_flow *flow, const lin_facts *old, lin_edge edge,
                             bool may_be_kept) {
  lin_edge was = flow->original_edge[edge];
  if (was == LIN_NONE)
    return false;
  lin_block end = old->doomed[was] ? old->graph->destination[was] : old->graph->source[was];
  uint32_t region = flow->plan->regions->owner[end];
  bool kept = may_be_kept && region != LIN_NONE &&
              leaf_in(flow->plan, region, old->graph->source[was]) ==
                  leaf_in(flow->plan, region, old->graph->destination[was]);
  return (region == LIN_NONE || kept) && lin_facts_kinds(old, was) != 0;
}

// The kinds that an edge of a flow may have got because it leads to a block of an irreducible loop
// that was there before, where it stands in no region. Which of the loop's blocks is the header,
// and so which edges jump into it, or into and out of loops nested in it, changes with the order.
static unsigned changeable_kinds(const lin_flow *flow, const lin_facts *old, lin_edge edge) {
  lin_block from = flow->original[flow->graph->source[edge]],
            to = flow->original[flow->graph->destination[edge]];
  const uint32_t *owner = flow->plan->regions->owner;
  if (to == LIN_NONE || owner[to] != LIN_NONE)
    return 0;
  bool enters = false, inside = false;
  for (uint32_t l = old->loop_of[to]; l != LIN_NONE; l = old->loops[l].parent) {
    enters |= !old->loops[l].reducible;
    inside |= !old->loops[l].reducible && from != LIN_NONE && lin_facts_in_loop(old, l, from);
  }
  return inside && owner[from] == LIN_NONE ? ~0u : enters ? LIN_JUMP_IN : 0;
}

enum { MOST_CHOICES = 12 };

// Between blocks that spin for ever an edge is unstructured only if it is for every choice of where
// an iteration ends that is tried.
const char *lin_check_structure(lin_arena *arena, const lin_flow *flow, lin_mode mode) {
  const lin_graph *graph = flow->graph;
  bool everything = lin_modes[mode].all_edges;
  unsigned wanted = everything ? ~0u : LIN_JUMP_IN;
  const lin_facts *old = lin_facts_find(arena, flow->plan->analysis->graph, 0);
  const char *wrong = NULL;
  for (uint32_t choice = 0; choice < MOST_CHOICES; choice++) {
    const lin_facts *f = lin_facts_find(arena, graph, choice);
    bool spinning = true; // all that is wrong
    wrong = NULL;
    for (lin_edge edge = 0; edge < graph->num_edges && spinning; edge++) {
      unsigned kinds = lin_facts_kinds(f, edge) & wanted & ~changeable_kinds(flow, old, edge);
      if (kinds == 0 || was_unstructured(flow, old, edge, lin_mode_has_own_regions(mode)))
        continue;
      lin_block from = graph->source[edge], to = graph->destination[edge];
      spinning = f->fate[from] == LIN_SPINS && (kinds & LIN_JUMP_IN) == 0;
      wrong =
          lin_check_describe(arena, "structure: %s -> %s is unstructured (%u)%s", graph->name[from],
                             graph->name[to], kinds, spinning ? ", spinning" : "");
    }
    if (wrong == NULL || !spinning)
      break;
  }
  return wrong;
}

// ---- 2, 3: blocks, edges, traces

const char *lin_check_blocks(lin_arena *arena, const lin_flow *flow) {
  const lin_graph *old = flow->plan->analysis->graph, *graph = flow->graph;
  uint32_t *times = LIN_ARRAY(arena, uint32_t, old->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    lin_block original = flow->original[block];
    bool guard = flow->node[block] != LIN_NONE;
    if (original == LIN_NONE) {
      if (!guard || lin_out_degree(graph, block) != 2)
        return lin_check_describe(arena, "blocks: %s is neither a guard nor an original",
                                  graph->name[block]);
      continue;
    }
    if (guard || original >= old->num_blocks || times[original]++ > 0 ||
        flow->place[original] != block)
      return lin_check_describe(arena, "blocks: %s appears twice or is not in its place",
                                graph->name[block]);
    if (lin_out_degree(graph, block) != lin_out_degree(old, original) ||
        graph->flags[block] != old->flags[original])
      return lin_check_describe(arena, "blocks: %s has changed", graph->name[block]);
    for (LIN_OUT_EDGES(graph, block, edge))
      if (flow->original_edge[edge] != old->first_edge[original] + edge - graph->first_edge[block])
        return lin_check_describe(arena, "blocks: edges of %s have changed", graph->name[block]);
  }
  for (lin_block original = 0; original < old->num_blocks; original++)
    if (times[original] != 1)
      return lin_check_describe(arena, "blocks: %s is lost", old->name[original]);
  return flow->original[0] == 0 ? NULL : "blocks: the entry has moved";
}

const char *lin_check_edges(lin_arena *arena, const lin_flow *flow) {
  const lin_graph *old = flow->plan->analysis->graph, *graph = flow->graph;
  uint32_t guards = flow->plan->num_guards;
  uint32_t *guard = LIN_ARRAY(arena, uint32_t, guards);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_edge was = flow->original_edge[edge];
    if (was == LIN_NONE)
      continue;
    const char *from = graph->name[graph->source[edge]];
    const char *to = old->name[old->destination[was]];
    for (uint32_t i = 0; i < guards; i++)
      guard[i] = LIN_NONE; // not set by this edge
    lin_flow_assign(flow, edge, guard);
    lin_block block = graph->destination[edge];
    for (uint32_t steps = 0; flow->node[block] != LIN_NONE; steps++) {
      if (guard[flow->plan->node[flow->node[block]].guard] == LIN_NONE)
        return lin_check_describe(arena, "edges: %s -> %s reads the guard of %s without setting it",
                                  from, to, graph->name[block]);
      if (steps > 2 * graph->num_blocks)
        return lin_check_describe(arena, "edges: %s -> %s gets nowhere", from, to);
      lin_edge next = lin_flow_test(flow, block, guard);
      lin_flow_assign(flow, next, guard);
      block = graph->destination[next];
    }
    if (flow->original[block] != old->destination[was])
      return lin_check_describe(arena, "edges: %s -> %s leads to %s", from, to, graph->name[block]);
  }
  return NULL;
}

const char *lin_check_traces(lin_arena *arena, const lin_graph *input, const lin_result *result,
                             uint64_t seed, uint32_t runs) {
  uint32_t limit = 4 * input->num_blocks + 64;
  for (uint32_t run = 0; run < runs; run++) {
    lin_stream mine = {.seed = seed + run};
    lin_stream theirs = {.seed = seed + run, .name = result->shape.order->origin};
    lin_trace before = lin_run_graph(arena, input, (lin_oracle){lin_stream_decide, &mine}, limit);
    lin_trace after = lin_run_flow(arena, result->flow, (lin_oracle){lin_stream_decide, &theirs},
                                   limit + 1); // the exit of united returns comes on top
    if (after.ending == LIN_RAN_LOST)
      return lin_check_describe(arena, "traces: lost after %u blocks", after.length);
    for (uint32_t i = 0; i < before.length; i++) {
      if (i >= after.length || result->shape.order->origin[after.block[i]] != before.block[i])
        return lin_check_describe(arena, "traces: step %u is not %s", i,
                                  input->name[before.block[i]]);
    }
    if (before.ending != LIN_RAN_LIMIT &&
        (before.ending != after.ending ||
         after.length != before.length + (before.ending == LIN_RAN_RETURN)))
      return lin_check_describe(arena, "traces: another end after step %u", before.length);
  }
  return NULL;
}

// ---- 4: size

const char *lin_check_size(lin_arena *arena, const lin_flow *flow) {
  const lin_plan *plan = flow->plan;
  const lin_graph *old = plan->analysis->graph;
  uint32_t regions = plan->regions->num_regions;
  uint32_t *guards = LIN_ARRAY(arena, uint32_t, regions);
  uint32_t *allowed = LIN_ARRAY(arena, uint32_t, regions);
  for (lin_block block = 0; block < flow->graph->num_blocks; block++)
    if (flow->node[block] != LIN_NONE)
      guards[plan->node[flow->node[block]].region]++;
  for (lin_edge edge = 0; edge < old->num_edges; edge++)
    for (uint32_t region = plan->regions->owner[old->source[edge]]; region != LIN_NONE;
         region = plan->regions->parent[region]) {
      uint32_t from = leaf_in(plan, region, old->source[edge]);
      uint32_t to = leaf_in(plan, region, old->destination[edge]);
      allowed[region] += to != LIN_NONE && to < from;
    }
  for (uint32_t region = 0; region < regions; region++)
    if (!plan->regions->gone[region] && guards[region] > plan->num_leaves[region] + allowed[region])
      return lin_check_describe(arena, "size: %u guards for %u leaves and %u retreating edges",
                                guards[region], plan->num_leaves[region], allowed[region]);
  return NULL;
}

// ---- 7: again

const char *lin_check_again(lin_arena *arena, const lin_flow *flow, const lin_options *options) {
  lin_result again;
  lin_status status = lin_linearize(arena, flow->graph, options, &again);
  if (!lin_ok(status))
    return lin_check_describe(arena, "again: the flow is refused: %s", status.reason);
  if (again.num_regions == 0)
    return NULL;
  const lin_graph *graph = again.shape.order->graph;
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    if (again.seed[edge])
      return lin_check_describe(arena, "again: %s -> %s", graph->name[graph->source[edge]],
                                graph->name[graph->destination[edge]]);
  return "again: a region without unstructured edges";
}
