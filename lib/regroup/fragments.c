// Places, each with the branches that gain most as its key; of those that are worth it the best
// that are far enough from each other.
#include "fragments.h"

#include "gpu/costs.h"
#include "gpu/rounds.h"
#include "gpu/target.h"

#include <math.h>
#include <stdlib.h>

// ---- what a fragment gains

// Threads that come to a pure block in a round, however often: as it is, and behind the point.
typedef struct anchor {
  double threads, passes, after;
} anchor;

typedef struct work {
  const lin_sites *sites;
  const lin_block *last; // [num_loops] the last block that all iterations come by
  const lin_fragment *f;
  bool *keyed;               // [num_blocks] branches of the fragment
  bool *pure;                // [num_blocks]
  anchor *anchor;            // [num_blocks]
  double *around, *together; // [num_blocks] how often a thread that comes to a pure block at all
                             // does so, and a warp, each time that they come to the place
  double *after;             // [num_blocks] how often warps come behind the point
  double warps, left_over;   // of a thread block; of a warp, those that only wait, side by side
  uint32_t loop;             // the outermost loop around the place, or 0
  double skipping; // how many times as often warps go around that, if not all iterations pass the
                   // place; else 1
} work;

static const double warp = LIN_WARP, line = LIN_COST_OF_LINE;

static bool parts(const lin_sites *sites, lin_block block) {
  return lin_may_diverge(sites->analysis->graph, block);
}

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

// How often 32 threads go around that come to a loop together, if `threads` of them, `entries`
// times in the mean, go around so often.
static double turns_of_group(double entries, double turns, double threads) {
  const double more = (lin_ways_harmonic(LIN_WARP) - 1) / (lin_ways_harmonic(most(2, threads)) - 1);
  return least(entries + (turns - entries) * most(1, more), turns * warp / threads);
}

// The same if the threads of a round, so many, have been sorted by how often they go around: the
// last of 32 are the first 32 of them, the next 32, ..., of which the longest have
//
//     1 + 1/2 + ... + 1/n  -  (1 + 1/2 + ... + 1/k)        where k are left
//
// times the mean. Keys of five bits tell iterations apart that are 1/32 of the most.
static double turns_of_sorted(double entries, double turns, double threads, double all) {
  all = least(all, LIN_LARGEST_BLOCK);
  const uint32_t warps = (uint32_t)ceil(all / warp);
  double sum = 0;
  for (uint32_t i = 1; i <= warps; i++)
    sum += lin_ways_harmonic(all) - (all > i * warp ? lin_ways_harmonic(all - i * warp) : 0);
  const double more = (sum / most(1, warps) - 1) / (lin_ways_harmonic(most(2, threads)) - 1);
  return least(turns_of_group(entries, turns, threads),
               entries + (turns - entries) * most(0, more) + turns / warp);
}

// Whether only some of the threads that come to the fragment's branch number `i` come to `block`.
static bool is_in_arm(const work *w, uint32_t i, lin_block block) {
  const lin_analysis *a = w->sites->analysis;
  const lin_block branch = w->f->branch[i];
  const lin_block join = a->postdominators->tree->parent[branch];
  return branch != block && lin_tree_contains(a->dominators, branch, block) &&
         !(join < a->graph->num_blocks && lin_tree_contains(a->dominators, join, block));
}

// How many warps more than whole ones threads fill that come to a pure block: they stand in several
// places of the thread block, which don't begin where warps do.
static double borders_of(const work *w, lin_block block) {
  uint32_t last = w->f->count;
  double runs = 1;
  while (last > 0 && !is_in_arm(w, last - 1, block))
    last--;
  if (last == 0 || w->f->loop != 0)
    return w->left_over;
  for (uint32_t i = 0; i + 1 < last; i++)
    if (!is_in_arm(w, i, block))
      runs *= (double)(UINT32_C(1) << w->f->bits_of[i]);
  const double ways = (double)(UINT32_C(1) << w->f->bits_of[last - 1]);
  return (warp - 1) / warp * runs * (ways - 1) / ways + w->left_over / (runs * ways);
}

// How often warps come to a block to which so many threads come, of all rounds.
static double packed(const work *w, lin_block block, double threads) {
  const double rounds = w->sites->flow->rounds[w->f->place], each = threads / rounds;
  return rounds * least(least(each, w->warps), each / warp + borders_of(w, block));
}

