// The optimised tree. A level is what one loop holds, or the region outside of its loops; its items
// are its leaves and the loops directly in it. The edges between the items of a level are acyclic.
//   1. Sort every edge of the region into the level where its ends are in different items; on the
//      way, an edge enters and leaves the levels of the loops that it crosses.
//   2. Dominators and post-dominators of each level, from its start to its end.
//   3. An item nests in its immediate dominator i, behind it and all that is nested in i before it:
//        - without a guard if it post-dominates i (O1 on the tree: every thread comes through);
//        - as an arm of i if i is one block and its only predecessor (O3);
//        - else behind a guard that the edges to it set (O2).
//      Forward edges stay forward: an edge to a sibling's subtree leads to its root, and siblings
//      are in order.
//
//          i              i; arms: a
//         / \             if (edge to b) b        b has two predecessors
//        a ─▶ b           c                       c post-dominates i
//         \  /
//          c
//
//   4. A loop goes around under a guard that its retreating edges set. It needs none if its last
//      item is one block that every thread comes to.
//
// A loop that can be entered at several items (irreducible, or merged spans) has one integer for
// all of them, set by the edges that enter it and by those that go around, carried by the loop.
#include "algorithm1_arrange.h"

#include <string.h>

// Guards below one item that are flags and no integer: 2 to 16 are alike, with no flags at all
// warps run 0.05% more in mode needed, 0.02% in mode paper; what runs least of one half of the
// kernels (1) runs more of the other. `scripts/calibrate FLAGS_AT_MOST`, 2026-11-24. By times on an
// H200, too, 1 is no better in mode needed (0.1% on one half, 0.01% on the other); in mode paper it
// is, by 0.7% and 0.2% (bench/results/h200-2026-11-24-calibrate.txt).
enum { START = 0, FLAGS_AT_MOST = 4 };

// A flag says whether to skip: behind a branch on it the guarded leaf comes next in the code, and a
// branch goes to the next place if its condition is false. The flag of a loop says whether to go
// around.
enum { TAKE = 0, SKIP = 1 };

// Items of a level are numbered from 1 in order; 0 is its start, count + 1 its end.
typedef struct pair {
  uint32_t from, to;
} pair;

typedef struct level {
  uint32_t num_items;
  uint32_t *item; // [num_items + 1] leaf, or num_leaves + span; by number
  pair *pairs;    // edges between items, start and end
  uint32_t num_pairs, capacity;
  uint32_t num_entered; // different items entered from outside or by going around
  lin_tree *dominators; // over num_items + 2 nodes
  lin_tree *postdominators;
  bool *dead_end; // by number: no thread comes from the item to the end
  bool *several;  // by number: not all edges into the item come from its dominator
  uint32_t *first_child, *next_child; // of the dominator tree, items in order
  uint32_t guard;                     // the integer of a loop with several entries, or LIN_NONE
} level;

typedef struct nester {
  const lin_arrangement *a;
  lin_plan *plan;
  int optimisation;
  uint32_t num_leaves;
  level *levels;        // [num_spans + 1]; the last is the region's
  uint32_t *level_of;   // [num_leaves + num_spans] the level of an item
  uint32_t *number;     // [num_leaves + num_spans] in its level
  uint32_t *entered;    // [num_leaves + num_spans] set for items entered from outside their level
  bool *guarded_inside; // [num_spans]
  lin_block source;     // the block from which all edges enter the region, or LIN_NONE
} nester;

// ---- step 1: levels and their edges

static void add_pair(const nester *n, level *l, uint32_t from, uint32_t to) {
  if (l->num_pairs == l->capacity) {
    l->capacity = l->capacity == 0 ? 8 : 2 * l->capacity;
    pair *pairs = LIN_ARRAY(n->a->arena, pair, l->capacity);
    if (l->num_pairs > 0)
      memcpy(pairs, l->pairs, l->num_pairs * sizeof *pairs);
    l->pairs = pairs;
  }
  l->pairs[l->num_pairs++] = (pair){from, to};
}

