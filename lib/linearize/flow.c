// 1. Every if and loop gets a guard block.
// 2. A walk over each tree, outermost regions first, finds where each leaf's end continues: the
//    entry of the next node, a loop's guard, or what follows the region. What follows a region is
//    the same for all threads that leave it: an edge to P seen from the region around it.
// 3. Every edge of an original block goes where the innermost region that it crosses a leaf of
// sends
//    it: to that leaf's end. An edge that crosses no leaf goes where it went.
// 4. The new graph is put in order.
#include "flow.h"

#include <assert.h>
#include <string.h>

// Where control goes and what it sets on the way.
typedef struct continuation {
  lin_block block;
  const lin_assignment *assigned;
} continuation;

typedef struct lowering {
  const lin_plan *plan;
  const lin_graph *graph; // the plan's
  lin_arena *arena;
  uint32_t *guard_of;     // [num_nodes] block of an if or loop
  continuation *leaf_end; // [all leaves] by entry[] index
  continuation *after;    // [num_regions]
  uint32_t num_blocks;    // originals and guards
} lowering;

static continuation also_set(const lowering *l, continuation to, uint32_t region, uint32_t leaf) {
  lin_assignment *head = LIN_NEW(l->arena, lin_assignment);
  *head = (lin_assignment){region, leaf, to.assigned};
  to.assigned = head;
  return to;
}

// Where an edge to `block` goes that crosses no leaf of `region` (LIN_NONE: of no region) and
// starts outside of every region within it that contains `block`: into the outermost of those, if
// any.
static continuation enter(const lowering *l, uint32_t region, lin_block block) {
  const lin_plan *plan = l->plan;
  continuation to = {block, NULL};
  for (;;) {
    uint32_t inner = lin_plan_inner(plan, region, to.block);
    if (inner == LIN_NONE)
      return to;
    to = also_set(l, to, inner, lin_plan_leaf(plan, inner, to.block));
    uint32_t node = plan->root[inner];
    while (plan->node[node].kind == LIN_SEQ || plan->node[node].kind == LIN_LOOP)
      node = plan->node[node].child;
    if (plan->node[node].kind == LIN_IF) {
      to.block = l->guard_of[node];
      return to;
    }
    region = inner;
    to.block = plan->entry[plan->first_leaf[inner] + plan->node[node].first];
  }
}

// Where a node is entered.
static continuation enter_node(const lowering *l, uint32_t node) {
  const lin_plan *plan = l->plan;
  while (plan->node[node].kind == LIN_SEQ || plan->node[node].kind == LIN_LOOP)
    node = plan->node[node].child;
  if (plan->node[node].kind == LIN_IF)
    return (continuation){l->guard_of[node], NULL};
  uint32_t region = plan->node[node].region;
  return enter(l, region, plan->entry[plan->first_leaf[region] + plan->node[node].first]);
}

// Where threads go that leave for `block` from `leaf` of `region`. A doomed edge passes through the
// regions that don't contain its destination as if they weren't there.
static continuation leave(const lowering *l, uint32_t region, uint32_t leaf, lin_block block,
                          bool doomed) {
  const lin_plan *plan = l->plan;
  while (region != LIN_NONE) {
    continuation end = l->leaf_end[plan->first_leaf[region] + leaf];
    uint32_t next = lin_plan_leaf(plan, region, block);
    if (next == leaf)
      break;
    if (next != LIN_NONE)
      return also_set(l, end, region, next);
    if (!doomed) {
      assert(block == plan->regions->exit[region]);
      return also_set(l, end, region, plan->num_leaves[region]);
    }
    leaf = plan->outer_leaf[region];
    region = plan->regions->parent[region];
  }
  return enter(l, region, block);
}

// What follows a region: no block, if none of its threads leaves it.
static continuation find_after(const lowering *l, uint32_t region) {
  lin_block exit = l->plan->regions->exit[region];
  if (exit == LIN_NONE)
    return (continuation){LIN_NONE, NULL};
  return leave(l, l->plan->regions->parent[region], l->plan->outer_leaf[region], exit, false);
}

typedef struct visit {
  uint32_t node;
  continuation then;
} visit;

// Pushes the children of a seq with what follows each of them.
static uint32_t push_children(const lowering *l, visit *stack, uint32_t top, visit seq) {
  const lin_node *nodes = l->plan->node;
  for (uint32_t child = nodes[seq.node].child; child != LIN_NONE; child = nodes[child].next) {
    uint32_t next = nodes[child].next;
    stack[top++] = (visit){child, next == LIN_NONE ? seq.then : enter_node(l, next)};
  }
  return top;
}

// The two edges of each guard block, "yes" first.
typedef struct guard_edges {
  continuation yes, no;
} guard_edges;

static void lower_region(lowering *l, uint32_t region, guard_edges *guards, visit *stack) {
  const lin_plan *plan = l->plan;
  uint32_t top = 0;
  for (stack[top++] = (visit){plan->root[region], l->after[region]}; top > 0;) {
    visit at = stack[--top];
    const lin_node *node = &plan->node[at.node];
    switch (node->kind) {
    case LIN_LEAF:
      l->leaf_end[plan->first_leaf[region] + node->first] = at.then;
      break;
    case LIN_SEQ:
      top = push_children(l, stack, top, at);
      break;
    case LIN_IF:
      assert(at.then.block != LIN_NONE);
      guards[at.node] = (guard_edges){enter_node(l, node->child), at.then};
      stack[top++] = (visit){node->child, at.then};
      break;
    case LIN_LOOP:
      guards[at.node].yes = enter_node(l, node->child);
      guards[at.node].no = at.then.block == LIN_NONE ? guards[at.node].yes : at.then;
      stack[top++] = (visit){node->child, {l->guard_of[at.node], NULL}};
      break;
    }
  }
}