// Where threads come to a loop: to its header, but not around it. Counts of blocks don't tell how
// many pass a loop by, in front of which it is asked whether it has any iteration at all: where
// threads don't part, nobody; and whoever has been in it has come to it.
static void find_entries(const work *w, lin_block header, double *threads, double *passes) {
  const lin_graph *graph = w->sites->analysis->graph;
  const lin_loops *loops = w->sites->analysis->loops;
  const lin_traffic *flow = w->sites->flow;
  *threads = *passes = 0;
  for (LIN_IN_EDGES(graph, header, i)) {
    const lin_edge edge = graph->in_edge[i];
    const lin_block from = graph->source[edge];
    if (lin_loop_around(loops, graph, edge) != 0 || flow->threads[from] == 0)
      continue;
    double all = 0, each = flow->threads[from] / flow->passes[from];
    for (LIN_OUT_EDGES(graph, from, out))
      all += graph->weight[out];
    double share = all > 0 ? graph->weight[edge] / all : 1.0 / lin_out_degree(graph, from);
    if (!parts(w->sites, from))
      share = 1;
    share = most(share, least(1, flow->some[header] / flow->threads[from]));
    *threads += flow->threads[from] * share;
    *passes += flow->passes[from] * (1 - pow(1 - share, most(1, each)));
  }
}

static bool is_in_scope(const work *w, lin_block block) {
  const lin_analysis *a = w->sites->analysis;
  return w->loop != 0 ? lin_loop_contains(a->loops, w->loop, block)
                      : lin_tree_contains(a->dominators, w->f->place, block);
}

// Who doesn't go from `above` to `block` leaves a loop that isn't the place's.
static bool others_leave(const work *w, lin_block above, lin_block block) {
  const lin_graph *graph = w->sites->analysis->graph;
  const lin_loops *loops = w->sites->analysis->loops;
  const uint32_t loop = loops->loop_of[above];
  if (lin_loop_contains(loops, loop, w->f->place) || !lin_loop_contains(loops, loop, block))
    return false;
  for (LIN_OUT_EDGES(graph, above, edge)) {
    const lin_block to = graph->destination[edge];
    if (to != block && lin_loop_contains(loops, loop, to))
      return false;
  }
  return true;
}

static bool is_pure(const work *w, lin_block above, lin_block block) {
  const lin_analysis *a = w->sites->analysis;
  return w->pure[above] && lin_loop_contains(a->loops, a->loops->loop_of[w->f->place], block) &&
         (w->keyed[above] || !parts(w->sites, above) ||
          a->postdominators->tree->parent[above] == block || others_leave(w, above, block));
}

// How often threads come to a pure block: as often as to the one above it that is in the same
// loops. Those that leave a loop on the way from there were there before.
static void find_turns(work *w, lin_block block) {
  const lin_analysis *a = w->sites->analysis;
  const lin_traffic *flow = w->sites->flow;
  const uint32_t loop = a->loops->loop_of[block];
  const bool heads = a->loops->header[loop] == block;
  lin_block above = a->dominators->parent[block];
  double threads = flow->threads[block], passes = flow->passes[block];
  if (heads)
    find_entries(w, block, &threads, &passes);
  while (!lin_loop_contains(a->loops, a->loops->loop_of[above], block))
    above = a->dominators->parent[above];
  w->around[block] = w->around[above];
  w->together[block] = w->together[above];
  if (heads && threads > 0 && passes > 0) {
    w->around[block] *= most(1, flow->threads[block] / threads);
    w->together[block] *= most(1, flow->passes[block] / passes);
  } else if (others_leave(w, above, block) && flow->threads[above] > 0) {
    w->around[block] *= threads / flow->threads[above];
    w->together[block] *= passes / flow->passes[above];
  }
}

static void find_anchor(work *w, lin_block block) {
  const lin_analysis *a = w->sites->analysis;
  const lin_traffic *flow = w->sites->flow;
  const lin_block place = w->f->place, above = a->dominators->parent[block];
  w->pure[block] = block == place;
  w->anchor[block] = (anchor){0};
  if (block == place)
    w->anchor[block] =
        (anchor){flow->threads[place], flow->passes[place], packed(w, place, flow->threads[place])};
  if (block == place || !lin_tree_contains(a->dominators, place, block))
    return;
  w->pure[block] = is_pure(w, above, block);
  if (!w->pure[block])
    return;
  find_turns(w, block);
  if (w->around[block] == 0 || w->together[block] == 0)
    return; // nobody comes
  const double threads = flow->threads[block] / w->around[block];
  w->anchor[block] =
      (anchor){threads, flow->passes[block] / w->together[block], packed(w, block, threads)};
}