static void find_levels(nester *n) {
  const lin_arrangement *a = n->a;
  uint32_t region_level = a->num_spans, depth = 0, next = 0;
  uint32_t *open = LIN_ARRAY(a->arena, uint32_t, (size_t)a->num_spans + 1);
  uint32_t *sequence = LIN_ARRAY(a->arena, uint32_t, (size_t)n->num_leaves + a->num_spans);
  uint32_t count = 0;
  open[depth++] = region_level;
  for (uint32_t leaf = 0; leaf < n->num_leaves; leaf++) {
    while (depth > 1 && a->spans[open[depth - 1]].last < leaf)
      depth--;
    if (next < a->num_spans && a->spans[next].first == leaf) {
      sequence[count++] = n->num_leaves + next;
      n->level_of[n->num_leaves + next] = open[depth - 1];
      open[depth++] = next++;
    }
    sequence[count++] = leaf;
    n->level_of[leaf] = open[depth - 1];
  }
  for (uint32_t i = 0; i < count; i++)
    n->number[sequence[i]] = ++n->levels[n->level_of[sequence[i]]].num_items;
  for (uint32_t i = 0; i <= region_level; i++)
    n->levels[i].item = LIN_ARRAY(a->arena, uint32_t, (size_t)n->levels[i].num_items + 1);
  for (uint32_t i = 0; i < count; i++)
    n->levels[n->level_of[sequence[i]]].item[n->number[sequence[i]]] = sequence[i];
}

static bool is_within(const nester *n, uint32_t level_index, uint32_t leaf) {
  if (level_index == n->a->num_spans)
    return true;
  const lin_span *span = &n->a->spans[level_index];
  return span->first <= leaf && leaf <= span->last;
}

static void enter_item(nester *n, uint32_t item) {
  level *l = &n->levels[n->level_of[item]];
  if (n->entered[item] == 0)
    l->num_entered++;
  n->entered[item] = 1;
  add_pair(n, l, START, n->number[item]);
}

static void leave_item(nester *n, uint32_t item) {
  level *l = &n->levels[n->level_of[item]];
  add_pair(n, l, n->number[item], l->num_items + 1);
}

// An edge from leaf `from` to leaf `to` (LIN_NONE: from or to outside of the region).
static void sort_edge(nester *n, uint32_t from, uint32_t to) {
  const lin_arrangement *a = n->a;
  uint32_t region_level = a->num_spans;
  uint32_t below_from = from, below_to = to; // the items just below the common level
  if (from != LIN_NONE)
    for (uint32_t at = n->level_of[from]; to == LIN_NONE || !is_within(n, at, to);
         at = n->level_of[below_from]) {
      leave_item(n, below_from);
      if (at == region_level)
        return;
      below_from = n->num_leaves + at;
    }
  for (uint32_t at = n->level_of[to]; from == LIN_NONE || !is_within(n, at, from);
       at = n->level_of[below_to]) {
    enter_item(n, below_to);
    if (at == region_level)
      return;
    below_to = n->num_leaves + at;
  }
  level *l = &n->levels[n->level_of[below_from]];
  if (from < to) {
    add_pair(n, l, n->number[below_from], n->number[below_to]);
  } else { // goes around
    leave_item(n, below_from);
    enter_item(n, below_to);
  }
}

// True if the block from which the region is entered leads past it too. Then its threads don't all
// meet behind its arms, but only behind the region: they must enter the region at one place.
static bool passes_by(const nester *n) {
  const lin_analysis *analysis = n->plan->analysis;
  for (LIN_OUT_EDGES(analysis->graph, n->source, edge))
    if (!analysis->postdominators->doomed[edge] &&
        lin_plan_leaf(n->plan, n->a->region, analysis->graph->destination[edge]) == LIN_NONE)
      return true;
  return false;
}

