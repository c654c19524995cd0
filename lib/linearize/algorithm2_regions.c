// The paper iterates over sets of all blocks. Here a region grows one block at a time:
//   1. D is the meeting point, in the dominator tree, of the immediate dominators of its blocks, P
//      that of their immediate post-dominators; both only ever move outwards.
//   2. Each predecessor of a block but D belongs to the region, and each successor but P.
//   3. A D or P that moves outwards leaves its old place inside: that block belongs to the region.
//   4. A block of an earlier region brings in all of that region at once, bounded by its D and P.
// Edges whose D is deepest come first, so that inner regions are found before those around them.
// Each block joins one region once and each region one other, so all of it is near-linear.
#include "algorithm2_regions.h"

#include "between.h"

#include <stdlib.h>

typedef struct growth {
  const lin_analysis *analysis;
  lin_regions *regions;
  uint32_t *top;   // [num_regions] towards the outermost region around, compressed
  uint32_t region; // the one that grows
  uint8_t fate;    // of its blocks
  bool started;    // D and P are set
  lin_block *work; // blocks to be added
  uint32_t count;
  uint32_t capacity;
  lin_arena *arena;
} growth;

static uint32_t top_region(growth *g, lin_block block) {
  uint32_t region = g->regions->owner[block];
  if (region == LIN_NONE)
    return LIN_NONE;
  uint32_t top = region;
  while (g->top[top] != top)
    top = g->top[top];
  while (g->top[region] != top) {
    uint32_t above = g->top[region];
    g->top[region] = top;
    region = above;
  }
  return top;
}

static void want(growth *g, lin_block block) {
  if (g->analysis->postdominators->fate[block] != g->fate || top_region(g, block) == g->region)
    return;
  g->work = LIN_ROOM(g->arena, g->work, g->count, &g->capacity);
  g->work[g->count++] = block;
}

static lin_block meet(const lin_tree *tree, lin_block a, lin_block b) {
  return a == LIN_NONE || b == LIN_NONE ? LIN_NONE : lin_tree_meet(tree, a, b);
}

// Step 1 and 3: moves D and P so that `above` and `below` are no longer inside.
static void widen(growth *g, lin_block above, lin_block below) {
  lin_block *dominator = &g->regions->dominator[g->region];
  lin_block *exit = &g->regions->exit[g->region];
  lin_block old_dominator = *dominator, old_exit = *exit;
  if (!g->started) {
    *dominator = above;
    *exit = below;
    g->started = true;
    return;
  }
  *dominator = meet(g->analysis->dominators, *dominator, above);
  *exit = meet(g->analysis->postdominators->tree, *exit, below);
  if (*dominator != old_dominator)
    want(g, old_dominator);
  if (*exit != old_exit)
    want(g, old_exit);
}

static void want_before(growth *g, lin_block block) {
  if (block != g->regions->dominator[g->region])
    want(g, block);
}

static void want_after(growth *g, lin_block block) {
  if (block != g->regions->exit[g->region])
    want(g, block);
}

static void add_block(growth *g, lin_block block) {
  const lin_graph *graph = g->analysis->graph;
  g->regions->owner[block] = g->region;
  widen(g, g->analysis->dominators->parent[block],
        g->analysis->postdominators->tree->parent[block]);
  for (LIN_IN_EDGES(graph, block, i))
    want_before(g, graph->source[graph->in_edge[i]]);
  for (LIN_OUT_EDGES(graph, block, edge))
    want_after(g, graph->destination[edge]);
}

static void add_region(growth *g, uint32_t inner) {
  lin_regions *regions = g->regions;
  regions->parent[inner] = g->region;
  g->top[inner] = g->region;
  widen(g, regions->dominator[inner], regions->exit[inner]);
  want_before(g, regions->dominator[inner]);
  want_after(g, regions->exit[inner]);
}

// Grows a new region from `edge`, unless one region contains both ends already.
static void grow(growth *g, lin_edge edge) {
  lin_block from = g->analysis->graph->source[edge], to = g->analysis->graph->destination[edge];
  const uint8_t *fate = g->analysis->postdominators->fate;
  uint32_t top = top_region(g, to);
  if (top != LIN_NONE && (fate[from] != fate[to] || top_region(g, from) == top))
    return;
  g->region = g->regions->num_regions++;
  g->top[g->region] = g->region;
  g->regions->parent[g->region] = LIN_NONE;
  g->fate = fate[to];
  g->started = false;
  g->count = 0;
  want(g, from);
  want(g, to);
  while (g->count > 0) {
    lin_block block = g->work[--g->count];
    uint32_t inner = top_region(g, block);
    if (inner == LIN_NONE)
      add_block(g, block);
    else if (inner != g->region)
      add_region(g, inner);
  }
}

typedef struct ranked_edge {
  lin_edge edge;
  uint32_t above, below; // depth of the D and the P that the edge alone would have
} ranked_edge;

static int deepest_first(const void *left, const void *right) {
  const ranked_edge *a = left, *b = right;
  if (a->above != b->above)
    return a->above > b->above ? -1 : 1;
  if (a->below != b->below)
    return a->below > b->below ? -1 : 1;
  return (a->edge > b->edge) - (a->edge < b->edge);
}

