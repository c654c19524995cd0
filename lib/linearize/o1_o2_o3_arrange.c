// The optimised tree, of the levels of a region (levels.h).
//   1. An item nests in its immediate dominator i, behind it and all that is nested in i before it:
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
//   2. A loop goes around under a guard that its retreating edges set. It needs none if its last
//      item is one block that every thread comes to.
//
// A loop that can be entered at several items (irreducible, or merged spans) has one integer for
// all of them, set by the edges that enter it and by those that go around, carried by the loop.
#include "levels.h"

// Guards below one item that are flags and no integer: 2 to 16 are alike, with no flags at all
// warps run 0.05% more in mode needed, 0.02% in mode paper; what runs least of one half of the
// kernels (1) runs more of the other. `scripts/calibrate FLAGS_AT_MOST`, 2026-11-24. By times on an
// H200, too, 1 is no better in mode needed (0.1% on one half, 0.01% on the other); in mode paper it
// is, by 0.7% and 0.2% (bench/results/h200-2026-11-24-calibrate.txt).
enum { FLAGS_AT_MOST = 4 };

// A flag says whether to skip: behind a branch on it the guarded leaf comes next in the code, and a
// branch goes to the next place if its condition is false. The flag of a loop says whether to go
// around.
enum { TAKE = 0, SKIP = 1 };

typedef struct nester {
  const lin_arrangement *a;
  lin_plan *plan;
  int optimisation;
  lin_levels l;
  uint32_t *guard;      // [num_spans + 1] the integer of a loop with several entries, or LIN_NONE
  bool *guarded_inside; // [num_spans]
} nester;

// ---- what needs a guard

static bool is_certain(const lin_level *l, uint32_t above, uint32_t item) {
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
  if (number == LIN_LEVEL_START)
    return n->l.source;
  uint32_t item = n->l.level[level_index].item[number];
  if (item >= n->l.num_leaves)
    return LIN_NONE;
  uint32_t index = n->plan->first_leaf[n->a->region] + item;
  if (n->plan->size[index] != 1)
    return LIN_NONE;
  lin_block block = n->plan->entry[index];
  return goes_back_alone(n, item, block) ? LIN_NONE : block;
}

static bool is_guarded_inside(const nester *n, uint32_t item) {
  return item >= n->l.num_leaves && n->guarded_inside[item - n->l.num_leaves];
}

// True if what nests directly in `above` stands behind guards, or is a loop that does inside.
static bool is_all_guarded(const nester *n, const lin_level *l, uint32_t above) {
  for (uint32_t i = l->first_child[above]; i != LIN_NONE; i = l->next_child[i])
    if (is_certain(l, above, i) && !is_guarded_inside(n, l->item[i]))
      return false;
  return true;
}

// Loops in which everything that they begin with stands behind their own guard, and what nests in
// them behind others: threads that don't enter them may as well come through. Inner loops first.
static void find_guarded_inside(nester *n) {
  for (uint32_t span = n->a->num_spans; span-- > 0;) {
    uint32_t item = n->l.num_leaves + span;
    n->guarded_inside[span] =
        n->l.level[span].num_entered > 1 && is_all_guarded(n, &n->l.level[span], LIN_LEVEL_START) &&
        is_all_guarded(n, &n->l.level[n->l.level_of[item]], n->l.number[item]);
  }
}

// ---- the tree

typedef struct task {
  uint32_t level,
      number;     // the item to place; LIN_LEVEL_START places what the level's start dominates
  uint32_t seq;   // node to append it to
  uint32_t guard; // LIN_NONE: no guard
  uint32_t value; // the guard's value for it
  bool tested;    // false: every thread runs it, but the guard has to say that it is next
} task;

typedef struct tasks {
  task *task;
  uint32_t count;
} tasks;

static uint32_t first_leaf_of(const nester *n, uint32_t item) {
  return item < n->l.num_leaves ? item : n->a->spans[item - n->l.num_leaves].first;
}

static uint32_t last_leaf_of(const nester *n, uint32_t item) {
  return item < n->l.num_leaves ? item : n->a->spans[item - n->l.num_leaves].last;
}

static uint32_t new_guard(nester *n, bool is_flag, uint32_t otherwise) {
  n->plan->guard[n->plan->num_guards] = (lin_guard){
      .region = n->a->region, .is_flag = is_flag, .otherwise = otherwise, .loop = LIN_NONE};
  return n->plan->num_guards++;
}

static bool is_arm(const nester *n, uint32_t level_index, uint32_t above, uint32_t number) {
  return n->optimisation >= 3 && !n->l.level[level_index].dead_end[number] &&
         !n->l.level[level_index].several[number] &&
         deciding_block(n, level_index, above) != LIN_NONE;
}

