#include "gain.h"

#include "choose/ways.h"
#include "gpu/costs.h"
#include "gpu/target.h"

#include <math.h>

static const double warp = LIN_WARP, line = LIN_COST_OF_LINE;

// Not fmin and fmax: what nobody knows, as of blocks that weren't counted, stays so.
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
static bool is_in_arm(const lin_weighing *w, uint32_t i, lin_block block) {
  const lin_analysis *a = w->sites->analysis;
  const lin_block branch = w->f->branch[i];
  const lin_block join = a->postdominators->tree->parent[branch];
  return branch != block && lin_tree_contains(a->dominators, branch, block) &&
         !(join < a->graph->num_blocks && lin_tree_contains(a->dominators, join, block));
}

// How many warps more than whole ones threads fill that come to a pure block: they stand in several
// places of the thread block, which don't begin where warps do.
static double borders_of(const lin_weighing *w, lin_block block) {
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
static double packed(const lin_weighing *w, lin_block block, double threads) {
  const double rounds = w->sites->flow->rounds[w->f->place], each = threads / rounds;
  return rounds * least(least(each, w->warps), each / warp + borders_of(w, block));
}

// Where threads come to a loop: to its header, but not around it. Counts of blocks don't tell how
// many pass a loop by, in front of which it is asked whether it has any iteration at all: where
// threads don't part, nobody; and whoever has been in it has reached it.
static void find_entries(const lin_weighing *w, lin_block header, double *threads, double *passes) {
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
    if (!lin_may_diverge(graph, from))
      share = 1;
    share = most(share, least(1, flow->some[header] / flow->threads[from]));
    *threads += flow->threads[from] * share;
    *passes += flow->passes[from] * (1 - pow(1 - share, most(1, each)));
  }
}

static bool is_in_scope(const lin_weighing *w, lin_block block) {
  const lin_analysis *a = w->sites->analysis;
  return w->loop != 0 ? lin_loop_contains(a->loops, w->loop, block)
                      : lin_tree_contains(a->dominators, w->f->place, block);
}

// Who doesn't go from `above` to `block` leaves a loop that isn't the place's.
static bool others_leave(const lin_weighing *w, lin_block above, lin_block block) {
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

static bool is_pure(const lin_weighing *w, lin_block above, lin_block block) {
  const lin_analysis *a = w->sites->analysis;
  return w->pure[above] && lin_loop_contains(a->loops, a->loops->loop_of[w->f->place], block) &&
         (w->keyed[above] || !lin_may_diverge(a->graph, above) ||
          a->postdominators->tree->parent[above] == block || others_leave(w, above, block));
}

// How often threads come to a pure block: as often as to the one above it that is in the same
// loops. Those that leave a loop on the way from there were there before.
static void find_turns(lin_weighing *w, lin_block block) {
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

static void find_anchor(lin_weighing *w, lin_block block) {
  const lin_analysis *a = w->sites->analysis;
  const lin_traffic *flow = w->sites->flow;
  const lin_block place = w->f->place, above = a->dominators->parent[block];
  w->pure[block] = block == place;
  w->anchor[block] = (lin_anchor){0};
  if (block == place)
    w->anchor[block] = (lin_anchor){flow->threads[place], flow->passes[place],
                                    packed(w, place, flow->threads[place])};
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
      (lin_anchor){threads, flow->passes[block] / w->together[block], packed(w, block, threads)};
}

// How often warps come to a block behind a branch of which nobody knows where it will send whom, in
// the same loops as a block that is pure: chance decides, for the threads of a warp together as
// they did as it is, or each by itself, if that is more. By guesses of how often that is nothing is
// promised.
static double passes_by_chance(const lin_weighing *w, lin_block block) {
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

static double passes_after(const lin_weighing *w, lin_block block) {
  const lin_traffic *flow = w->sites->flow;
  const lin_anchor *at = &w->anchor[block];
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
static double cost_of_skipping(const lin_weighing *w) {
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
static double passes_of_place(const lin_weighing *w) {
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

static void begin(lin_weighing *w, const lin_fragment *f) {
  const lin_analysis *a = w->sites->analysis;
  const lin_traffic *flow = w->sites->flow;
  const lin_block place = f->place;
  w->f = f;
  w->loop = lin_loops_outermost(a->loops, place);
  w->warps = flow->turns[place] / flow->rounds[place];
  const bool some_wait = flow->threads[place] * flow->rounds[0] <
                         0.99 * flow->threads[0] * flow->rounds[place]; // all begin
  w->left_over = some_wait ? (warp - 1) / (2 * warp) : 0;
  w->around[place] = w->together[place] = 1;
  w->skipping = cost_of_skipping(w);
}

void lin_fragment_weigh(lin_weighing *w, lin_fragment *f) {
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

lin_weighing lin_weighing_new(lin_arena *arena, const lin_sites *sites) {
  const lin_analysis *a = sites->analysis;
  const uint32_t blocks = a->graph->num_blocks;
  return (lin_weighing){.sites = sites,
                        .last = lin_loops_last(arena, a->loops, a->graph, a->dominators),
                        .keyed = LIN_ARRAY(arena, bool, blocks),
                        .pure = LIN_ARRAY(arena, bool, blocks),
                        .anchor = LIN_ARRAY(arena, lin_anchor, blocks),
                        .around = LIN_ARRAY(arena, double, blocks),
                        .together = LIN_ARRAY(arena, double, blocks),
                        .after = LIN_ARRAY(arena, double, blocks)};
}
