// 1. A loop as it is: how often it goes around, and what warps run in it.
// 2. Two loops merged: how often that goes around, and how often a warp comes to each block.
// 3. Strips: the merged loop goes around less often, and some of a strip's iterations are idle.
#include "nest_counts.h"

#include "gpu/costs.h"
#include "gpu/target.h"
#include "nests.h"
#include "ways.h"

#include <math.h>

static const double warp = LIN_WARP;

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

static const lin_visits *visits_of(const lin_nest_counts *c, lin_block block) {
  return &c->a->graph->visits[block];
}

// ---- step 1

static void set_header(lin_nest_counts *c, uint32_t loop) {
  const lin_visits *header = visits_of(c, c->a->loops->header[loop]);
  c->threads[loop] = header->threads;
  c->warps[loop] = header->passes;
  c->slowest[loop] = header->slowest;
  c->joined[loop] = LIN_NONE;
}

lin_nest_counts *lin_nest_counts_new(lin_arena *arena, const lin_analysis *analysis) {
  const lin_loops *loops = analysis->loops;
  if (analysis->graph->visits == NULL)
    return NULL;
  lin_nest_counts *c = LIN_NEW(arena, lin_nest_counts);
  *c = (lin_nest_counts){analysis,
                         LIN_ARRAY(arena, double, loops->num_loops),
                         LIN_ARRAY(arena, double, loops->num_loops),
                         LIN_ARRAY(arena, double, loops->num_loops),
                         LIN_ARRAY(arena, double, loops->num_loops),
                         LIN_ARRAY(arena, uint32_t, loops->num_loops)};
  for (uint32_t loop = 1; loop < loops->num_loops; loop++)
    set_header(c, loop);
  return c;
}

// Whether a loop directly in `outer` begins at `block`.
static bool begins_inside(const lin_loops *loops, uint32_t outer, lin_block block) {
  const uint32_t loop = loops->loop_of[block];
  return loop != 0 && loops->header[loop] == block && loops->tree->parent[loop] == outer;
}

void lin_nest_counts_begin(lin_nest_counts *c, uint32_t outer) {
  const lin_graph *graph = c->a->graph;
  const lin_loops *loops = c->a->loops;
  set_header(c, outer);
  c->cost[outer] = 0;
  for (lin_block b = loops->header[outer];
       b < graph->num_blocks && lin_loop_contains(loops, outer, b); b++)
    if (loops->loop_of[b] == outer)
      c->cost[outer] += graph->cost[b] * visits_of(c, b)->passes;
    else if (begins_inside(loops, outer, b))
      c->cost[outer] += c->cost[loops->loop_of[b]];
}

// How often some of `each` threads that go around together come to a block, of `warps` iterations.
static double passes_by_chance(double warps, double each, double share) {
  return warps * (1 - pow(1 - share, each));
}

// Of the edges into a loop how often threads, and warps, came by them.
static lin_visits entries(const lin_nest_counts *c, uint32_t loop) {
  const lin_graph *graph = c->a->graph;
  lin_visits sum = {0};
  for (LIN_IN_EDGES(graph, c->a->loops->header[loop], i)) {
    const lin_block from = graph->source[graph->in_edge[i]];
    double all = 0, here = graph->weight[graph->in_edge[i]];
    if (lin_loop_contains(c->a->loops, loop, from))
      continue;
    for (LIN_OUT_EDGES(graph, from, edge))
      all += graph->weight[edge];
    const double share = all > 0 ? here / all : 1.0 / lin_out_degree(graph, from);
    const lin_visits *v = visits_of(c, from);
    sum.threads += v->threads * share;
    if (v->passes > 0)
      sum.passes += passes_by_chance(v->passes, v->threads / v->passes, share);
  }
  return sum;
}

// ---- step 2

// The merged loop: `loop`, what is merged with it, and `outer`.
typedef struct merged {
  const lin_nest_counts *c;
  uint32_t loop, outer;
  double threads, warps, slowest; // iterations
} merged;

// Whether the blocks of a loop are part of the merged one.
static bool is_part(const merged *m, uint32_t loop) {
  if (loop == m->outer)
    return true;
  for (uint32_t at = m->loop; at != LIN_NONE; at = m->c->joined[at])
    if (at == loop)
      return true;
  return false;
}

// How often warps come to a block of the merged loop.
static double passes_after(const merged *m, lin_block block) {
  const lin_nest_counts *c = m->c;
  const lin_visits *v = visits_of(c, block),
                   *header = visits_of(c, c->a->loops->header[c->a->loops->loop_of[block]]);
  const double share = least(1, v->threads / m->threads);
  const double any = passes_by_chance(m->warps, m->threads / m->warps, share);
  const double was = header->passes <= 0 || header->threads <= 0
                         ? 0
                         : passes_by_chance(header->passes, header->threads / header->passes,
                                            least(1, v->threads / header->threads));
  const double agree = was > 0 ? least(1, v->passes / was) : 1;
  return least(most(any * (1 + agree) / 2, v->slowest), v->threads);
}

// How often `threads` go around a loop together that leave it with one chance, after `trips` each
// in the mean (ways.h).
static double turns_together(double trips, double threads) {
  return 1 + most(0, trips - 1) * lin_ways_harmonic(most(1, threads));
}

