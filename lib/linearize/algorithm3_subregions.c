// All questions are about the blocks that b dominates without those that T dominates: two intervals
// of the dominator tree's preorder. So sums over prefixes of that preorder answer them:
//   - in and out:  edges out of the set and edges into its blocks but b. Whatever enters these
//                  blocks comes from the set, or around a loop from what T dominates, which is
//                  asked first. So the difference counts the edges that leave the set, those back
//                  to b included;
//   - seeds:       unstructured edges into its blocks but b, jumps out from any of its blocks, and
//                  its blocks but b where threads meet late. A late loop counts at its header: if
//                  that is b, it is asked about where the ways around b are;
//   - owned:       the seeds that belong to inner regions, counted at the region's D. A region
//                  whose D is in the set is all in the set, unless T is in that region: then none
//                  of it is.
// Each fate has its own sums: blocks of a worse fate that b dominates are not in the set.
#include "algorithm3_subregions.h"

#include "graph/sorted.h"
#include "late.h"
#include "minimal.h"
#include "spans.h"

#include <stdlib.h>

typedef struct sums {
  uint32_t *out, *in, *seeds, *owned; // [num_blocks + 1] over preorder positions before this one
  uint32_t *comes_to; // [num_blocks] by T: the greatest depth of a block not dominated by T to
                      // which an edge leads from one that is; 0 if none
} sums;

struct lin_subregions {
  const lin_analysis *analysis;
  const lin_regions *regions;
  sums by_fate[3];
  uint8_t *late;       // [num_blocks] LIN_LATE_JOIN ... where that matters
  uint32_t *around;    // [num_blocks] edges to the block from its loop: for a header, all around
  uint32_t *seeds_in;  // [num_blocks] seeds into a block
  uint32_t *owned_by;  // [num_regions] seeds that belong to a region
  uint32_t *first;     // [num_blocks + 1] into positions
  uint32_t *positions; // preorder positions of each block's predecessors, rising
};

// A seed is counted once for being entered and once for jumping out.
static bool counts_in(uint8_t kinds) { return (kinds & (LIN_BRANCH | LIN_JUMP_IN)) != 0; }
static bool counts_out(uint8_t kinds) { return (kinds & LIN_JUMP_OUT) != 0; }

static void add_up(uint32_t *sum, uint32_t count) {
  uint32_t total = 0;
  for (uint32_t i = 0; i <= count; i++) {
    uint32_t here = i < count ? sum[i] : 0;
    sum[i] = total;
    total += here;
  }
}

// Counts seeds of one region (LIN_NONE: of none).
static void count_owned(lin_subregions *s, uint32_t region, uint8_t fate, uint32_t seeds) {
  if (region == LIN_NONE)
    return;
  lin_block above = s->regions->dominator[region];
  s->owned_by[region] += seeds;
  if (above != LIN_NONE)
    s->by_fate[fate].owned[s->analysis->dominators->enter[above]] += seeds;
}

static void count_seeds(lin_subregions *s, const bool *seed) {
  const lin_analysis *a = s->analysis;
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++) {
    if (!seed[edge])
      continue;
    lin_block from = a->graph->source[edge], to = a->graph->destination[edge];
    uint8_t fate = a->postdominators->fate[to];
    sums *sum = &s->by_fate[fate];
    uint32_t in = counts_in(a->kinds[edge]), out = counts_out(a->kinds[edge]);
    s->seeds_in[to] += in;
    sum->seeds[a->dominators->enter[to]] += in;
    sum->seeds[a->dominators->enter[from]] += out;
    count_owned(s, lin_region_of_edge(a, s->regions, edge), fate, in + out);
  }
}

// Merged loops are late loops: their threads would go around apart from each other.
static void mark_merged(lin_subregions *s, const bool *merged) {
  const lin_loops *loops = s->analysis->loops;
  for (uint32_t loop = 1; merged != NULL && loop < loops->num_loops; loop++)
    if (merged[loop]) {
      s->late[loops->header[loop]] |= LIN_LATE_LOOP;
      s->late[loops->header[loops->tree->parent[loop]]] |= LIN_LATE_LOOP;
    }
}

