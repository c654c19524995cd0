// Property 5. A warp runs the flow, and every visit of a block gets a name: the pass through each
// region and the iteration of each loop around it, outermost first. A pass is new whenever threads
// enter a region; an iteration is the k-th since its loop was entered, the same for all threads of
// the pass. No two visits of a block may have one name.
#include "check.h"

#include "check_facts.h"
#include "simulate.h"

#include <stdlib.h>

// A region or loop around a block.
typedef struct context {
  bool is_region;
  uint32_t id;
  uint32_t size; // blocks
} context;

typedef struct watch {
  const lin_flow *flow;
  const lin_facts *f;
  lin_arena *arena;
  uint32_t *first; // [num_blocks + 1] into contexts
  context *contexts;
  const bool *asked; // [num_blocks] the property is asked of the block
  uint32_t num_regions, num_contexts;
  uint64_t *token;  // [LIN_LANES * num_contexts] by region, then num_regions + loop
  uint32_t *around; // [LIN_LANES * num_contexts]
  uint64_t passes;
  uint64_t *seen; // hash set of (block, token)
  size_t capacity, count;
  lin_block twice; // the first block that was entered twice, or LIN_NONE
} watch;

static uint64_t scramble(uint64_t a, uint64_t b) {
  uint64_t z = a * 0x9e3779b97f4a7c15u ^ (b + 0x632be59bd9b4e019u) * 0xd6e8feb86659fd93u;
  z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
  return z ^ (z >> 32);
}

// Open addressing; returns true if the key was there already.
static bool insert_key(uint64_t *table, size_t capacity, uint64_t key) {
  size_t place = (key >> 7) % capacity;
  while (table[place] != 0) {
    if (table[place] == key)
      return true;
    place = (place + 1) % capacity;
  }
  table[place] = key;
  return false;
}

static bool add_key(watch *w, uint64_t key) {
  if (2 * w->count >= w->capacity) {
    size_t old_capacity = w->capacity;
    uint64_t *old = w->seen;
    w->capacity = old_capacity == 0 ? 256 : 2 * old_capacity;
    w->seen = LIN_ARRAY(w->arena, uint64_t, w->capacity);
    for (size_t i = 0; i < old_capacity; i++)
      if (old[i] != 0)
        insert_key(w->seen, w->capacity, old[i]);
  }
  bool found = insert_key(w->seen, w->capacity, key | 1);
  w->count += !found;
  return found;
}

static bool contains(const watch *w, context c, lin_block block) {
  if (!c.is_region)
    return lin_set_has(w->f->loops[c.id].set, block);
  uint32_t region = lin_check_region_of(w->flow, block);
  while (region != LIN_NONE && region < c.id) // regions around have higher numbers
    region = w->flow->plan->regions->parent[region];
  return region == c.id;
}

static int by_size(const void *left, const void *right) {
  const context *a = left, *b = right;
  if (a->size != b->size)
    return a->size > b->size ? -1 : 1;
  return a->is_region == b->is_region ? 0 : a->is_region ? -1 : 1;
}

static void list_contexts(watch *w) {
  const lin_graph *graph = w->flow->graph;
  const lin_regions *regions = w->flow->plan->regions;
  uint32_t n = graph->num_blocks;
  uint32_t *size = LIN_ARRAY(w->arena, uint32_t, w->num_regions);
  w->first = LIN_ARRAY(w->arena, uint32_t, (size_t)n + 1);
  for (lin_block block = 0; block < n; block++) {
    uint32_t count = 0;
    for (uint32_t r = lin_check_region_of(w->flow, block); r != LIN_NONE;
         r = regions->parent[r], count++)
      size[r]++;
    for (uint32_t l = w->f->loop_of[block]; l != LIN_NONE; l = w->f->loops[l].parent)
      count++;
    w->first[block + 1] = w->first[block] + count;
  }
  w->contexts = LIN_ARRAY(w->arena, context, w->first[n]);
  for (lin_block block = 0; block < n; block++) {
    context *next = w->contexts + w->first[block];
    for (uint32_t r = lin_check_region_of(w->flow, block); r != LIN_NONE; r = regions->parent[r])
      *next++ = (context){true, r, size[r]};
    for (uint32_t l = w->f->loop_of[block]; l != LIN_NONE; l = w->f->loops[l].parent)
      *next++ = (context){false, l, w->f->loops[l].count};
    qsort(w->contexts + w->first[block], w->first[block + 1] - w->first[block], sizeof(context),
          by_size);
  }
}