// How often threads go around a loop that isn't part of it, each time that they come to it: `was`,
// where `before` did so together, and there are `now`. Threads that are in one iteration of the
// loop around mostly need as many as each other: of that, half is left where they are in several.
static double turns_after(const merged *m, uint32_t loop, double trips, double was, double before,
                          double now) {
  const double known = m->c->a->graph->most_trips[m->c->a->loops->header[loop]];
  const double chance = turns_together(trips, before), then = turns_together(trips, now);
  if (known > 0 && trips > known - 0.5)
    return was; // all need the same
  if (was >= chance)
    return was * then / chance;
  const double apart = chance > trips ? most(0, was - trips) / (chance - trips) : 1;
  return trips + (then - trips) * (1 + apart) / 2;
}

// By how much more, or less, warps run of a loop in it that isn't part of it.
static double growth(const merged *m, uint32_t loop) {
  const lin_visits begin = entries(m->c, loop);
  const double warps = m->c->warps[loop], threads = m->c->threads[loop];
  if (begin.passes == 0 || begin.threads == 0 || warps == 0)
    return 1;
  const double share = least(1, begin.threads / m->threads),
               any = passes_by_chance(m->warps, m->threads / m->warps, share),
               passes = least(any, begin.threads),
               turns = turns_after(m, loop, threads / begin.threads, warps / begin.passes,
                                   begin.threads / begin.passes, begin.threads / passes);
  return passes * turns / warps;
}

// Of the inner loop's parts, or of the others, what warps run.
static double cost_of(const merged *m, bool of_inner) {
  const lin_graph *graph = m->c->a->graph;
  const lin_loops *loops = m->c->a->loops;
  const lin_block first = loops->header[of_inner ? m->loop : m->outer];
  const uint32_t whole = loops->loop_of[first];
  double cost = 0;
  for (lin_block b = first; b < graph->num_blocks && lin_loop_contains(loops, whole, b); b++) {
    const uint32_t own = loops->loop_of[b];
    if (!of_inner && lin_loop_contains(loops, m->loop, b))
      continue;
    if (is_part(m, own))
      cost += graph->cost[b] * passes_after(m, b);
    else if (loops->header[own] == b && is_part(m, loops->tree->parent[own]))
      cost += m->c->cost[own] * growth(m, own);
  }
  return cost;
}

// Of one loop merged with the one around it: each iteration of `outer` is one, and each iteration
// of `loop` but the first one each time that a thread comes to it.
static double both(double outer, double loop, double begun) {
  return outer + most(0, loop - begun);
}

static merged merge(const lin_nest_counts *c, uint32_t loop, uint32_t outer) {
  const lin_visits begin = entries(c, loop), entry = entries(c, outer);
  const double part = c->threads[loop] > 0 ? least(1, begin.threads / c->threads[loop]) : 1;
  const double sum = c->warps[loop] + c->warps[outer];
  merged m = {.c = c,
              .loop = loop,
              .outer = outer,
              .threads = both(c->threads[outer], c->threads[loop], begin.threads),
              .warps = sum,
              .slowest = both(c->slowest[outer], c->slowest[loop], c->slowest[loop] * part)};
  if (entry.passes == 0 || entry.threads == 0 || m.threads == 0)
    return m;
  const double together = entry.threads / entry.passes,
               times = most(1, c->threads[outer] / entry.threads),
               same = m.slowest * together / m.threads - 1,
               chance = (c->warps[loop] * together / c->threads[loop] - 1) / sqrt(times),
               around = c->warps[outer] * m.threads / c->threads[outer];
  m.warps = m.slowest;
  // Each comes there more than once; shares of edges are off by less than 1%.
  if (entry.threads > 1.01 * visits_of(c, c->a->loops->header[outer])->some)
    m.warps = most(m.threads / together * (1 + most(0, most(same, chance))), around);
  m.warps = least(most(m.warps, m.threads / warp), sum);
  return m;
}

// ---- step 3

static const double guards = LIN_GUARDED_PARTS * (LIN_COST_OF_TEST + LIN_COST_OF_SET);

lin_nest_weight lin_nest_counts_weigh(const lin_nest_counts *c, uint32_t loop, uint32_t outer,
                                      uint32_t longest) {
  merged m = merge(c, loop, outer);
  lin_nest_weight best = {.before = c->cost[outer],
                          .after = c->cost[outer],
                          .threads = m.threads,
                          .warps = m.warps,
                          .slowest = m.slowest,
                          .strip = 1};
  if (m.threads == 0)
    return best;
  const double inner = cost_of(&m, true);
  const merged whole = m;
  for (uint32_t strip = 1; strip <= longest; strip *= 2) {
    // The last strip of a thread is half full.
    const double idle = (strip - 1) / 2.0;
    m.threads = (whole.threads + c->threads[outer] * idle) / strip;
    m.warps = whole.warps * m.threads / whole.threads;
    const double full = m.warps * strip / whole.warps;
    const double counting = strip == 1 ? 0 : LIN_COST_OF_COUNTING * m.warps * strip;
    const double after = inner * full + counting + cost_of(&m, false) + m.warps * guards;
    if (strip == 1 || after < best.after)
      best = (lin_nest_weight){
          best.before, after, m.threads, m.warps, m.slowest * m.threads / whole.threads, strip};
  }
  return best;
}

void lin_nest_counts_merge(lin_nest_counts *c, uint32_t loop, uint32_t outer,
                           const lin_nest_weight *weight) {
  c->threads[outer] = weight->threads;
  c->slowest[outer] = weight->slowest;
  c->warps[outer] = weight->warps;
  c->cost[outer] = weight->after;
  c->joined[outer] = loop;
}
