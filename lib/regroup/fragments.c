// Places, each with the branches that gain most as its key; of those that are worth it the best
// that are far enough from each other.
#include "fragments.h"

#include "gpu/rounds.h"

#include <stdlib.h>

// ---- branches of a place

typedef struct candidate {
  lin_block block;
  double weight;
} candidate;

static int by_weight(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  return a->weight != b->weight ? (a->weight < b->weight) - (a->weight > b->weight)
                                : (a->block > b->block) - (a->block < b->block);
}

static int by_number(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  return (a->block > b->block) - (a->block < b->block);
}

// The `limit` that weigh most, in the graph's order.
static uint32_t keep(candidate *all, uint32_t count, uint32_t limit) {
  qsort(all, count, sizeof *all, by_weight);
  count = count < limit ? count : limit;
  qsort(all, count, sizeof *all, by_number);
  return count;
}

static uint32_t find_branches(const lin_sites *sites, candidate *branch) {
  uint32_t count = 0;
  for (lin_block block = 0; block < sites->analysis->graph->num_blocks; block++)
    if (lin_may_diverge(sites->analysis->graph, block) && sites->flow->threads[block] > 0)
      branch[count++] = (candidate){block, sites->flow->passes[block]};
  return keep(branch, count, LIN_MOST_BRANCHES);
}

// How often a loop goes around is a key of its own: it takes all bits.
static bool is_count(const lin_weighing *w, const lin_fragment *f, lin_block branch,
                     uint32_t *step) {
  const lin_loops *loops = w->sites->analysis->loops;
  const uint32_t loop = loops->loop_of[branch];
  return f->count == 0 && loop != 0 && !lin_loop_contains(loops, loop, f->place) &&
         w->pure[loops->header[loop]] &&
         w->sites->counts(w->sites->context, f->place, branch, step);
}

static bool may_join(const lin_weighing *w, const lin_fragment *f, lin_block block,
                     uint32_t *bits) {
  uint32_t step;
  if (f->loop != 0 || w->keyed[block] || !w->pure[block] ||
      !lin_tree_contains(w->sites->analysis->dominators, f->place, block))
    return false;
  *bits = w->sites->bits(w->sites->context, f->place, block);
  if (*bits == 0 && is_count(w, f, block, &step))
    *bits = LIN_BITS_OF_PASS;
  return *bits > 0 && f->bits + *bits <= LIN_BITS_OF_PASS;
}

// What a loop counts to each time, at most: what the thread of each thread block has that goes
// around most, in the mean; where threads come again and again, twice the mean of these.
static double most_counted(const lin_weighing *w, const lin_fragment *f, uint32_t step) {
  const lin_loops *loops = w->sites->analysis->loops;
  const lin_traffic *flow = w->sites->flow;
  const double again = loops->loop_of[f->place] == 0 ? 1 : 2;
  return again * step * flow->rounds[loops->header[f->loop]] / flow->rounds[f->place];
}

enum { MOST_SHIFT = 31 }; // of a counter of 32 bits

// Bits of the key: five at most, so the lowest of what is counted are left out.
static uint32_t choose_bits(const lin_weighing *w, lin_fragment *f, uint32_t step) {
  double counted = most_counted(w, f, step);
  uint32_t bits = 1;
  while (counted >= (1 << LIN_BITS_OF_PASS) && f->shift < MOST_SHIFT) {
    counted /= 2;
    f->shift++;
  }
  while (bits < LIN_BITS_OF_PASS && counted >= (double)(UINT32_C(1) << bits))
    bits++;
  return bits;
}

static lin_fragment joined(lin_weighing *w, const lin_fragment *f, lin_block branch,
                           uint32_t bits) {
  lin_fragment with = *f;
  uint32_t step;
  if (w->sites->bits(w->sites->context, f->place, branch) == 0 && is_count(w, f, branch, &step)) {
    with.loop = w->sites->analysis->loops->loop_of[branch];
    bits = choose_bits(w, &with, step);
  }
  with.branch[with.count] = branch;
  with.bits_of[with.count++] = bits;
  with.bits += bits;
  w->keyed[branch] = true;
  lin_fragment_weigh(w, &with);
  return with;
}

// Of the branches that are pure if `f`'s are keyed, and weren't before, the first that is worth it
// together with the last of `f`: `best` becomes better.
static void look_further(lin_weighing *w, lin_fragment *f, const candidate *branch, uint32_t count,
                         const bool *was_pure, lin_fragment *best) {
  uint32_t bits;
  for (uint32_t i = 0; i < count; i++)
    if (!was_pure[i] && may_join(w, f, branch[i].block, &bits)) {
      const lin_fragment with = joined(w, f, branch[i].block, bits);
      if (lin_fragment_gain(&with) > lin_fragment_gain(best)) {
        *best = with;
        return;
      }
      w->keyed[branch[i].block] = false;
      lin_fragment_weigh(w, f);
    }
}

