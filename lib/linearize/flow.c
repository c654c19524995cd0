// 1. Every if, and every loop with a guard, gets a guard block.
// 2. A walk over each tree, outermost regions first, finds where each leaf's end continues: the
//    entry of the next node, a loop's guard, or what follows the region. What follows a region is
//    the same for all threads that leave it: an edge to P seen from the region around it.
// 3. Every edge of an original block goes where the innermost region that it crosses a leaf of
//    sends it: into an arm of its branch, behind a loop without a guard, else to that leaf's end.
//    On the way it sets the guards through which its destination is reached. An edge that crosses
//    no leaf goes where it went.
// 4. The new graph is put in order.
#include "flow.h"

#include <assert.h>
#include <string.h>

// Where control goes and what it sets on the way.
typedef struct continuation {
  lin_block block;
  const lin_assignment *assigned;
  bool leaves; // leaves a leaf, or enters a region
} continuation;

typedef struct lowering {
  const lin_plan *plan;
  const lin_graph *graph; // the plan's
  lin_arena *arena;       // of the flow
  lin_arena *scratch;     // of what only lowering takes
  uint32_t *guard_of;     // [num_nodes] block of an if or loop
  uint32_t *below_step;   // [num_nodes] the nearest node from it upwards whose parent is a step of
                          // set_way, or LIN_NONE
  uint32_t *carried;      // [num_nodes] the nearest from it upwards whose guard is carried
  uint32_t *loop_around;  // [num_nodes] the nearest loop above it, or LIN_NONE
  continuation *leaf_end; // [all leaves] by entry[] index
  continuation *behind;   // [num_nodes] for a loop
  continuation *after;    // [num_regions]
  uint32_t num_blocks;    // originals and guards
  uint32_t way;           // number of the way at hand
  uint32_t *set_by;       // [num_guards] the number of the last way that sets it
} lowering;

// A way of which nothing is known yet. One at a time asks what it sets.
static continuation begin_way(lowering *l, lin_block block) {
  l->way++;
  return (continuation){.block = block};
}

static void set(const lowering *l, continuation *way, uint32_t guard, uint32_t value) {
  l->set_by[guard] = l->way;
  lin_assignment *head = LIN_NEW(l->arena, lin_assignment);
  *head = (lin_assignment){guard, value, way->assigned};
  way->assigned = head;
}

static bool is_set(const lowering *l, uint32_t guard) { return l->set_by[guard] == l->way; }

// The value of the guard of `node` that lets threads through on their way to the leaf of node `to`.
static uint32_t value_for(const lin_plan *plan, const lin_node *node, uint32_t to) {
  return plan->guard[node->guard].everywhere ? plan->node[to].first : node->low;
}

// A node at which a way into what is below it may end, or sets a guard.
static bool is_step(const lin_node *node) {
  return node->kind == LIN_LOOP ||
         ((node->kind == LIN_IF || node->kind == LIN_SEQ) && node->guard != LIN_NONE);
}

static bool is_carried(const lin_plan *plan, uint32_t node) {
  if (!lin_node_is_guarded(&plan->node[node]))
    return false;
  const lin_guard *guard = &plan->guard[plan->node[node].guard];
  return guard->everywhere || guard->loop == node;
}

// Trees may be as deep as a region has blocks: what walks up leaps over what doesn't matter to it.
// Nodes are numbered in any order, so the tree is gone through in preorder.
static void find_leaps(lowering *l) {
  const lin_plan *plan = l->plan;
  const uint32_t *preorder = lin_tree_preorder(l->scratch, plan->nesting);
  for (uint32_t i = 0; i < plan->nesting->count; i++) {
    uint32_t node = preorder[i];
    if (node == plan->nesting->root)
      continue;
    uint32_t above = plan->node[node].parent;
    bool is_top = above == LIN_NONE;
    l->below_step[node] = is_top                        ? LIN_NONE
                          : is_step(&plan->node[above]) ? node
                                                        : l->below_step[above];
    l->loop_around[node] = is_top                               ? LIN_NONE
                           : plan->node[above].kind == LIN_LOOP ? above
                                                                : l->loop_around[above];
    l->carried[node] = is_carried(plan, node) ? node : is_top ? LIN_NONE : l->carried[above];
  }
}