// How often warps come to a block behind a branch of which nobody knows where it will send whom, in
// the same loops as a block that is pure: chance decides, for the threads of a warp together as
// they did as it is, or each by itself, if that is more. By guesses of how often that is nothing is
// promised.
static double passes_by_chance(const work *w, lin_block block) {
  const lin_analysis *a = w->sites->analysis;
  const lin_traffic *flow = w->sites->flow;
  const double passes = flow->passes[block];
  lin_block above = a->dominators->parent[block];
  while (!w->pure[above] && above != w->f->place)
    above = a->dominators->parent[above];
  if (flow->is_guessed || !w->pure[above] || a->loops->loop_of[above] != a->loops->loop_of[block] ||
      passes == 0 || passes > flow->passes[above] || flow->threads[above] == 0)
    return passes;
  const double after = w->after[above], before = flow->passes[above];
  const double share = flow->threads[block] / flow->threads[above];
  const double together = 1 - pow(1 - passes / before, before / after),
               each = 1 - pow(1 - least(1, share), flow->threads[above] / after);
  return least(passes, after * most(together, each));
}

static double passes_after(const work *w, lin_block block) {
  const lin_traffic *flow = w->sites->flow;
  const anchor *at = &w->anchor[block];
  if (!w->pure[block] && lin_tree_contains(w->sites->analysis->dominators, w->f->place, block))
    return passes_by_chance(w, block);
  if (!w->pure[block] || flow->threads[block] == 0 || at->threads == 0)
    return flow->passes[block] * w->skipping;
  const double entries = flow->threads[block] / at->threads;
  const double turns = flow->passes[block] / at->passes;
  const double together = most(1, at->threads / at->passes);
  if (entries <= 1)
    return at->after;
  if (w->f->loop != 0 && lin_loop_contains(w->sites->analysis->loops, w->f->loop, block))
    return at->after * most(entries, turns_of_sorted(entries, turns, together,
                                                     at->threads / flow->rounds[w->f->place]));
  return at->after * most(entries, turns_of_group(entries, turns, together));
}

// What a round takes a warp: a multiprocessor issues four instructions in each of its cycles.
static double cost_of_round(uint32_t bits, uint32_t words) {
  const uint32_t cycles = LIN_VOTES_ROUND + LIN_VOTES_BIT * bits + LIN_VOTES_WORD * words;
  const uint32_t beside = LIN_COST_OF_STATION;
  return beside + 4.0 * cycles / (double)LIN_ROUND_UNIT;
}

// How many times as many warps a multiprocessor has without a station that moves so many words.
static double crowding(const lin_sites *sites, uint32_t words) {
  const lin_target *t = sites->target;
  double warps[2];
  for (uint32_t with = 0; with < 2; with++) {
    const uint32_t wanted = sites->registers + with * words, step = LIN_REGISTER_STEP;
    const uint32_t registers = wanted < sites->most_registers ? wanted : sites->most_registers;
    const uint32_t taken = (registers + step - 1) / step * step;
    const uint32_t room = taken == 0 ? t->warps : t->registers / (taken * LIN_WARP);
    warps[with] = room < t->warps ? room : t->warps;
  }
  return warps[1] < 1 ? warps[0] : warps[0] / warps[1];
}

// Where threads go around for some iterations before they come to the place, or are through, those
// of a warp do so as often as the last of them, and others wait. As they leave with one chance,
// that is 1 + (s - 1) * (1 + 1/2 + ... + 1/n) iterations, if each of n has s in the mean.
static double cost_of_skipping(const work *w) {
  const lin_analysis *a = w->sites->analysis;
  const lin_traffic *flow = w->sites->flow;
  const lin_block place = w->f->place, header = a->loops->header[w->loop];
  double entries, passes;
  if (w->loop == 0 || lin_tree_contains(a->dominators, place, w->last[w->loop]))
    return 1;
  find_entries(w, header, &entries, &passes);
  const double each = flow->threads[place] / flow->rounds[place];
  const double together = each / least(least(each, w->warps), each / warp + w->left_over);
  const double run = most(1, flow->threads[header] / (flow->threads[place] + entries));
  const double after =
      flow->threads[header] / together * (1 + (run - 1) * lin_ways_harmonic(together)) / run;
  return most(1, after / flow->passes[header]);
}

