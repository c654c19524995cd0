// 1. For each loop: its last block, whether it can part threads, and the last block that all of its
//    iterations pass.
// 2. For each block: what it is to others, with what doomed edges out of it lead to; and the last
//    block up to it that releases.
// 3. For each region its blocks in the dominator tree's preorder, in which blocks of which each
//    dominates the next form a chain.
// 4. For each region that spins and releases its blocks in order, with the spans that the plan will
//    make loops of (spans.h).
#include "waiting.h"

#include "linearize/spans.h"

typedef struct around {
  lin_block last;   // the loop's blocks are header..last
  lin_block source; // of the last edge back to the header
  bool diverges;
} around;

typedef struct finder {
  const lin_analysis *a;
  const lin_regions *regions;
  bool divergence_known;
  around *loop;        // [num_loops]
  lin_block *passed;   // [num_loops] by all iterations: the last such block (lin_loops_last)
  uint32_t *effects;   // [num_blocks] flags of the block, and of what its doomed edges lead to
  lin_block *released; // [num_blocks] the last block up to this one that releases, or LIN_NONE
  lin_block spins;     // some block that does, or LIN_NONE
  lin_arena *arena;
  uint32_t *place; // [num_blocks] in the region at hand
} finder;

// Of one region, LIN_NONE where there is none.
typedef struct findings {
  lin_block waits;    // the last block that waits
  lin_block fault;    // the first that breaks a rule
  lin_block releases; // the last one
  lin_block first, last;
  bool spins;
  bool diverges;
} findings;

static bool may_part(const finder *f, lin_block block) {
  return lin_may_part(f->a->graph, block, f->divergence_known);
}

static void measure_loops(finder *f, lin_arena *arena) {
  const lin_graph *graph = f->a->graph;
  const lin_loops *loops = f->a->loops;
  f->loop = LIN_ARRAY(arena, around, loops->num_loops);
  f->passed = lin_loops_last(arena, loops, graph, f->a->dominators);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    around *l = &f->loop[loops->loop_of[block]];
    l->last = block;
    l->diverges |= may_part(f, block);
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_block to = graph->destination[edge];
      if (to <= block && to == loops->header[loops->loop_of[to]])
        f->loop[loops->loop_of[to]].source = block;
    }
  }
  for (uint32_t loop = loops->num_loops; loop-- > 1;) {
    around *outer = &f->loop[loops->tree->parent[loop]];
    outer->last = f->loop[loop].last > outer->last ? f->loop[loop].last : outer->last;
    outer->diverges |= f->loop[loop].diverges;
  }
}

static bool spins(const finder *f, lin_block block) {
  return (f->effects[block] & LIN_MAY_SPIN) != 0 ||
         ((f->effects[block] & LIN_POLLS) != 0 && f->a->loops->loop_of[block] != 0);
}

// Who takes a doomed edge runs, from there on, what is behind it: that may spin or release too.
static void measure_blocks(finder *f, lin_arena *arena) {
  const lin_graph *graph = f->a->graph;
  const lin_postdominators *post = f->a->postdominators;
  uint32_t behind = 0;
  f->effects = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  f->released = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    f->effects[block] = graph->flags[block];
    if (post->fate[block] != LIN_RETURNS)
      behind |= (graph->flags[block] & LIN_RELEASES) | (spins(f, block) ? LIN_MAY_SPIN : 0);
  }
  f->spins = LIN_NONE;
  lin_block released = LIN_NONE;
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    for (LIN_OUT_EDGES(graph, block, edge))
      if (post->doomed[edge])
        f->effects[block] |= behind;
    if (spins(f, block))
      f->spins = block;
    if ((f->effects[block] & LIN_RELEASES) != 0)
      released = block;
    f->released[block] = released;
  }
}

// The header is in the region: then all of the loop is. Loop 0 is none.
static bool has_loop(const finder *f, uint32_t region, uint32_t loop) {
  return loop != 0 && lin_region_contains(f->regions, region, f->a->loops->header[loop]);
}