static void sort_edges(nester *n) {
  const lin_arrangement *a = n->a;
  const lin_plan *plan = a->plan;
  const lin_graph *graph = plan->analysis->graph;
  bool several = false;
  for (uint32_t i = 0; i < a->num_members; i++) {
    lin_block block = a->members[i];
    uint32_t here = lin_plan_leaf(plan, a->region, block);
    for (LIN_IN_EDGES(graph, block, in)) {
      lin_block from = graph->source[graph->in_edge[in]];
      if (lin_plan_leaf(plan, a->region, from) != LIN_NONE)
        continue;
      several |= n->source != LIN_NONE && n->source != from;
      n->source = from;
      sort_edge(n, LIN_NONE, here);
    }
    for (LIN_OUT_EDGES(graph, block, edge)) {
      uint32_t there = lin_plan_leaf(plan, a->region, graph->destination[edge]);
      bool gone = there == LIN_NONE && plan->analysis->postdominators->doomed[edge];
      bool crosses = there != here || lin_plan_goes_back(plan, a->region, here, there, block,
                                                         graph->destination[edge]);
      if (crosses && !gone)
        sort_edge(n, here, there);
    }
    if (block == 0) // the function begins here
      sort_edge(n, LIN_NONE, here);
  }
  if (several || plan->regions->owner[0] == a->region || passes_by(n))
    n->source = LIN_NONE;
}

// ---- step 2: dominators of a level

static lin_graph *level_graph(lin_arena *arena, const level *l, bool reversed) {
  uint32_t count = l->num_items + 2;
  lin_graph *graph = lin_graph_new(arena, count, l->num_pairs);
  for (uint32_t i = 0; i < l->num_pairs; i++)
    graph->first_edge[(reversed ? l->pairs[i].to : l->pairs[i].from) + 1]++;
  for (uint32_t node = 0; node < count; node++)
    graph->first_edge[node + 1] += graph->first_edge[node];
  uint32_t *next = LIN_ARRAY(arena, uint32_t, count);
  memcpy(next, graph->first_edge, count * sizeof *next);
  for (uint32_t i = 0; i < l->num_pairs; i++) {
    pair p = l->pairs[i];
    graph->destination[next[reversed ? p.to : p.from]++] = reversed ? p.from : p.to;
  }
  lin_graph_finish(arena, graph);
  return graph;
}

// Items from which no thread comes to the end of the level stay in its sequence: nested in an arm,
// they would keep what follows that arm from post-dominating it. For post-dominance the last ones,
// to which nothing is next, do lead to the end.
static void find_dead_ends(nester *n, level *l) {
  lin_arena *arena = n->a->arena;
  uint32_t end = l->num_items + 1;
  const lin_tree *reaching = lin_dominators_build(arena, level_graph(arena, l, true), end);
  l->dead_end = LIN_ARRAY(arena, bool, (size_t)end + 1);
  bool *goes_on = LIN_ARRAY(arena, bool, (size_t)end + 1);
  for (uint32_t i = 0; i < l->num_pairs; i++)
    goes_on[l->pairs[i].from] = true;
  for (uint32_t i = 1; i < end; i++) {
    l->dead_end[i] = !lin_tree_has(reaching, i);
    if (!goes_on[i])
      add_pair(n, l, i, end);
  }
}

static void find_dominators(nester *n, level *l) {
  lin_arena *arena = n->a->arena;
  uint32_t end = l->num_items + 1;
  find_dead_ends(n, l);
  l->dominators = lin_dominators_build(arena, level_graph(arena, l, false), START);
  l->postdominators = lin_dominators_build(arena, level_graph(arena, l, true), end);
  l->first_child = LIN_ARRAY(arena, uint32_t, end);
  l->next_child = LIN_ARRAY(arena, uint32_t, end);
  for (uint32_t i = 0; i < end; i++)
    l->first_child[i] = LIN_NONE;
  for (uint32_t i = end; i-- > 1;) {
    bool nests = n->optimisation >= 2 && !l->dead_end[i];
    uint32_t above = nests ? l->dominators->parent[i] : START;
    l->next_child[i] = l->first_child[above];
    l->first_child[above] = i;
  }
}