// The region that a late place belongs to. A merged loop goes around with one outside of some of
// the regions that it is in: they can't stand by themselves.
static uint32_t region_of_late(const lin_subregions *s, const bool *merged, lin_block block) {
  const lin_loops *loops = s->analysis->loops;
  uint32_t loop = loops->loop_of[block];
  bool is_header = merged != NULL && loops->header[loop] == block;
  lin_block header = is_header ? lin_merged_header(loops, merged, loop) : block;
  return lin_region_of_blocks(s->regions, block, header);
}

static void count_late(lin_subregions *s, const bool *merged) {
  const lin_analysis *a = s->analysis;
  for (lin_block block = 0; block < a->graph->num_blocks; block++) {
    if (s->late[block] == 0)
      continue;
    uint8_t fate = a->postdominators->fate[block];
    s->seeds_in[block]++;
    s->by_fate[fate].seeds[a->dominators->enter[block]]++;
    count_owned(s, region_of_late(s, merged, block), fate, 1);
  }
}

// A mode that leaves some unstructured edges alone leaves late meetings alone too.
static bool is_every_kind_a_seed(const lin_analysis *a, const bool *seed) {
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++)
    if (a->kinds[edge] != 0 && !seed[edge])
      return false;
  return true;
}

static void count_edges(lin_subregions *s) {
  const lin_analysis *a = s->analysis;
  for (lin_block block = 0; block < a->graph->num_blocks; block++) {
    uint32_t loop = a->loops->loop_of[block];
    s->first[block + 1] = s->first[block];
    for (LIN_IN_EDGES(a->graph, block, i)) {
      lin_edge edge = a->graph->in_edge[i];
      lin_block from = a->graph->source[edge];
      if (a->postdominators->doomed[edge])
        continue;
      sums *sum = &s->by_fate[a->postdominators->fate[from]];
      sum->out[a->dominators->enter[from]]++;
      sum->in[a->dominators->enter[block]]++;
      s->around[block] += lin_loop_contains(a->loops, loop, from);
      s->positions[s->first[block + 1]++] = a->dominators->enter[from];
    }
    qsort(s->positions + s->first[block], s->first[block + 1] - s->first[block], sizeof(uint32_t),
          lin_rising);
  }
}

static uint32_t climb(uint32_t *up, uint32_t block) {
  while (up[block] != block)
    block = up[block] = up[up[block]];
  return block;
}

// The edge u -> x leaves what T dominates for every T from u up to where its ends meet: x itself,
// or the immediate dominator of x. Edges with the deepest x come first, so each T is looked at
// once.
static void find_comings(lin_subregions *s, lin_arena *arena, uint8_t fate) {
  const lin_analysis *a = s->analysis;
  const lin_graph *graph = a->graph;
  const lin_tree *tree = a->dominators;
  uint32_t n = graph->num_blocks, count = 0;
  uint32_t *up = LIN_ARRAY(arena, uint32_t, n);
  uint32_t *first = LIN_ARRAY(arena, uint32_t, (size_t)n + 2); // blocks by rising depth
  lin_block *by_depth = LIN_ARRAY(arena, lin_block, n);
  for (lin_block block = 0; block < n; block++) {
    up[block] = block;
    first[tree->depth[block] + 2]++;
  }
  for (uint32_t depth = 0; depth < n; depth++)
    first[depth + 2] += first[depth + 1];
  for (lin_block block = 0; block < n; block++, count++)
    by_depth[first[tree->depth[block] + 1]++] = block;
  while (count-- > 1) {
    lin_block to = by_depth[count];
    for (LIN_IN_EDGES(graph, to, i)) {
      lin_edge edge = graph->in_edge[i];
      lin_block from = graph->source[edge];
      if (a->postdominators->doomed[edge] || a->postdominators->fate[from] != fate)
        continue;
      lin_block meet = lin_tree_contains(tree, to, from) ? to : tree->parent[to];
      for (lin_block at = climb(up, from); tree->depth[at] > tree->depth[meet];
           at = climb(up, at)) {
        s->by_fate[fate].comes_to[at] = tree->depth[to];
        up[at] = tree->parent[at];
      }
    }
  }
}