// True if every iteration of each loop of the region around `block` passes it, and the loop is one
// of the plan's; or no thread goes another way than the rest.
static bool is_in_every_iteration(const finder *f, uint32_t region, lin_block block) {
  const lin_loops *loops = f->a->loops;
  uint32_t loop = loops->loop_of[block];
  for (lin_block inner = block; has_loop(f, region, loop); loop = loops->tree->parent[loop]) {
    const around *l = &f->loop[loop];
    if (l->diverges && (loops->irreducible[loop] || l->source != l->last ||
                        !lin_tree_contains(f->a->dominators, inner, f->passed[loop])))
      return false;
    inner = loops->header[loop];
  }
  return true;
}

static void note(lin_block *first, lin_block block) {
  if (*first == LIN_NONE)
    *first = block;
}

static bool spins_in(const finder *f, uint32_t region, lin_block block) {
  return (f->effects[block] & LIN_MAY_SPIN) != 0 ||
         ((f->effects[block] & LIN_POLLS) != 0 && has_loop(f, region, f->a->loops->loop_of[block]));
}

static void add_block(const finder *f, uint32_t region, lin_block block, findings *found) {
  found->first = block < found->first ? block : found->first;
  found->last = block > found->last ? block : found->last;
  found->diverges |= may_part(f, block);
  if ((f->effects[block] & LIN_WAITS) != 0) {
    bool chain =
        found->waits == LIN_NONE || lin_tree_contains(f->a->dominators, found->waits, block);
    if (!chain || !is_in_every_iteration(f, region, block))
      note(&found->fault, block);
    found->waits = block;
  }
  found->spins |= spins_in(f, region, block);
  if ((f->effects[block] & LIN_RELEASES) != 0 &&
      (found->releases == LIN_NONE || block > found->releases))
    found->releases = block;
}

// True if D sends threads into the region over two ways, and others elsewhere than to P, where the
// region ends.
static bool is_parted_above(const finder *f, uint32_t region) {
  const lin_graph *graph = f->a->graph;
  lin_block above = f->regions->dominator[region], exit = f->regions->exit[region];
  if (above == LIN_NONE || !may_part(f, above))
    return false;
  lin_block entry = LIN_NONE;
  bool two = false, elsewhere = above == exit;
  for (LIN_OUT_EDGES(graph, above, edge)) {
    lin_block to = graph->destination[edge];
    if (lin_region_contains(f->regions, region, to)) {
      two |= entry != LIN_NONE && entry != to;
      entry = to;
    } else {
      elsewhere |= to != exit;
    }
  }
  return two && elsewhere;
}

static bool is_in_irreducible_loop(const finder *f, uint32_t region, lin_block block) {
  const lin_loops *loops = f->a->loops;
  for (uint32_t loop = loops->loop_of[block]; loop != 0; loop = loops->tree->parent[loop])
    if (loops->irreducible[loop] && !has_loop(f, region, loop))
      return true;
  return false;
}

// The blocks of a region, in order, and the spans of its loops.
typedef struct row {
  lin_block *block; // [count]
  uint32_t count;
  lin_span *spans;
  uint32_t num_spans;
} row;

static row line_up(const finder *f, uint32_t region, const findings *found) {
  const lin_graph *graph = f->a->graph;
  uint32_t most = found->last - found->first + 1;
  row r = {.block = LIN_ARRAY(f->arena, lin_block, most)};
  uint32_t *furthest = LIN_ARRAY(f->arena, uint32_t, most);
  for (lin_block block = found->first; block <= found->last; block++) {
    if (!lin_region_contains(f->regions, region, block))
      continue;
    furthest[r.count] = LIN_NONE;
    f->place[block] = r.count;
    r.block[r.count++] = block;
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_block to = graph->destination[edge];
      if (to < block && lin_region_contains(f->regions, region, to))
        furthest[f->place[to]] = f->place[block];
    }
  }
  r.num_spans = lin_spans_merge(f->arena, furthest, r.count, &r.spans);
  return r;
}

static bool goes_to_itself(const lin_graph *graph, lin_block block) {
  for (LIN_OUT_EDGES(graph, block, edge))
    if (graph->destination[edge] == block)
      return true;
  return false;
}