// In how many iterations some of `threads` come to a block first, each with the chance `share` in
// each iteration.
static double iterations_apart(double threads, double share) {
  enum { MOST_ITERATIONS = 1024 };
  double sum = 0, first = least(1, share);
  for (int i = 0; i < MOST_ITERATIONS && first * threads > 1e-3; i++) {
    sum += 1 - pow(1 - first, threads);
    first *= 1 - least(1, share);
  }
  return sum;
}

// How often warps run the place's own block. A point without a key stands at its beginning, others
// at its end. Outside of loops nothing has been regrouped before these. In a loop that goes by the
// place in each iteration, threads come as the point left them. Where only some iterations do,
// threads come one after the other, and wait at the point.
static double passes_of_place(const work *w) {
  const lin_analysis *a = w->sites->analysis;
  const lin_traffic *flow = w->sites->flow;
  const lin_block place = w->f->place, header = a->loops->header[w->loop];
  if (w->f->count == 0)
    return w->after[place];
  if (w->loop == 0)
    return flow->passes[place];
  const double groups = w->after[place];
  if (lin_tree_contains(a->dominators, place, w->last[w->loop]) || groups == 0)
    return groups;
  return groups * iterations_apart(flow->threads[place] / groups,
                                   flow->threads[place] / flow->threads[header]);
}

static void begin(work *w, const lin_fragment *f) {
  const lin_analysis *a = w->sites->analysis;
  const lin_traffic *flow = w->sites->flow;
  const lin_block place = f->place;
  w->f = f;
  w->loop = a->loops->loop_of[place];
  if (w->loop != 0)
    w->loop = lin_tree_ancestor(a->loops->tree, w->loop, 1);
  w->warps = flow->turns[place] / flow->rounds[place];
  const bool some_wait = flow->threads[place] * flow->rounds[0] <
                         0.99 * flow->threads[0] * flow->rounds[place]; // all begin
  w->left_over = some_wait ? (warp - 1) / (2 * warp) : 0;
  w->around[place] = w->together[place] = 1;
  w->skipping = cost_of_skipping(w);
}

static void weigh(work *w, lin_fragment *f) {
  const lin_analysis *a = w->sites->analysis;
  const lin_traffic *flow = w->sites->flow;
  begin(w, f);
  // Some wait for others there: how many are left is told by one more sort.
  const bool waits = a->loops->loop_of[f->place] != 0;
  // Threads of a key that are neighbours now were as far from each other as there are keys.
  const double lines = least((double)(UINT32_C(1) << f->bits), w->warps) - 1;
  f->moves = f->bits > 0 || w->left_over > 0;
  f->saved = f->total = 0;
  f->rounds = flow->turns[f->place] * cost_of_round(f->bits + waits, w->sites->words[f->place]);
  for (lin_block block = 0; block < a->graph->num_blocks; block++) {
    const double cost = a->graph->cost[block];
    f->total += cost * flow->passes[block];
    if (!is_in_scope(w, block))
      continue;
    find_anchor(w, block);
    if (!f->moves)
      continue;
    const double after = w->after[block] =
        most(passes_after(w, block), flow->threads[block] / warp);
    f->saved += cost * (flow->passes[block] - (block == f->place ? passes_of_place(w) : after));
    f->rounds += lines * line * w->sites->scattered[block] * after;
  }
  f->fewer =
      waits ? (f->total - f->saved + f->rounds) * (crowding(w->sites, w->sites->live[f->place]) - 1)
            : 0;
}

double lin_fragment_gain(const lin_fragment *f) { return f->saved - f->rounds - f->fewer; }

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
    if (parts(sites, block) && sites->flow->threads[block] > 0)
      branch[count++] = (candidate){block, sites->flow->passes[block]};
  return keep(branch, count, LIN_MOST_BRANCHES);
}

// How often a loop goes around is a key of its own: it takes all bits.
static bool is_count(const work *w, const lin_fragment *f, lin_block branch, uint32_t *step) {
  const lin_loops *loops = w->sites->analysis->loops;
  const uint32_t loop = loops->loop_of[branch];
  return f->count == 0 && loop != 0 && !lin_loop_contains(loops, loop, f->place) &&
         w->pure[loops->header[loop]] &&
         w->sites->counts(w->sites->context, f->place, branch, step);
}

