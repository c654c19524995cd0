// 1. Leaves, outermost regions first: the blocks of a region in order, each with the largest
//    structured subregion that it begins. An inner region that no such subregion contains is
//    dissolved: its blocks become leaves here.
// 2. Loops: the span of a retreating edge runs from the leaf of its destination to that of its
//    source. Spans that overlap become one loop (spans.h).
//
//    A loop tested once, after its last leaf, lets the threads that go around meet those that would
//    go around later. A test for each edge would let some spin alone while the others wait.
// 3. The tree of each region (algorithm1_arrange.h).
#include "algorithm1_plan.h"

#include "algorithm1_arrange.h"
#include "algorithm3_subregions.h"
#include "graph/sorted.h"
#include "spans.h"

#include <stdlib.h>
#include <string.h>

typedef struct planner {
  lin_plan *plan;
  const lin_analysis *analysis;
  lin_regions *regions;
  lin_subregions *subregions; // NULL: every block is a leaf
  const bool *plain;          // [num_regions] every block of these is; or NULL
  const uint32_t *stage;      // [num_blocks] blocks of a lower one come first; or NULL
  const bool *merged;         // [num_loops] goes around with the loop around it; or NULL
  lin_arena *arena;
  lin_block *preorder;   // [num_blocks] of the dominator tree
  uint32_t *first_block; // [num_regions + 1] into blocks: those owned directly
  lin_block *blocks;
  uint32_t *first_inner; // [num_regions + 1] into inner: the regions nested directly
  uint32_t *inner;
  lin_block *members; // all blocks of the region at hand, in order
  uint32_t num_members;
  uint32_t *stack;   // [num_regions]
  uint32_t *covered; // [num_blocks] the last region in which the block has got a leaf
  uint32_t total_leaves;
} planner;

// Lists for each group in 0 .. num_groups - 1 the items that are in it, in rising order.
static void group_items(lin_arena *arena, const uint32_t *group, uint32_t num_items,
                        uint32_t num_groups, uint32_t **first, uint32_t **items) {
  uint32_t *begin = LIN_ARRAY(arena, uint32_t, (size_t)num_groups + 2);
  *items = LIN_ARRAY(arena, uint32_t, num_items);
  for (uint32_t i = 0; i < num_items; i++)
    if (group[i] != LIN_NONE)
      begin[group[i] + 2]++;
  for (uint32_t g = 0; g < num_groups; g++)
    begin[g + 2] += begin[g + 1];
  for (uint32_t i = 0; i < num_items; i++)
    if (group[i] != LIN_NONE)
      (*items)[begin[group[i] + 1]++] = i;
  *first = begin;
}

// Blocks of one stage stay in order.
static void sort_by_stage(planner *p) {
  uint32_t *first, *position, *group = LIN_ARRAY(p->arena, uint32_t, p->num_members);
  uint32_t num_stages = 0;
  for (uint32_t i = 0; i < p->num_members; i++) {
    group[i] = p->stage[p->members[i]];
    num_stages = group[i] < num_stages ? num_stages : group[i] + 1;
  }
  group_items(p->arena, group, p->num_members, num_stages, &first, &position);
  for (uint32_t i = 0; i < p->num_members; i++)
    group[i] = p->members[position[i]];
  memcpy(p->members, group, p->num_members * sizeof *group);
}

static void gather_members(planner *p, uint32_t region) {
  uint32_t top = 0;
  p->num_members = 0;
  for (p->stack[top++] = region; top > 0;) {
    uint32_t at = p->stack[--top];
    for (uint32_t i = p->first_block[at]; i < p->first_block[at + 1]; i++)
      p->members[p->num_members++] = p->blocks[i];
    for (uint32_t i = p->first_inner[at]; i < p->first_inner[at + 1]; i++)
      p->stack[top++] = p->inner[i];
  }
  qsort(p->members, p->num_members, sizeof(lin_block), lin_rising);
  if (p->stage != NULL)
    sort_by_stage(p);
}

static uint32_t skip_dissolved(const planner *p, uint32_t region) {
  while (region != LIN_NONE && p->regions->gone[region])
    region = p->regions->parent[region];
  return region;
}

// The region within `region` that is not dissolved, outermost, and contains `block`; or LIN_NONE.
static uint32_t standing_inner(const planner *p, uint32_t region, lin_block block) {
  uint32_t result = LIN_NONE;
  uint32_t at = skip_dissolved(p, p->regions->owner[block]);
  for (; at != region; at = skip_dissolved(p, p->regions->parent[at]))
    result = at;
  return result;
}

