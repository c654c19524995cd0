// What the plan is made from: the order, the analysis and the regions.
#include "check.h"

#include "check_facts.h"

#include <string.h>

// ---- order and analysis

static const char *check_forest(lin_arena *arena, const lin_facts *f, const lin_loops *loops) {
  const lin_graph *graph = f->graph;
  if (loops->num_loops != f->num_loops + 1)
    return lin_check_describe(arena, "order: %u loops instead of %u", loops->num_loops - 1,
                              f->num_loops);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    uint32_t theirs = loops->loop_of[block];
    uint32_t mine = f->loop_of[block];
    for (; mine != LIN_NONE && theirs != 0;
         mine = f->loops[mine].parent, theirs = loops->tree->parent[theirs]) {
      if (loops->header[theirs] != f->loops[mine].header)
        return lin_check_describe(arena, "order: %s is in the loop of %s", graph->name[block],
                                  graph->name[f->loops[mine].header]);
      if (loops->irreducible[theirs] == f->loops[mine].reducible)
        return lin_check_describe(arena, "order: the loop of %s is taken for %sreducible",
                                  graph->name[f->loops[mine].header],
                                  f->loops[mine].reducible ? "ir" : "");
    }
    if (mine != LIN_NONE || theirs != 0)
      return lin_check_describe(arena, "order: %s is nested in too few or too many loops",
                                graph->name[block]);
  }
  return NULL;
}

static const char *check_copy(lin_arena *arena, const lin_graph *input, const lin_order *order) {
  const lin_graph *graph = order->graph;
  uint32_t mapped = 0;
  for (lin_block old = 0; old < input->num_blocks; old++) {
    lin_block block = order->number[old];
    if (block == LIN_NONE)
      continue;
    mapped++;
    if (block >= graph->num_blocks || order->origin[block] != old)
      return lin_check_describe(arena, "order: %s has a wrong number", input->name[old]);
    if (graph->flags[block] != input->flags[old] ||
        lin_out_degree(graph, block) != lin_out_degree(input, old))
      return lin_check_describe(arena, "order: %s has changed", input->name[old]);
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_edge was = input->first_edge[old] + (edge - graph->first_edge[block]);
      if (order->old_edge[edge] != was ||
          order->number[input->destination[was]] != graph->destination[edge])
        return lin_check_describe(arena, "order: an edge of %s has changed", input->name[old]);
    }
  }
  return mapped == graph->num_blocks ? NULL : "order: a block is lost";
}

const char *lin_check_order(lin_arena *arena, const lin_graph *input, const lin_order *order) {
  const char *wrong = check_copy(arena, input, order);
  if (wrong != NULL)
    return wrong;
  const lin_graph *graph = order->graph;
  const lin_facts *f = lin_facts_find(arena, graph, 0);
  if (f->count != graph->num_blocks)
    return "order: an unreachable block";
  if (lin_facts_find(arena, input, 0)->count != graph->num_blocks)
    return "order: a reachable block is lost";
  for (uint32_t l = 0; l < f->num_loops; l++)
    for (uint32_t i = 0; i < f->loops[l].count; i++)
      if (f->loops[l].blocks[i] - f->loops[l].header >= f->loops[l].count)
        return lin_check_describe(arena, "order: the loop of %s is not contiguous",
                                  graph->name[f->loops[l].header]);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block from = graph->source[edge], to = graph->destination[edge];
    uint32_t l = f->loop_of[to];
    bool around = l != LIN_NONE && f->loops[l].header == to && lin_facts_in_loop(f, l, from);
    if (to <= from && !around)
      return lin_check_describe(arena, "order: %s -> %s goes back", graph->name[from],
                                graph->name[to]);
  }
  return check_forest(arena, f, order->loops);
}