lin_subregions *lin_subregions_build(lin_arena *arena, const lin_analysis *analysis,
                                     const lin_regions *regions, const bool *seed,
                                     const bool *merged, bool staged) {
  uint32_t n = analysis->graph->num_blocks;
  lin_subregions *s = LIN_NEW(arena, lin_subregions);
  s->analysis = analysis;
  s->regions = regions;
  s->around = LIN_ARRAY(arena, uint32_t, n);
  s->seeds_in = LIN_ARRAY(arena, uint32_t, n);
  s->owned_by = LIN_ARRAY(arena, uint32_t, regions->num_regions);
  s->first = LIN_ARRAY(arena, uint32_t, (size_t)n + 1);
  s->positions = LIN_ARRAY(arena, uint32_t, analysis->graph->num_edges);
  for (int fate = 0; fate < 3; fate++)
    s->by_fate[fate] = (sums){.out = LIN_ARRAY(arena, uint32_t, (size_t)n + 1),
                              .in = LIN_ARRAY(arena, uint32_t, (size_t)n + 1),
                              .seeds = LIN_ARRAY(arena, uint32_t, (size_t)n + 1),
                              .owned = LIN_ARRAY(arena, uint32_t, (size_t)n + 1),
                              .comes_to = LIN_ARRAY(arena, uint32_t, n)};
  count_seeds(s, seed);
  s->late = is_every_kind_a_seed(analysis, seed) ? lin_late_find(arena, analysis)
                                                 : LIN_ARRAY(arena, uint8_t, n);
  mark_merged(s, merged);
  for (lin_block block = 0; block < n && staged; block++)
    if ((analysis->graph->flags[block] & LIN_STAGE) != 0)
      s->late[block] |= LIN_LATE_JOIN;
  count_late(s, merged);
  count_edges(s);
  for (uint8_t fate = 0; fate < 3; fate++) {
    find_comings(s, arena, fate);
    add_up(s->by_fate[fate].out, n);
    add_up(s->by_fate[fate].in, n);
    add_up(s->by_fate[fate].seeds, n);
    add_up(s->by_fate[fate].owned, n);
  }
  return s;
}

static bool is_inside(const lin_analysis *a, lin_block entry, lin_block block) {
  return block < a->graph->num_blocks && lin_tree_contains(a->dominators, entry, block);
}

bool lin_subregion_has(const lin_analysis *a, lin_block entry, lin_block target, lin_block block) {
  return lin_tree_contains(a->dominators, entry, block) &&
         a->postdominators->fate[block] == a->postdominators->fate[entry] &&
         !(target != entry && is_inside(a, entry, target) &&
           lin_tree_contains(a->dominators, target, block));
}

// The sum over the blocks that `entry` dominates, without those that `target` dominates.
static uint32_t over(const lin_analysis *a, const uint32_t *sum, lin_block entry,
                     lin_block target) {
  const lin_tree *tree = a->dominators;
  uint32_t result = sum[tree->leave[entry]] - sum[tree->enter[entry]];
  if (is_inside(a, entry, target))
    result -= sum[tree->leave[target]] - sum[tree->enter[target]];
  return result;
}

// How many of the edges into `block` come from preorder positions below `position`.
static uint32_t edges_below(const lin_subregions *s, lin_block block, uint32_t position) {
  uint32_t first = s->first[block];
  return lin_count_below(s->positions + first, s->first[block + 1] - first, position);
}

static uint32_t edges_from(const lin_subregions *s, lin_block above, lin_block block) {
  const lin_tree *tree = s->analysis->dominators;
  return edges_below(s, block, tree->leave[above]) - edges_below(s, block, tree->enter[above]);
}

// How many edges into `block` come from the set.
static uint32_t edges_to(const lin_subregions *s, lin_block entry, lin_block target,
                         lin_block block) {
  if (block >= s->analysis->graph->num_blocks)
    return 0;
  uint32_t count = edges_from(s, entry, block);
  return is_inside(s->analysis, entry, target) ? count - edges_from(s, target, block) : count;
}