static void dissolve_around(planner *p, uint32_t region, lin_block block) {
  for (uint32_t at = p->regions->owner[block]; at != region; at = p->regions->parent[at])
    p->regions->gone[at] = true;
}

static void cover(planner *p, uint32_t region, uint32_t leaf, lin_block block) {
  uint32_t inner = standing_inner(p, region, block);
  p->covered[block] = region;
  p->plan->size[p->plan->first_leaf[region] + leaf]++;
  if (inner == LIN_NONE)
    p->plan->leaf_of[block] = leaf;
  else
    p->plan->outer_leaf[inner] = leaf;
}

static void cover_subregion(planner *p, uint32_t region, uint32_t leaf, lin_block entry,
                            lin_block target) {
  const lin_tree *tree = p->analysis->dominators;
  for (uint32_t i = tree->enter[entry]; i < tree->leave[entry];) {
    lin_block block = p->preorder[i];
    if (block == target) {
      i = tree->leave[block];
      continue;
    }
    if (p->analysis->postdominators->fate[block] == p->analysis->postdominators->fate[entry])
      cover(p, region, leaf, block);
    i++;
  }
}

static void find_leaves(planner *p, uint32_t region) {
  lin_plan *plan = p->plan;
  bool every_block = p->subregions == NULL || (p->plain != NULL && p->plain[region]);
  gather_members(p, region);
  plan->first_leaf[region] = p->total_leaves;
  for (uint32_t i = 0; i < p->num_members; i++) {
    lin_block block = p->members[i];
    if (p->covered[block] == region)
      continue;
    lin_block target = every_block ? LIN_NONE : lin_subregion_target(p->subregions, region, block);
    dissolve_around(p, region, block);
    uint32_t leaf = p->total_leaves - plan->first_leaf[region];
    plan->entry[p->total_leaves++] = block;
    if (target == LIN_NONE)
      cover(p, region, leaf, block);
    else
      cover_subregion(p, region, leaf, block, target);
  }
  plan->num_leaves[region] = p->total_leaves - plan->first_leaf[region];
}

// ---- loops

static bool is_around_merged(const planner *p, lin_edge edge) {
  return p->merged != NULL &&
         p->merged[lin_loop_around(p->analysis->loops, p->analysis->graph, edge)];
}

// The leaf at which the loop begins that the loop of `header` goes around with.
static uint32_t merged_into(const planner *p, uint32_t region, lin_block header) {
  const lin_loops *loops = p->analysis->loops;
  return lin_plan_leaf(p->plan, region,
                       lin_merged_header(loops, p->merged, loops->loop_of[header]));
}

// The furthest source of a retreating edge to each leaf of `region`, LIN_NONE if there is none.
static uint32_t *furthest_sources(planner *p, uint32_t region) {
  const lin_graph *graph = p->analysis->graph;
  uint32_t count = p->plan->num_leaves[region];
  uint32_t *furthest = LIN_ARRAY(p->arena, uint32_t, count);
  for (uint32_t leaf = 0; leaf < count; leaf++)
    furthest[leaf] = LIN_NONE;
  gather_members(p, region);
  for (uint32_t i = 0; i < p->num_members; i++) {
    lin_block block = p->members[i];
    uint32_t from = lin_plan_leaf(p->plan, region, block);
    for (LIN_OUT_EDGES(graph, block, edge)) {
      uint32_t to = lin_plan_leaf(p->plan, region, graph->destination[edge]);
      // A merged loop of one block goes around from its leaf to another; of a leaf that holds all
      // of a nest nothing goes around.
      uint32_t around =
          is_around_merged(p, edge) ? merged_into(p, region, graph->destination[edge]) : to;
      if (to == LIN_NONE || to > from || around >= from)
        continue;
      p->plan->is_returned_to[p->plan->first_leaf[region] + to] = true;
      if (furthest[around] == LIN_NONE || furthest[around] < from)
        furthest[around] = from;
    }
  }
  return furthest;
}

// ---- the tree

static void arrange(planner *p, uint32_t region, int level) {
  lin_span *spans;
  const uint32_t *furthest = furthest_sources(p, region); // gathers the members
  uint32_t num_spans = lin_spans_merge(p->arena, furthest, p->plan->num_leaves[region], &spans);
  lin_arrangement a = {.arena = p->arena,
                       .plan = p->plan,
                       .region = region,
                       .spans = spans,
                       .num_spans = num_spans,
                       .stage = p->stage,
                       .members = p->members,
                       .num_members = p->num_members};
  if (level == 0)
    p->plan->root[region] = lin_arrange_flat(&a);
  else
    p->plan->root[region] =
        p->stage != NULL ? lin_arrange_stages(&a) : lin_arrange_nested(&a, level);
}

