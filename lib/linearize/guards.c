#include "guards.h"

#include "carry.h"
#include "graph/sorted.h"

#include <string.h>

// Guards that one edge is followed through, which bounds the work (bench/scaling --shapes chain):
// behind more of them it is taken to matter.
enum { MOST_STEPS = 64 };

static void visit_sets(const lin_flow *flow, lin_arena *arena, lin_guard_uses *uses, bool store) {
  uint32_t guards = flow->plan->num_guards;
  lin_block *last = LIN_ARRAY(arena, lin_block, guards); // the block counted last, + 1
  memset(uses->num_sets, 0, guards * sizeof *uses->num_sets);
  memset(uses->num_edges, 0, guards * sizeof *uses->num_edges);
  for (lin_block block = 0; block < flow->graph->num_blocks; block++)
    for (LIN_OUT_EDGES(flow->graph, block, edge))
      for (const lin_assignment *a = flow->assigned[edge]; a != NULL; a = a->next) {
        if (store)
          uses->edge[a->guard][uses->num_edges[a->guard]] = edge;
        uses->num_edges[a->guard]++;
        if (last[a->guard] == block + 1)
          continue;
        last[a->guard] = block + 1;
        if (store)
          uses->set[a->guard][uses->num_sets[a->guard]] = block;
        uses->num_sets[a->guard]++;
      }
}

static void visit_reads(const lin_flow *flow, lin_guard_uses *uses, bool store) {
  memset(uses->num_reads, 0, flow->plan->num_guards * sizeof *uses->num_reads);
  for (lin_block block = 0; block < flow->graph->num_blocks; block++) {
    if (flow->node[block] == LIN_NONE)
      continue;
    uint32_t guard = flow->plan->node[flow->node[block]].guard;
    if (store)
      uses->read[guard][uses->num_reads[guard]] = (lin_point){block, false};
    uses->num_reads[guard]++;
  }
}

lin_guard_uses *lin_guard_uses_build(lin_arena *arena, const lin_flow *flow) {
  uint32_t guards = flow->plan->num_guards;
  lin_guard_uses *uses = LIN_NEW(arena, lin_guard_uses);
  *uses =
      (lin_guard_uses){LIN_ARRAY(arena, uint32_t, guards), LIN_ARRAY(arena, lin_block *, guards),
                       LIN_ARRAY(arena, uint32_t, guards), LIN_ARRAY(arena, lin_edge *, guards),
                       LIN_ARRAY(arena, uint32_t, guards), LIN_ARRAY(arena, lin_point *, guards)};
  visit_sets(flow, arena, uses, false);
  visit_reads(flow, uses, false);
  for (uint32_t guard = 0; guard < guards; guard++) {
    uses->set[guard] = LIN_ARRAY(arena, lin_block, uses->num_sets[guard]);
    uses->edge[guard] = LIN_ARRAY(arena, lin_edge, uses->num_edges[guard]);
    uses->read[guard] = LIN_ARRAY(arena, lin_point, uses->num_reads[guard]);
  }
  visit_sets(flow, arena, uses, true);
  visit_reads(flow, uses, true);
  return uses;
}

// What `edge` sets `guard` to.
static uint32_t value_set(const lin_flow *flow, lin_edge edge, uint32_t guard) {
  const lin_assignment *a = lin_assignment_to(flow->assigned[edge], guard);
  return a != NULL ? a->value : flow->plan->guard[guard].otherwise;
}

static bool is_set_in(const lin_guard_uses *uses, uint32_t guard, lin_block block) {
  uint32_t count = uses->num_sets[guard], at = lin_count_below(uses->set[guard], count, block);
  return at < count && uses->set[guard][at] == block;
}

bool lin_guard_matters(const lin_guard_uses *uses, const lin_flow *flow, lin_edge edge,
                       uint32_t guard) {
  lin_edge at = edge;
  for (int steps = 0; steps < MOST_STEPS; steps++) {
    lin_block block = flow->graph->destination[at];
    if (flow->node[block] == LIN_NONE)
      return !is_set_in(uses, guard, block) ||
             !lin_loop_contains(flow->loops, flow->loops->loop_of[block],
                                flow->graph->source[edge]);
    const lin_node *node = &flow->plan->node[flow->node[block]];
    if (node->guard == guard)
      return true;
    uint32_t value = value_set(flow, edge, node->guard);
    bool yes = node->low <= value && value <= node->high;
    at = flow->graph->first_edge[block] + (yes ? 0 : 1);
    if (flow->leaves[at]) // into an inner region, or out of this one: it sets all guards
      return false;
  }
  return true;
}

lin_guard_phis *lin_guard_phis_build(lin_arena *arena, const lin_flow *flow) {
  uint32_t guards = flow->plan->num_guards;
  const lin_guard_uses *uses = lin_guard_uses_build(arena, flow);
  const lin_carry *carry = lin_carry_build(arena, flow);
  lin_phis *values = lin_phis_build(arena, flow);
  lin_guard_phis *phis = LIN_NEW(arena, lin_guard_phis);
  *phis = (lin_guard_phis){LIN_ARRAY(arena, uint32_t, guards),
                           LIN_ARRAY(arena, const lin_block *, guards), 0};
  for (uint32_t guard = 0; guard < guards; guard++) {
    lin_variable variable = {uses->num_sets[guard],
                             uses->set[guard],
                             uses->num_reads[guard],
                             uses->read[guard],
                             carry->guard[guard].count,
                             carry->guard[guard].block,
                             true};
    const lin_block *blocks;
    uint32_t count = phis->count[guard] = lin_phis_place(values, &variable, &blocks);
    lin_block *copy = LIN_ARRAY(arena, lin_block, count);
    memcpy(copy, blocks, count * sizeof *copy);
    phis->block[guard] = copy;
    phis->total += count;
  }
  return phis;
}