static uint32_t depth_above(const lin_tree *tree, lin_block a, lin_block b) {
  lin_block above = meet(tree, tree->parent[a], tree->parent[b]);
  return above == LIN_NONE ? 0 : tree->depth[above] + 1;
}

static uint32_t rank_edges(lin_arena *arena, const lin_analysis *a, const bool *seed,
                           ranked_edge **result) {
  uint32_t count = 0;
  ranked_edge *ranked = LIN_ARRAY(arena, ranked_edge, a->graph->num_edges);
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++) {
    if (!seed[edge])
      continue;
    lin_block from = a->graph->source[edge], to = a->graph->destination[edge];
    if (a->postdominators->doomed[edge]) // only the destination will be in the region
      from = to;
    ranked[count++] = (ranked_edge){edge, depth_above(a->dominators, from, to),
                                    depth_above(a->postdominators->tree, from, to)};
  }
  qsort(ranked, count, sizeof *ranked, deepest_first);
  *result = ranked;
  return count;
}

lin_regions *lin_regions_none(lin_arena *arena, uint32_t num_blocks, uint32_t capacity) {
  lin_regions *regions = LIN_NEW(arena, lin_regions);
  regions->owner = LIN_ARRAY(arena, uint32_t, num_blocks);
  regions->parent = LIN_ARRAY(arena, uint32_t, capacity);
  regions->dominator = LIN_ARRAY(arena, lin_block, capacity);
  regions->exit = LIN_ARRAY(arena, lin_block, capacity);
  regions->gone = LIN_ARRAY(arena, bool, capacity);
  for (lin_block block = 0; block < num_blocks; block++)
    regions->owner[block] = LIN_NONE;
  return regions;
}

lin_regions *lin_regions_build(lin_arena *arena, const lin_analysis *analysis, const bool *seed) {
  uint32_t n = analysis->graph->num_blocks;
  ranked_edge *ranked;
  uint32_t count = rank_edges(arena, analysis, seed, &ranked);
  growth g = {.analysis = analysis,
              .regions = lin_regions_none(arena, n, count),
              .top = LIN_ARRAY(arena, uint32_t, count),
              .arena = arena};
  for (uint32_t i = 0; i < count; i++)
    grow(&g, ranked[i].edge);
  for (uint32_t region = 0; region < g.regions->num_regions; region++)
    if (g.regions->exit[region] == n) // the virtual exit
      g.regions->exit[region] = LIN_NONE;
  return g.regions;
}

bool lin_regions_add(lin_regions *regions, const lin_between *between) {
  for (uint32_t i = 0; i < between->count; i++)
    if (regions->owner[between->block[i]] != LIN_NONE)
      return false;
  uint32_t region = regions->num_regions++;
  regions->parent[region] = LIN_NONE;
  regions->dominator[region] = between->above;
  regions->exit[region] = between->below;
  for (uint32_t i = 0; i < between->count; i++)
    regions->owner[between->block[i]] = region;
  return true;
}

lin_regions *lin_regions_whole(lin_arena *arena, const lin_analysis *analysis) {
  const lin_graph *graph = analysis->graph;
  lin_regions *regions = lin_regions_none(arena, graph->num_blocks, 1);
  regions->num_regions = 1;
  regions->parent[0] = LIN_NONE;
  regions->dominator[0] = 0;
  regions->exit[0] = LIN_NONE;
  uint32_t members = 0;
  for (lin_block block = 1; block < graph->num_blocks; block++) {
    if ((graph->flags[block] & LIN_RETURN) != 0) {
      regions->exit[0] = block;
    } else {
      regions->owner[block] = 0;
      members++;
    }
  }
  if (members == 0)
    regions->num_regions = 0;
  return regions;
}

void lin_regions_remove(lin_regions *regions, uint32_t num_blocks, const bool *removed) {
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    regions->gone[region] |= removed[region];
    if (regions->parent[region] != LIN_NONE && removed[regions->parent[region]])
      regions->parent[region] = LIN_NONE;
  }
  for (lin_block block = 0; block < num_blocks; block++)
    if (regions->owner[block] != LIN_NONE && removed[regions->owner[block]])
      regions->owner[block] = LIN_NONE;
}

uint32_t lin_region_around(const lin_regions *regions, uint32_t a, uint32_t b) {
  while (a != b && a != LIN_NONE && b != LIN_NONE)
    if (a < b) // a region is numbered after those nested in it
      a = regions->parent[a];
    else
      b = regions->parent[b];
  return a == b ? a : LIN_NONE;
}

uint32_t lin_region_of_blocks(const lin_regions *regions, lin_block a, lin_block b) {
  return lin_region_around(regions, regions->owner[a], regions->owner[b]);
}

bool lin_region_contains(const lin_regions *regions, uint32_t region, lin_block block) {
  uint32_t inner = regions->owner[block];
  while (inner != LIN_NONE && inner != region)
    inner = regions->parent[inner];
  return inner == region;
}