const char *lin_check_analysis(lin_arena *arena, const lin_analysis *a) {
  const lin_graph *graph = a->graph;
  const lin_facts *f = lin_facts_find(arena, graph, 0);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    if (f->fate[block] != a->postdominators->fate[block])
      return lin_check_describe(arena, "analysis: fate of %s", graph->name[block]);
    for (lin_block other = 0; other < graph->num_blocks; other++) {
      if (lin_facts_dominates(f, other, block) != lin_tree_contains(a->dominators, other, block))
        return lin_check_describe(arena, "analysis: does %s dominate %s?", graph->name[other],
                                  graph->name[block]);
      if (f->fate[block] != LIN_SPINS &&
          lin_facts_postdominates(f, other, block) !=
              lin_tree_contains(a->postdominators->tree, other, block))
        return lin_check_describe(arena, "analysis: does %s post-dominate %s?", graph->name[other],
                                  graph->name[block]);
    }
  }
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    if (f->doomed[edge] != a->postdominators->doomed[edge])
      return lin_check_describe(arena, "analysis: is edge %u doomed?", edge);
    unsigned mine = lin_facts_kinds(f, edge), theirs = a->kinds[edge];
    if (f->fate[graph->source[edge]] == LIN_SPINS)
      mine &= LIN_JUMP_IN, theirs &= LIN_JUMP_IN;
    if (mine != theirs)
      return lin_check_describe(arena, "analysis: %s -> %s is of kinds %u, not %u",
                                graph->name[graph->source[edge]],
                                graph->name[graph->destination[edge]], mine, theirs);
  }
  return NULL;
}

// ---- regions

typedef struct block_set {
  lin_word *set;
  lin_block *blocks;
  uint32_t count;
  lin_word *common_above, *common_below; // of all blocks, each without itself
} block_set;

static block_set new_set(const lin_facts *f, lin_arena *arena) {
  block_set s = {.set = LIN_ARRAY(arena, lin_word, f->words),
                 .blocks = LIN_ARRAY(arena, lin_block, f->graph->num_blocks),
                 .common_above = LIN_ARRAY(arena, lin_word, f->words),
                 .common_below = LIN_ARRAY(arena, lin_word, f->words)};
  memset(s.common_above, 0xff, f->words * sizeof(lin_word));
  memset(s.common_below, 0xff, f->words * sizeof(lin_word));
  return s;
}

static void add_to_set(const lin_facts *f, block_set *s, lin_block block) {
  if (lin_set_has(s->set, block))
    return;
  lin_set_put(s->set, block);
  s->blocks[s->count++] = block;
  for (size_t w = 0; w < f->words; w++) {
    s->common_above[w] &= lin_facts_above(f, block)[w];
    s->common_below[w] &= lin_facts_below(f, block)[w];
  }
  lin_set_take(s->common_above, block);
  lin_set_take(s->common_below, block);
}

// Grows a set of one fate until it is a region.
static void close_set(const lin_facts *f, block_set *s) {
  const lin_graph *graph = f->graph;
  uint8_t fate = f->fate[s->blocks[0]];
  for (uint32_t before = 0; before != s->count;) {
    before = s->count;
    lin_block first = lin_facts_furthest(f, s->common_above, f->depth);
    lin_block last = lin_facts_furthest(f, s->common_below, f->height);
    for (uint32_t i = 0; i < s->count; i++) {
      lin_block block = s->blocks[i];
      for (LIN_IN_EDGES(graph, block, j)) {
        lin_block from = graph->source[graph->in_edge[j]];
        if (from != first && f->fate[from] == fate)
          add_to_set(f, s, from);
      }
      for (LIN_OUT_EDGES(graph, block, edge))
        if (graph->destination[edge] != last && f->fate[graph->destination[edge]] == fate)
          add_to_set(f, s, graph->destination[edge]);
      if (i + 1 == before) // D and P as they were when the round began
        break;
    }
  }
}

static const char *check_region(lin_arena *arena, const lin_facts *f, const lin_regions *regions,
                                uint32_t region, const block_set *s) {
  const lin_graph *graph = f->graph;
  lin_block first = lin_facts_furthest(f, s->common_above, f->depth);
  lin_block last = lin_facts_furthest(f, s->common_below, f->height);
  uint8_t fate = f->fate[s->blocks[0]];
  if (fate == LIN_SPINS)
    last = regions->exit[region];
  const char *of = graph->name[s->blocks[0]];
  if (regions->dominator[region] != first)
    return lin_check_describe(arena, "regions: that of %s has a wrong D, not %s", of,
                              first == LIN_NONE ? "nothing" : graph->name[first]);
  if (regions->exit[region] != last)
    return lin_check_describe(arena, "regions: that of %s has a wrong P, not %s", of,
                              last == LIN_NONE ? "nothing" : graph->name[last]);
  for (uint32_t i = 0; i < s->count; i++) {
    lin_block block = s->blocks[i];
    if (f->fate[block] != fate)
      return lin_check_describe(arena, "regions: that of %s has blocks of different fates", of);
    for (LIN_IN_EDGES(graph, block, j)) {
      lin_edge edge = graph->in_edge[j];
      lin_block from = graph->source[edge];
      if (!lin_set_has(s->set, from) && from != first && !f->doomed[edge])
        return lin_check_describe(arena, "regions: that of %s is entered from %s", of,
                                  graph->name[from]);
    }
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_block to = graph->destination[edge];
      if (!lin_set_has(s->set, to) && to != last && !f->doomed[edge])
        return lin_check_describe(arena, "regions: that of %s is left to %s", of, graph->name[to]);
    }
  }
  return NULL;
}