// ---- step 3: what needs a guard

static bool is_certain(const level *l, uint32_t above, uint32_t item) {
  return lin_tree_contains(l->postdominators, item, above);
}

// True if a block is a loop of its own: its threads leave it one after the other.
static bool goes_back_alone(const nester *n, uint32_t leaf, lin_block block) {
  const lin_graph *graph = n->plan->analysis->graph;
  for (LIN_OUT_EDGES(graph, block, edge))
    if (graph->destination[edge] == block)
      return !lin_plan_goes_back(n->plan, n->a->region, leaf, leaf, block, block);
  return false;
}

// The one block that decides where threads go from an item, or LIN_NONE: a leaf of one block, or
// the block from which the region is entered.
static lin_block deciding_block(const nester *n, uint32_t level_index, uint32_t number) {
  if (number == START)
    return n->source;
  uint32_t item = n->levels[level_index].item[number];
  if (item >= n->num_leaves)
    return LIN_NONE;
  uint32_t index = n->plan->first_leaf[n->a->region] + item;
  if (n->plan->size[index] != 1)
    return LIN_NONE;
  lin_block block = n->plan->entry[index];
  return goes_back_alone(n, item, block) ? LIN_NONE : block;
}

static bool is_guarded_inside(const nester *n, uint32_t item) {
  return item >= n->num_leaves && n->guarded_inside[item - n->num_leaves];
}

static bool *find_joins(nester *n, const level *l) {
  bool *several = LIN_ARRAY(n->a->arena, bool, (size_t)l->num_items + 2);
  for (uint32_t i = 0; i < l->num_pairs; i++)
    several[l->pairs[i].to] |= l->pairs[i].from != l->dominators->parent[l->pairs[i].to];
  return several;
}

// True if what nests directly in `above` stands behind guards, or is a loop that does inside.
static bool is_all_guarded(const nester *n, const level *l, uint32_t above) {
  for (uint32_t i = l->first_child[above]; i != LIN_NONE; i = l->next_child[i])
    if (is_certain(l, above, i) && !is_guarded_inside(n, l->item[i]))
      return false;
  return true;
}

// Loops in which everything that they begin with stands behind their own guard, and what nests in
// them behind others: threads that don't enter them may as well come through. Inner loops first.
static void find_guarded_inside(nester *n) {
  for (uint32_t span = n->a->num_spans; span-- > 0;) {
    uint32_t item = n->num_leaves + span;
    n->guarded_inside[span] = n->levels[span].num_entered > 1 &&
                              is_all_guarded(n, &n->levels[span], START) &&
                              is_all_guarded(n, &n->levels[n->level_of[item]], n->number[item]);
  }
}

// ---- the tree

typedef struct task {
  uint32_t level, number; // the item to place; START places what the level's start dominates
  uint32_t seq;           // node to append it to
  uint32_t guard;         // LIN_NONE: no guard
  uint32_t value;         // the guard's value for it
  bool tested;            // false: every thread runs it, but the guard has to say that it is next
} task;

typedef struct tasks {
  task *task;
  uint32_t count;
} tasks;

static uint32_t add_seq(nester *n, uint32_t parent, uint32_t first, uint32_t last) {
  return lin_plan_add_node(n->plan, parent,
                           (lin_node){.kind = LIN_SEQ,
                                      .region = n->a->region,
                                      .first = first,
                                      .last = last,
                                      .guard = LIN_NONE});
}

static uint32_t first_leaf_of(const nester *n, uint32_t item) {
  return item < n->num_leaves ? item : n->a->spans[item - n->num_leaves].first;
}

static uint32_t last_leaf_of(const nester *n, uint32_t item) {
  return item < n->num_leaves ? item : n->a->spans[item - n->num_leaves].last;
}