// Sets the guards on the way to the leaf of node `to`, from that of node `from` (LIN_NONE: from
// outside of the region). Around a loop the way begins at the loop that goes around.
static void set_way(const lowering *l, continuation *way, uint32_t from, uint32_t to) {
  const lin_plan *plan = l->plan;
  const lin_node *nodes = plan->node;
  bool around = from != LIN_NONE && nodes[to].first <= nodes[from].first;
  uint32_t below = LIN_NONE, at = to;
  if (!is_step(&nodes[to])) {
    below = l->below_step[to];
    at = below == LIN_NONE ? LIN_NONE : nodes[below].parent;
  }
  while (at != LIN_NONE) {
    const lin_node *node = &nodes[at];
    bool is_else = node->kind == LIN_IF && below != LIN_NONE && below != node->child;
    if (around && node->kind == LIN_LOOP && node->last >= nodes[from].first) {
      if (node->guard != LIN_NONE && !is_set(l, node->guard))
        set(l, way, node->guard, value_for(plan, node, to));
      return;
    }
    if (!around && from != LIN_NONE && lin_tree_contains(plan->nesting, at, from))
      return;
    if (node->kind != LIN_LOOP && !is_else && !is_set(l, node->guard))
      set(l, way, node->guard, value_for(plan, node, to));
    below = l->below_step[at];
    at = below == LIN_NONE ? LIN_NONE : nodes[below].parent;
  }
}

// A guard that is carried around a loop would keep its value: every edge in that loop sets it.
static void reset_carried(const lowering *l, continuation *way, uint32_t from) {
  const lin_plan *plan = l->plan;
  for (uint32_t at = l->carried[from]; at != LIN_NONE;) {
    uint32_t guard = plan->node[at].guard, above = plan->node[at].parent;
    if (!is_set(l, guard))
      set(l, way, guard, plan->guard[guard].otherwise);
    at = above == LIN_NONE ? LIN_NONE : l->carried[above];
  }
}

// The first node of a region on the way to the leaf of node `to`: an arm of the block that enters
// the region, or what follows those.
static uint32_t first_of_region(const lin_plan *plan, uint32_t region, uint32_t to) {
  uint32_t first = plan->node[plan->root[region]].child;
  if (plan->node[first].kind != LIN_BRANCH_NODE)
    return first;
  if (lin_tree_contains(plan->nesting, first, to))
    return lin_tree_ancestor(plan->nesting, to, plan->nesting->depth[first] + 1);
  return plan->node[first].next;
}

// Goes down to what a node begins with: a test, or a leaf.
static uint32_t first_step(const lin_plan *plan, uint32_t node) {
  while (plan->node[node].kind == LIN_SEQ || plan->node[node].kind == LIN_LOOP)
    node = plan->node[node].child;
  return node;
}

static uint32_t leaf_node(const lin_plan *plan, uint32_t region, uint32_t leaf) {
  return plan->node_of[plan->first_leaf[region] + leaf];
}

// Leads an edge to `way->block`, which crosses no leaf of `region` (LIN_NONE: of no region), into
// the outermost region within it that contains that block, if it starts outside of all of them.
static void enter(const lowering *l, uint32_t region, continuation *way) {
  const lin_plan *plan = l->plan;
  for (;;) {
    uint32_t inner = lin_plan_inner(plan, region, way->block);
    if (inner == LIN_NONE)
      return;
    uint32_t wanted = leaf_node(plan, inner, lin_plan_leaf(plan, inner, way->block));
    way->leaves = true;
    set_way(l, way, LIN_NONE, wanted);
    uint32_t node = first_step(plan, first_of_region(plan, inner, wanted));
    if (plan->node[node].kind == LIN_IF) {
      way->block = l->guard_of[node];
      return;
    }
    region = inner;
    way->block = plan->entry[plan->first_leaf[inner] + plan->node[node].first];
  }
}

// Where a node is entered.
static continuation enter_node(lowering *l, uint32_t node) {
  const lin_plan *plan = l->plan;
  node = first_step(plan, node);
  if (plan->node[node].kind == LIN_IF)
    return (continuation){.block = l->guard_of[node]};
  uint32_t region = plan->node[node].region;
  continuation way = begin_way(l, plan->entry[plan->first_leaf[region] + plan->node[node].first]);
  enter(l, region, &way);
  return way;
}