// The innermost region that contains the ends of a seed contains the smallest region of that seed.
// Sets the number of blocks of the latter, 0 if unknown.
static const char *check_seed(lin_arena *arena, const lin_facts *f, const lin_regions *regions,
                              lin_edge edge, uint32_t *region_of_seed, uint32_t *size) {
  const lin_graph *graph = f->graph;
  lin_block from = graph->source[edge], to = graph->destination[edge];
  uint32_t region = regions->owner[to];
  while (region != LIN_NONE && !f->doomed[edge] && !lin_region_contains(regions, region, from))
    region = regions->parent[region];
  if (region == LIN_NONE)
    return lin_check_describe(arena, "regions: %s -> %s is in none", graph->name[from],
                              graph->name[to]);
  *region_of_seed = region;
  *size = 0;
  if (f->fate[to] == LIN_SPINS)
    return NULL;
  block_set s = new_set(f, arena);
  add_to_set(f, &s, to);
  if (!f->doomed[edge])
    add_to_set(f, &s, from);
  close_set(f, &s);
  for (uint32_t i = 0; i < s.count; i++)
    if (!lin_region_contains(regions, region, s.blocks[i]))
      return lin_check_describe(arena, "regions: that of %s -> %s lacks %s", graph->name[from],
                                graph->name[to], graph->name[s.blocks[i]]);
  *size = s.count;
  return NULL;
}

enum { MOST_SAMPLES = 24 };

const char *lin_check_regions(lin_arena *arena, const lin_analysis *analysis,
                              const lin_regions *regions, const bool *seed,
                              lin_region_sizes *sizes) {
  const lin_graph *graph = analysis->graph;
  const lin_facts *f = lin_facts_find(arena, graph, 0);
  uint32_t count = regions->num_regions, seeds = 0;
  uint32_t *members = LIN_ARRAY(arena, uint32_t, count);
  uint32_t *largest = LIN_ARRAY(arena, uint32_t, count); // of the smallest regions of its seeds
  for (lin_block block = 0; block < graph->num_blocks; block++)
    for (uint32_t region = regions->owner[block], steps = 0; region != LIN_NONE;
         region = regions->parent[region], steps++) {
      members[region]++;
      if (steps > count)
        return "regions: they nest in a circle";
    }
  uint32_t stride = graph->num_blocks > 200 ? count / MOST_SAMPLES + 1 : 1;
  for (uint32_t region = 0; region < count; region += stride) {
    if (regions->gone[region])
      continue;
    if (members[region] == 0)
      return "regions: an empty one";
    block_set s = new_set(f, arena);
    for (lin_block block = 0; block < graph->num_blocks; block++)
      if (lin_region_contains(regions, region, block))
        add_to_set(f, &s, block);
    const char *wrong = check_region(arena, f, regions, region, &s);
    if (wrong != NULL)
      return wrong;
  }
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    seeds += seed[edge];
  bool all = graph->num_blocks <= 200;
  stride = all ? 1 : seeds / MOST_SAMPLES + 1;
  for (lin_edge edge = 0, i = 0; edge < graph->num_edges; edge++) {
    if (!seed[edge] || i++ % stride != 0)
      continue;
    uint32_t region = 0, size = 0;
    const char *wrong = check_seed(arena, f, regions, edge, &region, &size);
    if (wrong != NULL)
      return wrong;
    if (size > largest[region])
      largest[region] = size;
    sizes->seeds++;
    sizes->loose += size != 0 && size < members[region];
  }
  for (uint32_t region = 0; all && region < count; region++) {
    sizes->regions++;
    sizes->larger += largest[region] != 0 && largest[region] < members[region];
  }
  return NULL;
}