static uint32_t new_guard(nester *n, bool is_flag, uint32_t otherwise) {
  n->plan->guard[n->plan->num_guards] = (lin_guard){
      .region = n->a->region, .is_flag = is_flag, .otherwise = otherwise, .loop = LIN_NONE};
  return n->plan->num_guards++;
}

static bool is_arm(const nester *n, uint32_t level_index, uint32_t above, uint32_t number) {
  return n->optimisation >= 3 && !n->levels[level_index].dead_end[number] &&
         !n->levels[level_index].several[number] &&
         deciding_block(n, level_index, above) != LIN_NONE;
}

// True for the last item of a region that no thread leaves: who gets there has nowhere else to go.
static bool is_last_resort(const nester *n, uint32_t level_index, uint32_t number) {
  return level_index == n->a->num_spans && number == n->levels[level_index].num_items &&
         n->plan->regions->exit[n->a->region] == LIN_NONE;
}

// Pushes what nests directly in `above`, in order behind the node of `above`: arms into it, the
// others into `seq`. Tasks are a stack, so the last is pushed first.
static void push_children(nester *n, tasks *t, uint32_t level_index, uint32_t above,
                          uint32_t branch, uint32_t seq) {
  const level *l = &n->levels[level_index];
  uint32_t base = t->count, guarded = 0;
  for (uint32_t i = l->first_child[above]; i != LIN_NONE; i = l->next_child[i]) {
    task next = {level_index, i, seq, LIN_NONE, 0, true};
    bool certain = is_certain(l, above, i) || is_last_resort(n, level_index, i);
    if (certain && above == START && l->guard != LIN_NONE && n->entered[l->item[i]] != 0) {
      next.value = ++guarded; // where it goes around must be said
      next.tested = false;
    }
    if (!certain && branch != LIN_NONE && is_arm(n, level_index, above, i)) {
      uint32_t item = l->item[i];
      next.seq = add_seq(n, branch, first_leaf_of(n, item), last_leaf_of(n, item));
    } else if (!certain) {
      next.value = ++guarded;
    }
    t->task[t->count++] = next;
  }
  bool one = above == START && l->guard != LIN_NONE;
  bool flags = !one && n->optimisation >= 4 && guarded <= FLAGS_AT_MOST;
  uint32_t guard = one ? l->guard : LIN_NONE;
  for (uint32_t i = base; i < t->count; i++) {
    task *next = &t->task[i];
    if (next->value == 0)
      continue;
    if (flags || guard == LIN_NONE)
      guard = new_guard(n, flags, flags ? SKIP : 0);
    next->guard = guard;
    if (flags)
      next->value = TAKE;
  }
  for (uint32_t low = base, high = t->count; low + 1 < high; low++) {
    task swap = t->task[low];
    t->task[low] = t->task[--high];
    t->task[high] = swap;
  }
}

// ---- step 4: loops

// True if the last item of a loop is one block that decides for all threads whether to go around.
static bool decides_at_the_end(const nester *n, uint32_t span) {
  const level *l = &n->levels[span];
  uint32_t last = l->num_items;
  return is_certain(l, START, last) && deciding_block(n, span, last) != LIN_NONE;
}

static uint32_t add_loop(nester *n, uint32_t span, uint32_t seq) {
  level *l = &n->levels[span];
  bool several = l->num_entered > 1;
  lin_node node = {.kind = LIN_LOOP,
                   .region = n->a->region,
                   .first = n->a->spans[span].first,
                   .last = n->a->spans[span].last,
                   .guard = LIN_NONE,
                   .low = 1,
                   .high = 1};
  bool decided = n->optimisation >= 3 && decides_at_the_end(n, span);
  if (several) {
    l->guard = new_guard(n, false, 0);
    node.high = l->num_items; // at most: every value but 0 goes around
    node.guard = l->guard;
  } else if (!decided) {
    node.guard = new_guard(n, true, 0);
  }
  uint32_t index = lin_plan_add_node(n->plan, seq, node);
  if (several)
    n->plan->guard[l->guard].loop = index;
  return index;
}