// Where threads go that leave the leaf of node `from`, for that of node `to` or (LIN_NONE) out of
// the region: into an arm, behind a loop that needs no test to be left, or to the leaf's end.
static continuation after_leaf(lowering *l, uint32_t from, uint32_t to) {
  const lin_plan *plan = l->plan;
  const lin_node *nodes = plan->node;
  if (to != LIN_NONE && to != from && lin_tree_contains(plan->nesting, from, to))
    return enter_node(l, lin_tree_ancestor(plan->nesting, to, plan->nesting->depth[from] + 1));
  uint32_t loop = l->loop_around[from];
  bool left =
      loop != LIN_NONE && nodes[loop].guard == LIN_NONE &&
      (to == LIN_NONE || nodes[to].first < nodes[loop].first || nodes[to].first > nodes[loop].last);
  return left ? l->behind[loop]
              : l->leaf_end[plan->first_leaf[nodes[from].region] + nodes[from].first];
}

// Where threads go that leave the leaf of node `from` for that of node `to` (LIN_NONE: out of the
// region), and what they set.
static continuation cross(lowering *l, uint32_t from, uint32_t to) {
  continuation way = begin_way(l, LIN_NONE);
  if (to != LIN_NONE)
    set_way(l, &way, from, to);
  reset_carried(l, &way, from);
  continuation next = after_leaf(l, from, to);
  for (const lin_assignment *at = next.assigned; at != NULL; at = at->next)
    set(l, &way, at->guard, at->value);
  return (continuation){next.block, way.assigned, true};
}

// Where threads go that leave for `block` from `leaf` of `region`, and there from the block `from`
// (LIN_NONE: from a region within it). A doomed edge passes through the
// regions that don't contain its destination as if they weren't there.
static continuation leave(lowering *l, uint32_t region, uint32_t leaf, lin_block from,
                          lin_block block, bool doomed) {
  const lin_plan *plan = l->plan;
  while (region != LIN_NONE) {
    uint32_t next = lin_plan_leaf(plan, region, block);
    if (next == leaf && !lin_plan_goes_back(plan, region, leaf, next, from, block))
      break;
    if (next != LIN_NONE)
      return cross(l, leaf_node(plan, region, leaf), leaf_node(plan, region, next));
    if (!doomed) {
      assert(block == plan->regions->exit[region]);
      return cross(l, leaf_node(plan, region, leaf), LIN_NONE);
    }
    leaf = plan->outer_leaf[region];
    region = plan->regions->parent[region];
  }
  continuation way = begin_way(l, block);
  enter(l, region, &way);
  return way;
}

// What follows a region: no block, if none of its threads leaves it.
static continuation find_after(lowering *l, uint32_t region) {
  lin_block exit = l->plan->regions->exit[region];
  if (exit == LIN_NONE)
    return (continuation){.block = LIN_NONE};
  return leave(l, l->plan->regions->parent[region], l->plan->outer_leaf[region], LIN_NONE, exit,
               false);
}

typedef struct visit {
  uint32_t node;
  continuation then;
} visit;