// The property is asked of all blocks of a region but, in modes that keep some unstructured edges,
// of those in a leaf of several blocks.
static bool *choose_asked(const watch *w, lin_mode mode) {
  const lin_flow *flow = w->flow;
  const lin_plan *plan = flow->plan;
  uint32_t n = flow->graph->num_blocks;
  bool *asked = LIN_ARRAY(w->arena, bool, n);
  uint32_t *size = LIN_ARRAY(w->arena, uint32_t, n); // of leaves, with the regions inside them
  for (lin_block old = 0; old < plan->analysis->graph->num_blocks; old++)
    for (uint32_t region = plan->regions->owner[old], leaf = plan->leaf_of[old]; region != LIN_NONE;
         leaf = plan->outer_leaf[region], region = plan->regions->parent[region])
      size[plan->first_leaf[region] + leaf]++;
  for (lin_block block = 0; block < n; block++) {
    uint32_t region = lin_check_region_of(flow, block);
    lin_block old = flow->original[block];
    asked[block] = region != LIN_NONE;
    if (asked[block] && old != LIN_NONE && !lin_modes[mode].all_edges)
      asked[block] = size[plan->first_leaf[region] + plan->leaf_of[old]] == 1;
  }
  return asked;
}

static void on_run(void *data, lin_block block, uint32_t lanes) {
  watch *w = data;
  w->passes++; // who enters a region from one run of a block does so in one pass
  if (!w->asked[block] || w->twice != LIN_NONE)
    return;
  context inner = w->contexts[w->first[block + 1] - 1];
  uint32_t index = inner.is_region ? inner.id : w->num_regions + inner.id;
  uint64_t told[LIN_LANES];
  uint32_t count = 0;
  for (uint32_t lane = 0; lane < LIN_LANES; lane++) {
    if ((lanes >> lane & 1) == 0)
      continue;
    uint64_t key = scramble(w->token[(size_t)lane * w->num_contexts + index], block);
    uint32_t i = 0;
    while (i < count && told[i] != key)
      i++;
    if (i < count)
      continue;
    told[count++] = key;
    if (add_key(w, key))
      w->twice = block;
  }
}

static void on_edge(void *data, lin_block from, lin_block to, uint32_t lanes) {
  watch *w = data;
  uint64_t pass = w->passes;
  bool outer_changed = false;
  uint32_t outer = LIN_NONE;
  uint32_t innermost = w->f->loop_of[to];
  if (innermost == w->f->loop_of[from] &&
      lin_check_region_of(w->flow, to) == lin_check_region_of(w->flow, from) &&
      (innermost == LIN_NONE || w->f->loops[innermost].header != to))
    return; // neither enters nor repeats anything
  for (uint32_t i = w->first[to]; i < w->first[to + 1]; i++) {
    context c = w->contexts[i];
    bool entered = !contains(w, c, from);
    bool repeats = !entered && !c.is_region && w->f->loops[c.id].header == to;
    uint32_t index = c.is_region ? c.id : w->num_regions + c.id;
    for (uint32_t lane = 0; lane < LIN_LANES; lane++) {
      if ((lanes >> lane & 1) == 0)
        continue;
      uint64_t *token = w->token + (size_t)lane * w->num_contexts;
      uint32_t *around = w->around + (size_t)lane * w->num_contexts;
      if (entered)
        around[index] = 0;
      if (repeats)
        around[index]++;
      uint64_t outside = outer == LIN_NONE ? 0 : token[outer];
      if (c.is_region && (entered || outer_changed))
        token[index] = scramble(outside, pass);
      if (!c.is_region)
        token[index] = scramble(scramble(outside, c.id), around[index]);
    }
    outer_changed |= entered || repeats;
    outer = index;
  }
}

static lin_block *find_meetings(lin_arena *arena, const lin_facts *f) {
  lin_block *meet = LIN_ARRAY(arena, lin_block, f->graph->num_blocks);
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    meet[block] = lin_out_degree(f->graph, block) > 1 ? lin_facts_next_below(f, block) : LIN_NONE;
  return meet;
}

const char *lin_check_warp(lin_arena *arena, const lin_flow *flow, lin_mode mode, uint64_t seed,
                           uint32_t limit) {
  const lin_facts *f = lin_facts_find(arena, flow->graph, 0);
  watch w = {.flow = flow, .f = f, .arena = arena, .twice = LIN_NONE};
  w.num_regions = flow->plan->regions->num_regions;
  w.num_contexts = w.num_regions + f->num_loops;
  w.token = LIN_ARRAY(arena, uint64_t, (size_t)LIN_LANES *w.num_contexts);
  w.around = LIN_ARRAY(arena, uint32_t, (size_t)LIN_LANES *w.num_contexts);
  list_contexts(&w);
  w.asked = choose_asked(&w, mode);
  lin_warp warp = {.graph = flow->graph,
                   .flow = flow,
                   .reconverge = find_meetings(arena, f),
                   .limit = limit,
                   .ran = on_run,
                   .went = on_edge,
                   .data = &w};
  lin_stream stream[LIN_LANES];
  for (uint32_t lane = 0; lane < LIN_LANES; lane++) {
    stream[lane] = (lin_stream){.seed = scramble(seed, lane)};
    warp.oracle[lane] = (lin_oracle){lin_stream_decide, &stream[lane]};
  }
  lin_simulate(arena, &warp);
  if (w.twice != LIN_NONE)
    return lin_check_describe(arena, "warp: %s is entered twice in one pass",
                              flow->graph->name[w.twice]);
  return NULL;
}