// True if threads may come to `block` together that came there one after the other before: over a
// join of the region, or in iterations of its loops.
static bool is_brought_together(const finder *f, uint32_t region, lin_block block) {
  for (; lin_region_contains(f->regions, region, block); block = f->a->dominators->parent[block])
    if (block == 0 || lin_in_degree(f->a->graph, block) > 1)
      return true;
  return false;
}

// A release for which a block of the region would spin for ever, or LIN_NONE. What spins is the
// innermost span around a block that polls, or the block by itself.
static lin_block find_missed_release(const finder *f, uint32_t region, const findings *found) {
  const lin_graph *graph = f->a->graph;
  row r = line_up(f, region, found);
  lin_span *open = LIN_ARRAY(f->arena, lin_span, (size_t)r.num_spans + 1);
  uint32_t depth = 0, next = 0;
  for (uint32_t i = 0; i < r.count; i++) {
    lin_block block = r.block[i];
    while (depth > 0 && open[depth - 1].last < i)
      depth--;
    if (next < r.num_spans && r.spans[next].first == i)
      open[depth++] = r.spans[next++];
    if (!spins_in(f, region, block))
      continue;
    bool by_itself = (f->effects[block] & LIN_MAY_SPIN) != 0;
    if (by_itself && (f->effects[block] & LIN_RELEASES) != 0 &&
        is_brought_together(f, region, block))
      return block;
    bool begins = depth > 0 && open[depth - 1].first == i; // then its edge to itself goes around
    bool alone = by_itself || depth == 0 || (!begins && goes_to_itself(graph, block));
    lin_block first = alone ? block : r.block[open[depth - 1].first];
    lin_block last = alone ? block : r.block[open[depth - 1].last];
    lin_block before = first == 0 ? LIN_NONE : f->released[first - 1];
    if (depth > 0 && before != LIN_NONE && before >= r.block[open[0].first])
      return before;
    if (found->releases > last)
      return found->releases;
  }
  return LIN_NONE;
}

static void conclude(const finder *f, uint32_t region, const findings *found, lin_waiting *result) {
  lin_block above = f->regions->dominator[region];
  if (!found->diverges && (above == LIN_NONE || !may_part(f, above)))
    return;
  lin_block fault = found->fault;
  bool waits = found->spins && found->releases != LIN_NONE;
  if (waits && fault == LIN_NONE)
    fault = find_missed_release(f, region, found);
  bool is_apart = f->regions->exit[region] == LIN_NONE || is_parted_above(f, region) ||
                  is_in_irreducible_loop(f, region, found->first);
  if (is_apart && f->spins != LIN_NONE && f->released[f->a->graph->num_blocks - 1] != LIN_NONE)
    note(&fault, found->first);
  result->at_fault[region] = fault;
  result->plain[region] = waits;
}

lin_waiting lin_waiting_find(lin_arena *arena, const lin_analysis *analysis,
                             const lin_regions *regions, const bool *skipped,
                             bool divergence_known) {
  uint32_t n = analysis->graph->num_blocks, count = regions->num_regions;
  finder f = {.a = analysis,
              .regions = regions,
              .divergence_known = divergence_known,
              .arena = arena,
              .place = LIN_ARRAY(arena, uint32_t, n)};
  measure_loops(&f, arena);
  measure_blocks(&f, arena);
  findings *found = LIN_ARRAY(arena, findings, count);
  for (uint32_t region = 0; region < count; region++)
    found[region] =
        (findings){.waits = LIN_NONE, .fault = LIN_NONE, .releases = LIN_NONE, .first = LIN_NONE};
  const lin_block *preorder = lin_tree_preorder(arena, analysis->dominators);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t region = regions->owner[preorder[i]]; region != LIN_NONE && !skipped[region];
         region = regions->parent[region])
      add_block(&f, region, preorder[i], &found[region]);

  lin_waiting result = {LIN_ARRAY(arena, lin_block, count), LIN_ARRAY(arena, bool, count)};
  for (uint32_t region = 0; region < count; region++) {
    result.at_fault[region] = LIN_NONE;
    if (!skipped[region])
      conclude(&f, region, &found[region], &result);
  }
  return result;
}