// Pushes the children of a seq with what follows each of them.
static uint32_t push_children(lowering *l, visit *stack, uint32_t top, visit seq) {
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

// Where nothing follows, a thread that gets to the test can only take it.
static guard_edges test(continuation yes, continuation no) {
  return (guard_edges){yes, no.block == LIN_NONE ? yes : no};
}

static void lower_region(lowering *l, uint32_t region, guard_edges *guards, visit *stack) {
  const lin_plan *plan = l->plan;
  uint32_t top = 0, otherwise;
  for (stack[top++] = (visit){plan->root[region], l->after[region]}; top > 0;) {
    visit at = stack[--top];
    const lin_node *node = &plan->node[at.node];
    switch (node->kind) {
    case LIN_LEAF:
    case LIN_BRANCH_NODE:
      if (node->first != LIN_NONE)
        l->leaf_end[plan->first_leaf[region] + node->first] = at.then;
      for (uint32_t arm = node->child; arm != LIN_NONE; arm = plan->node[arm].next)
        stack[top++] = (visit){arm, at.then};
      break;
    case LIN_SEQ:
      top = push_children(l, stack, top, at);
      break;
    case LIN_IF:
      otherwise = plan->node[node->child].next;
      guards[at.node] = test(enter_node(l, node->child),
                             otherwise == LIN_NONE ? at.then : enter_node(l, otherwise));
      stack[top++] = (visit){node->child, at.then};
      if (otherwise != LIN_NONE)
        stack[top++] = (visit){otherwise, at.then};
      break;
    case LIN_LOOP:
      l->behind[at.node] = at.then;
      guards[at.node] = test(enter_node(l, node->child), at.then);
      stack[top++] = (visit){node->child, node->guard == LIN_NONE
                                              ? guards[at.node].yes
                                              : (continuation){.block = l->guard_of[at.node]}};
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
  bool *leaves;
  lin_edge *original_edge;
  uint32_t *node;
  lin_edge next;
} draft;

static void add_edge(draft *d, continuation to, lin_edge original_edge) {
  assert(to.block != LIN_NONE);
  d->graph->destination[d->next] = to.block;
  d->assigned[d->next] = to.assigned;
  d->leaves[d->next] = to.leaves;
  d->original_edge[d->next++] = original_edge;
}

static draft draft_graph(lowering *l, const guard_edges *guards) {
  const lin_plan *plan = l->plan;
  const lin_graph *old = l->graph;
  uint32_t num_guards = l->num_blocks - old->num_blocks;
  uint32_t num_edges = old->num_edges + 2 * num_guards;
  draft d = {.graph = lin_graph_new(l->scratch, l->num_blocks, num_edges),
             .assigned = LIN_ARRAY(l->scratch, const lin_assignment *, num_edges),
             .leaves = LIN_ARRAY(l->scratch, bool, num_edges),
             .original_edge = LIN_ARRAY(l->scratch, lin_edge, num_edges),
             .node = LIN_ARRAY(l->scratch, uint32_t, l->num_blocks)};
  d.graph->title = old->title;
  for (lin_block block = 0; block < old->num_blocks; block++) {
    d.graph->first_edge[block] = d.next;
    d.graph->name[block] = old->name[block];
    d.graph->flags[block] = old->flags[block];
    d.graph->reason[block] = old->reason[block];
    d.node[block] = LIN_NONE;
    for (LIN_OUT_EDGES(old, block, edge))
      add_edge(&d,
               leave(l, plan->regions->owner[block], plan->leaf_of[block], block,
                     old->destination[edge], plan->analysis->postdominators->doomed[edge]),
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
  lin_graph_finish(l->scratch, d.graph);
  return d;
}

static lin_flow *order_draft(lin_arena *arena, const lowering *l, const guard_edges *guards,
                             const draft *d) {
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
  flow->leaves = LIN_ARRAY(arena, bool, graph->num_edges);
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
    flow->leaves[edge] = d->leaves[order->old_edge[edge]];
  }
  for (lin_block block = 0; block < l->graph->num_blocks; block++)
    flow->place[block] = order->number[block];
  flow->header = LIN_ARRAY(arena, lin_block, l->plan->num_nodes);
  for (uint32_t index = 0; index < l->plan->num_nodes; index++)
    flow->header[index] =
        l->plan->node[index].kind == LIN_LOOP ? order->number[guards[index].yes.block] : LIN_NONE;
  return flow;
}

lin_flow *lin_flow_build(lin_arena *arena, const lin_plan *plan) {
  uint32_t regions = plan->regions->num_regions;
  lin_arena scratch = {0};
  lowering l = {.plan = plan,
                .graph = plan->analysis->graph,
                .arena = arena,
                .scratch = &scratch,
                .guard_of = LIN_ARRAY(&scratch, uint32_t, plan->num_nodes),
                .below_step = LIN_ARRAY(&scratch, uint32_t, plan->num_nodes),
                .carried = LIN_ARRAY(&scratch, uint32_t, plan->num_nodes),
                .loop_around = LIN_ARRAY(&scratch, uint32_t, plan->num_nodes),
                .set_by = LIN_ARRAY(&scratch, uint32_t, plan->num_guards),
                .leaf_end = LIN_ARRAY(&scratch, continuation, plan->analysis->graph->num_blocks),
                .behind = LIN_ARRAY(&scratch, continuation, plan->num_nodes),
                .after = LIN_ARRAY(&scratch, continuation, regions),
                .num_blocks = plan->analysis->graph->num_blocks};
  for (uint32_t node = 0; node < plan->num_nodes; node++) {
    l.guard_of[node] = lin_node_is_guarded(&plan->node[node]) ? l.num_blocks++ : LIN_NONE;
  }
  find_leaps(&l);
  guard_edges *guards = LIN_ARRAY(&scratch, guard_edges, plan->num_nodes);
  visit *stack = LIN_ARRAY(&scratch, visit, (size_t)plan->num_nodes + 1);
  for (uint32_t region = regions; region-- > 0;) { // a region after the one around it
    if (plan->regions->gone[region])
      continue;
    l.after[region] = find_after(&l, region);
    lower_region(&l, region, guards, stack);
  }
  draft d = draft_graph(&l, guards);
  lin_flow *flow = order_draft(arena, &l, guards, &d);
  lin_arena_release(&scratch);
  return flow;
}