// The seeds of inner regions in the set. Those of a region around `target` are not in it.
static uint32_t owned_seeds(const lin_subregions *s, lin_block entry, lin_block target) {
  const lin_analysis *a = s->analysis;
  const lin_regions *regions = s->regions;
  uint32_t count = over(a, s->by_fate[a->postdominators->fate[entry]].owned, entry, target);
  if (!is_inside(a, entry, target))
    return count;
  for (uint32_t r = regions->owner[target]; r != LIN_NONE; r = regions->parent[r])
    if (regions->dominator[r] != LIN_NONE &&
        lin_subregion_has(a, entry, target, regions->dominator[r]))
      count -= s->owned_by[r];
  return count;
}

static bool is_subregion(const lin_subregions *s, lin_block entry, lin_block target) {
  const lin_analysis *a = s->analysis;
  const lin_tree *tree = a->dominators;
  const sums *sum = &s->by_fate[a->postdominators->fate[entry]];
  if (is_inside(a, entry, target) && sum->comes_to[target] > tree->depth[entry])
    return false;
  // A loop that begins at the entry is in the set or not at all: if some ways around it were kept
  // and others led through guards, they would be two loops.
  uint32_t around = edges_to(s, entry, target, entry);
  bool is_late = (s->late[entry] & LIN_LATE_LOOP) != 0;
  if (around != 0 && (around != s->around[entry] || is_late))
    return false;
  uint32_t position = tree->enter[entry];
  uint32_t into_entry = sum->in[position + 1] - sum->in[position];
  uint32_t leaving =
      over(a, sum->out, entry, target) - (over(a, sum->in, entry, target) - into_entry);
  uint32_t seeds = over(a, sum->seeds, entry, target) - s->seeds_in[entry];
  return leaving == around + edges_to(s, entry, target, target) &&
         seeds == owned_seeds(s, entry, target);
}

// The outermost loop that contains `target` but not `entry`, or LIN_NONE.
static uint32_t loop_ahead(const lin_loops *loops, lin_block entry, lin_block target) {
  uint32_t common = lin_loops_common(loops, entry, target);
  uint32_t inner = loops->loop_of[target];
  return common == inner ? LIN_NONE
                         : lin_tree_ancestor(loops->tree, inner, loops->tree->depth[common] + 1);
}

// The outermost region within `region` that contains `target` and has its D in the set of `entry`;
// it has one, for no region within another contains the function's entry.
static uint32_t region_ahead(const lin_subregions *s, uint32_t region, lin_block entry,
                             lin_block target) {
  const lin_regions *regions = s->regions;
  uint32_t result = LIN_NONE;
  for (uint32_t inner = regions->owner[target]; inner != region; inner = regions->parent[inner])
    if (lin_tree_contains(s->analysis->dominators, entry, regions->dominator[inner]))
      result = inner;
  return result;
}

// Where a subregion that would end at `target`, a block of `region`, may end: there, or behind a
// loop or an inner region that it would cut in two.
static lin_block skip_ahead(const lin_subregions *s, uint32_t region, lin_block entry,
                            lin_block target) {
  const lin_analysis *a = s->analysis;
  uint32_t loop = loop_ahead(a->loops, entry, target);
  if (loop != LIN_NONE && (a->loops->header[loop] != target || a->loops->irreducible[loop])) {
    lin_block exit = a->loop_exit[loop];
    bool within = exit < a->graph->num_blocks && lin_loop_contains(a->loops, loop, exit);
    return within ? a->postdominators->tree->parent[exit] : exit;
  }
  uint32_t inner = region_ahead(s, region, entry, target);
  if (inner == LIN_NONE)
    return target;
  lin_block exit = s->regions->exit[inner];
  return exit == LIN_NONE ? a->graph->num_blocks : exit;
}

lin_block lin_subregion_target(const lin_subregions *s, uint32_t region, lin_block entry) {
  const lin_analysis *a = s->analysis;
  const lin_tree *below = a->postdominators->tree;
  lin_block best = LIN_NONE;
  for (lin_block target = below->parent[entry];;) {
    bool goes_on = is_inside(a, entry, target) && lin_region_contains(s->regions, region, target);
    lin_block end = goes_on ? skip_ahead(s, region, entry, target) : target;
    if (end != target) {
      target = end;
      continue;
    }
    if (!is_subregion(s, entry, target))
      break;
    best = target;
    if (!goes_on)
      break;
    target = below->parent[target];
  }
  return best;
}