// The level at which a region is arranged.
static int level_of(const lin_plan_options *options, uint32_t region) {
  bool flat = (options->flat != NULL && options->flat[region]) ||
              (options->plain != NULL && options->plain[region]);
  return flat ? 0 : options->level;
}

static void build_trees(planner *p, const lin_plan_options *options) {
  lin_plan *plan = p->plan;
  size_t leaves = p->total_leaves, capacity = 7 * leaves + 2 * (size_t)p->regions->num_regions;
  plan->node = LIN_ARRAY(p->arena, lin_node, capacity);
  plan->last_child = LIN_ARRAY(p->arena, uint32_t, capacity);
  plan->guard = LIN_ARRAY(p->arena, lin_guard, 4 * leaves + p->regions->num_regions);
  for (uint32_t region = 0; region < p->regions->num_regions; region++)
    if (!p->regions->gone[region])
      arrange(p, region, level_of(options, region));
  uint32_t *parent = LIN_ARRAY(p->arena, uint32_t, (size_t)plan->num_nodes + 1);
  for (uint32_t node = 0; node < plan->num_nodes; node++)
    parent[node] = plan->node[node].parent == LIN_NONE ? plan->num_nodes : plan->node[node].parent;
  parent[plan->num_nodes] = LIN_NONE;
  plan->nesting = lin_tree_build(p->arena, plan->num_nodes + 1, plan->num_nodes, parent);
}

static void allocate(planner *p) {
  lin_arena *arena = p->arena;
  uint32_t n = p->analysis->graph->num_blocks, regions = p->regions->num_regions;
  lin_plan *plan = p->plan;
  plan->analysis = p->analysis;
  plan->regions = p->regions;
  plan->outer_leaf = LIN_ARRAY(arena, uint32_t, regions);
  plan->leaf_of = LIN_ARRAY(arena, uint32_t, n);
  plan->first_leaf = LIN_ARRAY(arena, uint32_t, regions);
  plan->num_leaves = LIN_ARRAY(arena, uint32_t, regions);
  plan->entry = LIN_ARRAY(arena, lin_block, n);
  plan->size = LIN_ARRAY(arena, uint32_t, n);
  plan->is_returned_to = LIN_ARRAY(arena, bool, n);
  plan->node_of = LIN_ARRAY(arena, uint32_t, n);
  plan->root = LIN_ARRAY(arena, uint32_t, regions);
  p->members = LIN_ARRAY(arena, lin_block, n);
  p->stack = LIN_ARRAY(arena, uint32_t, regions);
  p->covered = LIN_ARRAY(arena, uint32_t, n);
  p->preorder = LIN_ARRAY(arena, lin_block, n);
  for (lin_block block = 0; block < n; block++) {
    plan->leaf_of[block] = p->covered[block] = LIN_NONE;
    p->preorder[p->analysis->dominators->enter[block]] = block;
  }
  for (uint32_t region = 0; region < regions; region++)
    plan->outer_leaf[region] = plan->root[region] = LIN_NONE;
}

// From here on `owner` and `parent` name only regions that stand.
static void drop_dissolved(planner *p) {
  for (lin_block block = 0; block < p->analysis->graph->num_blocks; block++)
    p->regions->owner[block] = skip_dissolved(p, p->regions->owner[block]);
  for (uint32_t region = 0; region < p->regions->num_regions; region++)
    p->regions->parent[region] = skip_dissolved(p, p->regions->parent[region]);
}

lin_plan *lin_plan_build(lin_arena *arena, const lin_analysis *analysis, lin_regions *regions,
                         const bool *seed, const lin_plan_options *options) {
  uint32_t n = analysis->graph->num_blocks, count = regions->num_regions;
  planner p = {.plan = LIN_NEW(arena, lin_plan),
               .analysis = analysis,
               .regions = regions,
               .plain = options->plain,
               .stage = options->stage,
               .merged = options->merged,
               .arena = arena};
  allocate(&p);
  if (options->keep_subregions)
    p.subregions = lin_subregions_build(arena, analysis, regions, seed, options->merged,
                                        options->stage != NULL);
  group_items(arena, regions->owner, n, count, &p.first_block, &p.blocks);
  group_items(arena, regions->parent, count, count, &p.first_inner, &p.inner);

  for (uint32_t region = count; region-- > 0;) // a region is numbered after those nested in it
    if (!p.regions->gone[region])
      find_leaves(&p, region);
  drop_dissolved(&p);
  build_trees(&p, options);
  return p.plan;
}