static void place_leaf(nester *n, tasks *t, const task *at, uint32_t leaf) {
  uint32_t index = n->plan->first_leaf[n->a->region] + leaf;
  uint32_t node = lin_plan_add_node(
      n->plan, at->seq,
      (lin_node){.kind = LIN_BRANCH_NODE, .region = n->a->region, .first = leaf, .last = leaf});
  n->plan->node_of[index] = node;
  push_children(n, t, at->level, at->number, node, at->seq);
  if (n->plan->node[node].child == LIN_NONE)
    n->plan->node[node].kind = LIN_LEAF;
}

static void place_loop(nester *n, tasks *t, const task *at, uint32_t span) {
  uint32_t loop = add_loop(n, span, at->seq);
  const lin_node *node = &n->plan->node[loop];
  push_children(n, t, at->level, at->number, LIN_NONE, at->seq);
  uint32_t body = add_seq(n, loop, node->first, node->last);
  push_children(n, t, span, START, LIN_NONE, body);
}

static void place(nester *n, tasks *t, task at) {
  uint32_t item = n->levels[at.level].item[at.number];
  if (at.guard != LIN_NONE) {
    lin_node node = {.kind = !at.tested || is_guarded_inside(n, item) ? LIN_SEQ : LIN_IF,
                     .region = n->a->region,
                     .first = first_leaf_of(n, item),
                     .last = last_leaf_of(n, item),
                     .guard = at.guard,
                     .low = at.value,
                     .high = at.value};
    at.seq = lin_plan_add_node(n->plan, at.seq, node);
    if (node.kind == LIN_IF)
      at.seq = add_seq(n, at.seq, node.first, node.last);
  }
  if (item < n->num_leaves)
    place_leaf(n, t, &at, item);
  else
    place_loop(n, t, &at, item - n->num_leaves);
}

// The region begins with a branch node of its own: the block from which it is entered has arms too.
static uint32_t place_region(nester *n, tasks *t) {
  uint32_t region_level = n->a->num_spans;
  uint32_t root = add_seq(n, LIN_NONE, 0, n->num_leaves - 1);
  uint32_t branch = lin_plan_add_node(
      n->plan, root,
      (lin_node){
          .kind = LIN_BRANCH_NODE, .region = n->a->region, .first = LIN_NONE, .last = LIN_NONE});
  push_children(n, t, region_level, START, branch, root);
  return root;
}

uint32_t lin_arrange_nested(const lin_arrangement *a, int optimisation) {
  uint32_t leaves = a->plan->num_leaves[a->region], items = leaves + a->num_spans;
  nester n = {.a = a,
              .plan = a->plan,
              .optimisation = optimisation,
              .num_leaves = leaves,
              .levels = LIN_ARRAY(a->arena, level, (size_t)a->num_spans + 1),
              .level_of = LIN_ARRAY(a->arena, uint32_t, items),
              .number = LIN_ARRAY(a->arena, uint32_t, items),
              .entered = LIN_ARRAY(a->arena, uint32_t, items),
              .guarded_inside = LIN_ARRAY(a->arena, bool, a->num_spans),
              .source = LIN_NONE};
  find_levels(&n);
  sort_edges(&n);
  for (uint32_t i = 0; i <= a->num_spans; i++) {
    n.levels[i].guard = LIN_NONE;
    find_dominators(&n, &n.levels[i]);
    n.levels[i].several = find_joins(&n, &n.levels[i]);
  }
  find_guarded_inside(&n);
  tasks t = {.task = LIN_ARRAY(a->arena, task, (size_t)items + 1)};
  uint32_t root = place_region(&n, &t);
  while (t.count > 0)
    place(&n, &t, t.task[--t.count]);
  return root;
}