static const char *guard_name(const lowering *l, uint32_t node) {
  const lin_plan *plan = l->plan;
  const lin_node *at = &plan->node[node];
  const char *of = l->graph->name[plan->entry[plan->first_leaf[at->region] + at->first]];
  const char *suffix = at->kind == LIN_LOOP ? ".loop" : ".G";
  size_t length = strlen(of);
  char *name = lin_arena_bytes(l->arena, length + strlen(suffix) + 1);
  memcpy(name, of, length);
  strcpy(name + length, suffix);
  return name;
}

// The new graph before it is put in order: originals by their numbers, then the guards.
typedef struct draft {
  lin_graph *graph;
  const lin_assignment **assigned;
  lin_edge *original_edge;
  uint32_t *node;
  lin_edge next;
} draft;

static void add_edge(draft *d, continuation to, lin_edge original_edge) {
  assert(to.block != LIN_NONE);
  d->graph->destination[d->next] = to.block;
  d->assigned[d->next] = to.assigned;
  d->original_edge[d->next++] = original_edge;
}

static draft draft_graph(const lowering *l, const guard_edges *guards) {
  const lin_plan *plan = l->plan;
  const lin_graph *old = l->graph;
  uint32_t num_guards = l->num_blocks - old->num_blocks;
  uint32_t num_edges = old->num_edges + 2 * num_guards;
  draft d = {.graph = lin_graph_new(l->arena, l->num_blocks, num_edges),
             .assigned = LIN_ARRAY(l->arena, const lin_assignment *, num_edges),
             .original_edge = LIN_ARRAY(l->arena, lin_edge, num_edges),
             .node = LIN_ARRAY(l->arena, uint32_t, l->num_blocks)};
  d.graph->title = old->title;
  for (lin_block block = 0; block < old->num_blocks; block++) {
    d.graph->first_edge[block] = d.next;
    d.graph->name[block] = old->name[block];
    d.graph->flags[block] = old->flags[block];
    d.graph->reason[block] = old->reason[block];
    d.node[block] = LIN_NONE;
    for (LIN_OUT_EDGES(old, block, edge))
      add_edge(&d,
               leave(l, plan->regions->owner[block], plan->leaf_of[block], old->destination[edge],
                     plan->analysis->postdominators->doomed[edge]),
               edge);
  }
  for (uint32_t node = 0; node < plan->num_nodes; node++) { // guards are numbered in this order
    lin_block block = l->guard_of[node];
    if (block == LIN_NONE)
      continue;
    d.graph->first_edge[block] = d.next;
    d.graph->name[block] = guard_name(l, node);
    d.node[block] = node;
    add_edge(&d, guards[node].yes, LIN_NONE);
    add_edge(&d, guards[node].no, LIN_NONE);
  }
  d.graph->first_edge[l->num_blocks] = d.next;
  lin_graph_finish(l->arena, d.graph);
  return d;
}

static lin_flow *order_draft(lin_arena *arena, const lowering *l, const draft *d) {
  lin_order *order = lin_order_build(arena, d->graph);
  const lin_graph *graph = order->graph;
  lin_flow *flow = LIN_NEW(arena, lin_flow);
  flow->plan = l->plan;
  flow->graph = order->graph;
  flow->loops = order->loops;
  flow->dominators = lin_dominators_build(arena, graph, 0);
  flow->original = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  flow->original_edge = LIN_ARRAY(arena, lin_edge, graph->num_edges);
  flow->assigned = LIN_ARRAY(arena, const lin_assignment *, graph->num_edges);
  flow->place = LIN_ARRAY(arena, lin_block, l->graph->num_blocks);
  uint32_t *node = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    lin_block old = order->origin[block];
    flow->original[block] = old < l->graph->num_blocks ? old : LIN_NONE;
    node[block] = d->node[old];
    flow->num_guards += node[block] != LIN_NONE;
  }
  flow->node = node;
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    flow->original_edge[edge] = d->original_edge[order->old_edge[edge]];
    flow->assigned[edge] = d->assigned[order->old_edge[edge]];
  }
  for (lin_block block = 0; block < l->graph->num_blocks; block++)
    flow->place[block] = order->number[block];
  return flow;
}

lin_flow *lin_flow_build(lin_arena *arena, const lin_plan *plan) {
  uint32_t regions = plan->regions->num_regions;
  lowering l = {.plan = plan,
                .graph = plan->analysis->graph,
                .arena = arena,
                .guard_of = LIN_ARRAY(arena, uint32_t, plan->num_nodes),
                .leaf_end = LIN_ARRAY(arena, continuation, plan->analysis->graph->num_blocks),
                .after = LIN_ARRAY(arena, continuation, regions),
                .num_blocks = plan->analysis->graph->num_blocks};
  for (uint32_t node = 0; node < plan->num_nodes; node++) {
    bool guarded = plan->node[node].kind == LIN_IF || plan->node[node].kind == LIN_LOOP;
    l.guard_of[node] = guarded ? l.num_blocks++ : LIN_NONE;
  }
  guard_edges *guards = LIN_ARRAY(arena, guard_edges, plan->num_nodes);
  visit *stack = LIN_ARRAY(arena, visit, (size_t)plan->num_nodes + 1);
  for (uint32_t region = regions; region-- > 0;) { // a region after the one around it
    if (plan->regions->gone[region])
      continue;
    l.after[region] = find_after(&l, region);
    lower_region(&l, region, guards, stack);
  }
  draft d = draft_graph(&l, guards);
  return order_draft(arena, &l, &d);
}