// Branches join as long as that gains something, or does once one in an arm joins, too.
static void gather(lin_weighing *w, lin_fragment *f, const candidate *branch, uint32_t count) {
  bool was_pure[LIN_MOST_BRANCHES];
  lin_fragment_weigh(w, f);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t before = f->count;
    uint32_t bits;
    if (!may_join(w, f, branch[i].block, &bits))
      continue;
    for (uint32_t j = 0; j < count; j++)
      was_pure[j] = w->pure[branch[j].block];
    lin_fragment with = joined(w, f, branch[i].block, bits);
    if (lin_fragment_gain(&with) > lin_fragment_gain(f))
      *f = with;
    else
      look_further(w, &with, branch, count, was_pure, f);
    w->keyed[branch[i].block] = f->count > before;
    lin_fragment_weigh(w, f);
  }
  for (uint32_t i = 0; i < f->count; i++)
    w->keyed[f->branch[i]] = false;
}

// ---- places

static bool is_worth(const lin_fragment *f, lin_bound bound) {
  return f->moves && f->count >= bound.branches && lin_fragment_gain(f) >= bound.part * f->total &&
         f->saved >= bound.times * f->rounds;
}

// One behind the other: so are all in one loop, for each iteration comes by each.
static bool overlap(const lin_analysis *a, lin_block one, lin_block other) {
  return lin_tree_contains(a->dominators, one, other) ||
         lin_tree_contains(a->dominators, other, one);
}

static int by_gain(const void *left, const void *right) {
  const lin_fragment *a = left, *b = right;
  return lin_fragment_gain(a) != lin_fragment_gain(b)
             ? (lin_fragment_gain(a) < lin_fragment_gain(b)) -
                   (lin_fragment_gain(a) > lin_fragment_gain(b))
             : (a->place > b->place) - (a->place < b->place);
}

// Threads come by in each iteration of each loop around, or are through with it: so none goes
// around for many times while others wait.
static bool is_always_passed(const lin_analysis *a, const lin_block *last, lin_block block) {
  for (uint32_t loop = a->loops->loop_of[block]; loop != 0; loop = a->loops->tree->parent[loop])
    if (a->loops->irreducible[loop] ||
        (!lin_tree_contains(a->dominators, block, last[loop]) &&
         (a->loops->tree->parent[loop] != 0 || a->loops->loop_of[block] != loop)))
      return false;
  return true;
}

// Where a branch parts threads, where they come together that it sends one way, in loops, and in
// front of these. By what warps run behind them, as it is.
static candidate *find_places(lin_arena *arena, const lin_sites *sites, const lin_block *last,
                              uint32_t *count) {
  const lin_analysis *a = sites->analysis;
  const lin_graph *graph = a->graph;
  const lin_traffic *flow = sites->flow;
  candidate *places = LIN_ARRAY(arena, candidate, graph->num_blocks);
  double *below = LIN_ARRAY(arena, double, graph->num_blocks);
  bool *is_place = LIN_ARRAY(arena, bool, graph->num_blocks);
  for (lin_block block = graph->num_blocks; block-- > 0;) {
    const lin_block above = a->dominators->parent[block];
    const bool heads = a->loops->header[a->loops->loop_of[block]] == block;
    below[block] += graph->cost[block] * flow->passes[block];
    is_place[block] |= lin_may_diverge(sites->analysis->graph, block) || heads;
    if (block == 0)
      continue;
    below[above] += below[block];
    is_place[block] |= lin_may_diverge(sites->analysis->graph, above);
    is_place[above] |= heads;
  }
  *count = 0;
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if (is_place[block] && is_always_passed(a, last, block) && lin_out_degree(graph, block) > 0 &&
        flow->threads[block] > 0 && flow->passes[block] > 0 && flow->rounds[block] > 0)
      places[(*count)++] = (candidate){block, below[block]};
  *count = keep(places, *count, LIN_MOST_PLACES);
  return places;
}

lin_fragment *lin_fragments_find(lin_arena *arena, const lin_sites *sites, lin_bound bound,
                                 uint32_t *count) {
  const lin_analysis *a = sites->analysis;
  candidate *branch = LIN_ARRAY(arena, candidate, a->graph->num_blocks);
  const uint32_t num_branches = find_branches(sites, branch);
  uint32_t num_places, found = 0;
  lin_weighing w = lin_weighing_new(arena, sites);
  const candidate *place = find_places(arena, sites, w.last, &num_places);
  lin_fragment *fragment = LIN_ARRAY(arena, lin_fragment, num_places + 1);
  for (uint32_t i = 0; i < num_places; i++) {
    lin_fragment f = {.place = place[i].block};
    gather(&w, &f, branch, num_branches);
    if (is_worth(&f, bound))
      fragment[found++] = f;
  }
  qsort(fragment, found, sizeof *fragment, by_gain);
  *count = 0;
  for (uint32_t i = 0; i < found; i++) {
    bool is_free = true;
    for (uint32_t before = 0; before < *count; before++)
      is_free = is_free && !overlap(a, fragment[before].place, fragment[i].place);
    if (is_free)
      fragment[(*count)++] = fragment[i];
  }
  return fragment;
}