static bool may_join(const work *w, const lin_fragment *f, lin_block block, uint32_t *bits) {
  uint32_t step;
  if (f->loop != 0 || w->keyed[block] || !w->pure[block] ||
      !lin_tree_contains(w->sites->analysis->dominators, f->place, block))
    return false;
  *bits = w->sites->bits(w->sites->context, f->place, block);
  if (*bits == 0 && is_count(w, f, block, &step))
    *bits = LIN_MOST_FRAGMENT_BITS;
  return *bits > 0 && f->bits + *bits <= LIN_MOST_FRAGMENT_BITS;
}

// What a loop counts to each time, at most: what the thread of each thread block has that goes
// around most, in the mean; where threads come again and again, twice the mean of these.
static double most_counted(const work *w, const lin_fragment *f, uint32_t step) {
  const lin_loops *loops = w->sites->analysis->loops;
  const lin_traffic *flow = w->sites->flow;
  const double again = loops->loop_of[f->place] == 0 ? 1 : 2;
  return again * step * flow->rounds[loops->header[f->loop]] / flow->rounds[f->place];
}

enum { MOST_SHIFT = 31 }; // of a counter of 32 bits

// Bits of the key: five at most, so the lowest of what is counted are left out.
static uint32_t choose_bits(const work *w, lin_fragment *f, uint32_t step) {
  double counted = most_counted(w, f, step);
  uint32_t bits = 1;
  while (counted >= warp && f->shift < MOST_SHIFT) {
    counted /= 2;
    f->shift++;
  }
  while (bits < LIN_MOST_FRAGMENT_BITS && counted >= (double)(UINT32_C(1) << bits))
    bits++;
  return bits;
}

static lin_fragment joined(work *w, const lin_fragment *f, lin_block branch, uint32_t bits) {
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
  weigh(w, &with);
  return with;
}

// Of the branches that are pure if `f`'s are keyed, and weren't before, the first that is worth it
// together with the last of `f`: `best` becomes better.
static void look_further(work *w, lin_fragment *f, const candidate *branch, uint32_t count,
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
      weigh(w, f);
    }
}

// Branches join as long as that gains something, or does once one in an arm joins, too.
static void gather(work *w, lin_fragment *f, const candidate *branch, uint32_t count) {
  bool was_pure[LIN_MOST_BRANCHES];
  weigh(w, f);
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
    weigh(w, f);
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

// Of each loop the last block that all its iterations come by.
static lin_block *find_last(lin_arena *arena, const lin_analysis *a) {
  lin_block *last = LIN_ARRAY(arena, lin_block, a->loops->num_loops);
  for (uint32_t loop = 0; loop < a->loops->num_loops; loop++)
    last[loop] = LIN_NONE;
  for (lin_block block = 0; block < a->graph->num_blocks; block++)
    for (LIN_OUT_EDGES(a->graph, block, edge)) {
      const uint32_t loop = lin_loop_around(a->loops, a->graph, edge);
      if (loop != 0)
        last[loop] =
            last[loop] == LIN_NONE ? block : lin_tree_meet(a->dominators, last[loop], block);
    }
  return last;
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
    is_place[block] |= parts(sites, block) || heads;
    if (block == 0)
      continue;
    below[above] += below[block];
    is_place[block] |= parts(sites, above);
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

static work work_new(lin_arena *arena, const lin_sites *sites) {
  const lin_analysis *a = sites->analysis;
  return (work){.sites = sites,
                .last = find_last(arena, a),
                .keyed = LIN_ARRAY(arena, bool, a->graph->num_blocks),
                .pure = LIN_ARRAY(arena, bool, a->graph->num_blocks),
                .anchor = LIN_ARRAY(arena, anchor, a->graph->num_blocks),
                .around = LIN_ARRAY(arena, double, a->graph->num_blocks),
                .together = LIN_ARRAY(arena, double, a->graph->num_blocks),
                .after = LIN_ARRAY(arena, double, a->graph->num_blocks)};
}

lin_fragment *lin_fragments_find(lin_arena *arena, const lin_sites *sites, lin_bound bound,
                                 uint32_t *count) {
  const lin_analysis *a = sites->analysis;
  candidate *branch = LIN_ARRAY(arena, candidate, a->graph->num_blocks);
  const uint32_t num_branches = find_branches(sites, branch);
  uint32_t num_places, found = 0;
  work w = work_new(arena, sites);
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
