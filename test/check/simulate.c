#include "simulate.h"

#include <assert.h>

typedef struct entry {
  lin_block block;
  uint32_t lanes;
  lin_block stop; // where they wait for the entry below
} entry;

typedef struct machine {
  const lin_warp *warp;
  const lin_graph *graph;
  entry stack[2 * LIN_LANES]; // lanes part 31 times at most; two groups take two entries more
  uint32_t depth;
  uint32_t num_guards;
  uint32_t *visits; // [LIN_LANES * num_blocks]
  uint32_t *guard;  // [LIN_LANES * num_guards]
  uint32_t steps[LIN_LANES];
  uint32_t idle[LIN_LANES]; // guard blocks since the last original one
  lin_simulation result;
} machine;

static void push(machine *m, entry item) {
  assert(m->depth < 2 * LIN_LANES);
  m->stack[m->depth++] = item;
  if (m->depth > m->result.deepest)
    m->result.deepest = m->depth;
}

// The block to which `lane` goes from `block`, LIN_NONE if it ends there.
static lin_block step_lane(machine *m, uint32_t lane, lin_block block) {
  const lin_flow *flow = m->warp->flow;
  uint32_t *guard = m->guard + (size_t)lane * m->num_guards;
  lin_edge edge;
  if (flow != NULL && flow->node[block] != LIN_NONE) {
    if (m->idle[lane]++ > 2 * m->graph->num_blocks)
      return LIN_NONE;
    edge = lin_flow_test(flow, block, guard);
  } else {
    uint32_t degree = lin_out_degree(m->graph, block);
    if (degree == 0 || ++m->steps[lane] >= m->warp->limit)
      return LIN_NONE;
    m->idle[lane] = 0;
    lin_oracle oracle = m->warp->oracle[lane];
    uint32_t visit = m->visits[(size_t)lane * m->graph->num_blocks + block]++;
    lin_block name = flow == NULL ? block : flow->original[block];
    uint32_t choice = degree == 1 ? 0 : oracle.decide(oracle.data, name, visit, degree);
    edge = m->graph->first_edge[block] + choice;
  }
  if (flow != NULL)
    lin_flow_assign(flow, edge, guard);
  return m->graph->destination[edge];
}

// The lanes of one entry by where they go: at most LIN_LANES groups.
typedef struct groups {
  uint32_t count;
  lin_block to[LIN_LANES];
  uint32_t lanes[LIN_LANES];
} groups;

static groups step_lanes(machine *m, entry at) {
  groups g = {.count = 0};
  uint32_t ended = 0;
  for (uint32_t lane = 0; lane < LIN_LANES; lane++) {
    if ((at.lanes >> lane & 1) == 0)
      continue;
    m->result.lanes++;
    lin_block to = step_lane(m, lane, at.block);
    if (to == LIN_NONE) {
      ended |= 1u << lane;
      continue;
    }
    uint32_t i = 0;
    while (i < g.count && g.to[i] != to)
      i++;
    if (i == g.count) {
      g.to[g.count] = to;
      g.lanes[g.count++] = 0;
    }
    g.lanes[i] |= 1u << lane;
  }
  for (uint32_t i = 0; i < m->depth; i++)
    m->stack[i].lanes &= ~ended;
  return g;
}

// Runs the block on top of the stack.
static void step(machine *m) {
  const lin_warp *warp = m->warp;
  entry at = m->stack[m->depth - 1];
  m->result.entered[at.block]++;
  m->result.blocks++;
  if (warp->ran != NULL)
    warp->ran(warp->data, at.block, at.lanes);
  groups g = step_lanes(m, at);
  for (uint32_t i = 0; i < g.count && warp->went != NULL; i++)
    warp->went(warp->data, at.block, g.to[i], g.lanes[i]);

  if (g.count <= 1) {
    if (g.count == 0)
      m->depth--;
    else
      m->stack[m->depth - 1].block = g.to[0];
    return;
  }
  lin_block meet = warp->reconverge[at.block];
  if (meet == LIN_NONE || meet == at.stop)
    m->depth--; // who waits there waits in an entry below, or nobody does
  else
    m->stack[m->depth - 1].block = meet;
  for (uint32_t i = g.count; i-- > 0;)
    if (g.to[i] != meet)
      push(m, (entry){g.to[i], g.lanes[i], meet});
}

lin_simulation lin_simulate(lin_arena *arena, const lin_warp *warp) {
  uint32_t n = warp->graph->num_blocks;
  machine m = {.warp = warp, .graph = warp->graph};
  m.num_guards = warp->flow == NULL ? 0 : warp->flow->plan->num_guards;
  m.visits = LIN_ARRAY(arena, uint32_t, (size_t)LIN_LANES *n);
  m.guard = LIN_ARRAY(arena, uint32_t, (size_t)LIN_LANES *m.num_guards);
  m.result.entered = LIN_ARRAY(arena, uint64_t, n);
  push(&m, (entry){0, UINT32_MAX, LIN_NONE});
  while (m.depth > 0) {
    entry top = m.stack[m.depth - 1];
    if (top.lanes == 0 || top.block == top.stop)
      m.depth--;
    else
      step(&m);
  }
  return m.result;
}