// True for the last item of a region that no thread leaves: who gets there has nowhere else to go.
static bool is_last_resort(const nester *n, uint32_t level_index, uint32_t number) {
  return level_index == n->a->num_spans && number == n->l.level[level_index].num_items &&
         n->plan->regions->exit[n->a->region] == LIN_NONE;
}

// Pushes what nests directly in `above`, in order behind the node of `above`: arms into it, the
// others into `seq`. Tasks are a stack, so the last is pushed first.
static void push_children(nester *n, tasks *t, uint32_t level_index, uint32_t above,
                          uint32_t branch, uint32_t seq) {
  const lin_level *l = &n->l.level[level_index];
  uint32_t base = t->count, guarded = 0;
  for (uint32_t i = l->first_child[above]; i != LIN_NONE; i = l->next_child[i]) {
    task next = {level_index, i, seq, LIN_NONE, 0, true};
    bool certain = is_certain(l, above, i) || is_last_resort(n, level_index, i);
    if (certain && above == LIN_LEVEL_START && n->guard[level_index] != LIN_NONE &&
        n->l.entered[l->item[i]]) {
      next.value = ++guarded; // where it goes around must be said
      next.tested = false;
    }
    if (!certain && branch != LIN_NONE && is_arm(n, level_index, above, i)) {
      uint32_t item = l->item[i];
      next.seq = lin_plan_add_sequence(n->plan, branch, n->a->region, first_leaf_of(n, item),
                                       last_leaf_of(n, item));
    } else if (!certain) {
      next.value = ++guarded;
    }
    t->task[t->count++] = next;
  }
  bool one = above == LIN_LEVEL_START && n->guard[level_index] != LIN_NONE;
  bool flags = !one && n->optimisation >= 4 && guarded <= FLAGS_AT_MOST;
  uint32_t guard = one ? n->guard[level_index] : LIN_NONE;
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

// ---- loops

// True if the last item of a loop is one block that decides for all threads whether to go around.
static bool decides_at_the_end(const nester *n, uint32_t span) {
  const lin_level *l = &n->l.level[span];
  uint32_t last = l->num_items;
  return is_certain(l, LIN_LEVEL_START, last) && deciding_block(n, span, last) != LIN_NONE;
}

static uint32_t add_loop(nester *n, uint32_t span, uint32_t seq) {
  const lin_level *l = &n->l.level[span];
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
    n->guard[span] = new_guard(n, false, 0);
    node.high = l->num_items; // at most: every value but 0 goes around
    node.guard = n->guard[span];
  } else if (!decided) {
    node.guard = new_guard(n, true, 0);
  }
  uint32_t index = lin_plan_add_node(n->plan, seq, node);
  if (several)
    n->plan->guard[n->guard[span]].loop = index;
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
  uint32_t body = lin_plan_add_sequence(n->plan, loop, n->a->region, node->first, node->last);
  push_children(n, t, span, LIN_LEVEL_START, LIN_NONE, body);
}

static void place(nester *n, tasks *t, task at) {
  uint32_t item = n->l.level[at.level].item[at.number];
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
      at.seq = lin_plan_add_sequence(n->plan, at.seq, n->a->region, node.first, node.last);
  }
  if (item < n->l.num_leaves)
    place_leaf(n, t, &at, item);
  else
    place_loop(n, t, &at, item - n->l.num_leaves);
}

// The region begins with a branch node of its own: the block from which it is entered has arms too.
static uint32_t place_region(nester *n, tasks *t) {
  uint32_t region_level = n->a->num_spans;
  uint32_t root = lin_plan_add_sequence(n->plan, LIN_NONE, n->a->region, 0, n->l.num_leaves - 1);
  uint32_t branch = lin_plan_add_node(
      n->plan, root,
      (lin_node){
          .kind = LIN_BRANCH_NODE, .region = n->a->region, .first = LIN_NONE, .last = LIN_NONE});
  push_children(n, t, region_level, LIN_LEVEL_START, branch, root);
  return root;
}

uint32_t lin_arrange_nested(const lin_arrangement *a, int optimisation) {
  nester n = {.a = a,
              .plan = a->plan,
              .optimisation = optimisation,
              .l = lin_levels_build(a, optimisation >= 2),
              .guard = LIN_ARRAY(a->arena, uint32_t, (size_t)a->num_spans + 1),
              .guarded_inside = LIN_ARRAY(a->arena, bool, a->num_spans)};
  for (uint32_t i = 0; i <= a->num_spans; i++)
    n.guard[i] = LIN_NONE;
  find_guarded_inside(&n);
  tasks t = {.task = LIN_ARRAY(a->arena, task, (size_t)n.l.num_leaves + a->num_spans + 1)};
  uint32_t root = place_region(&n, &t);
  while (t.count > 0)
    place(&n, &t, t.task[--t.count]);
  return root;
}
