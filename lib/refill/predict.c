// 1. Warps as they are.
// 2. Warps that are refilled, from one look at which something changes to the next.
// 3. The best of a few idle_lanes and steps; memory.
#include "predict.h"

#include "gpu/costs.h"

// A lane has about so many items: 2^22 on 2^18 lanes.
enum { ITEMS_OF_LANE = 16, MOST_AT_ONCE = LIN_REFILL_WARPS / ITEMS_OF_LANE };

// A warp waits for a look's votes and a fetch's counter: they are worth so many times what it
// executes. Chosen by hand, of 1, 2, 4 and 1, 2, 4, 8, 16, on active and mandelbrot of
// bench/refill, with steps of 52 (five iterations) and 13 instructions, and 40 and 50 around them.
// With 4, 8, 12 and 16 idle lanes, and 8 steps, gains are then
//
//     active       2.0   2.2   2.3   2.1     measured   1.74   2.07   2.34   2.51
//     mandelbrot   1.5   1.6   1.5   1.3                1.36   1.39   1.31   1.17
//
// (bench/results/h200-2026-11-28-refill.txt). With costs by LLVM's instructions they are 3.5 and
// 1.5 at best: docs/versions.md compares eight programs.
enum { WORTH_OF_LOOK = 2, WORTH_OF_FETCH = 8 };

static double larger(double a, double b) { return a > b ? a : b; }
static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t num_items(const lin_refill_items *items) { return items->first[items->num_warps]; }

// ---- step 1 ------------------------------------------------------------------------------------

static double run_plain(const lin_refill_items *items, const lin_refill_costs *costs) {
  double sum = 0;
  for (uint32_t w = 0; w < items->num_warps; w++) {
    uint32_t most = 0;
    for (uint32_t i = items->first[w]; i < items->first[w + 1]; i++)
      most = items->trips[i] > most ? items->trips[i] : most;
    sum += costs->around + most * costs->step;
  }
  return sum;
}

// ---- step 2 ------------------------------------------------------------------------------------

typedef struct warp {
  uint32_t left[LIN_REFILL_LANES]; // steps; 0: idle
  double time;
  bool is_done;
} warp;

typedef struct launch {
  const lin_refill_items *items;
  const lin_refill_costs *costs;
  uint32_t idle_lanes, steps;
  uint32_t taken;  // the counter
  double executed; // by all warps
} launch;

static uint32_t count_idle(const warp *w) {
  uint32_t count = 0;
  for (uint32_t lane = 0; lane < LIN_REFILL_LANES; lane++)
    count += w->left[lane] == 0;
  return count;
}

static void spend(launch *l, warp *w, double cost, double worth) {
  l->executed += cost;
  w->time += cost * worth;
}

static void fetch(launch *l, warp *w) {
  const uint32_t end = num_items(l->items);
  for (uint32_t lane = 0; lane < LIN_REFILL_LANES && l->taken < end; lane++)
    if (w->left[lane] == 0)
      w->left[lane] = l->items->trips[l->taken++];
  spend(l, w, l->costs->look, WORTH_OF_LOOK);
  spend(l, w, l->costs->fetch, WORTH_OF_FETCH);
  spend(l, w, l->costs->around, 1);
}

// Goes on to the look at which a lane is done.
static void step(launch *l, warp *w) {
  uint32_t shortest = UINT32_MAX, longest = 0;
  for (uint32_t lane = 0; lane < LIN_REFILL_LANES; lane++) {
    const uint32_t left = w->left[lane];
    shortest = left == 0 ? shortest : least(shortest, left);
    longest = left > longest ? left : longest;
  }
  const uint32_t looks = (shortest - 1) / l->steps + 1;
  const uint64_t all = (uint64_t)looks * l->steps;
  const uint32_t rounds = all < longest ? (uint32_t)all : longest;
  for (uint32_t lane = 0; lane < LIN_REFILL_LANES; lane++)
    w->left[lane] -= least(w->left[lane], rounds);
  spend(l, w, rounds * (l->costs->step + l->costs->round), 1);
  spend(l, w, looks * l->costs->look, WORTH_OF_LOOK);
}

static void go_on(launch *l, warp *w) {
  const uint32_t idle = count_idle(w);
  const bool has_more = l->taken < num_items(l->items);
  if (has_more && (idle >= l->idle_lanes || idle == LIN_REFILL_LANES))
    fetch(l, w);
  else if (idle == LIN_REFILL_LANES)
    w->is_done = true;
  else
    step(l, w);
}

// Returns the time of all warps together.
static double run_refilled(launch *l) {
  warp w[MOST_AT_ONCE] = {{{0}, 0, false}};
  const uint32_t wanted = (l->items->num_warps + ITEMS_OF_LANE - 1) / ITEMS_OF_LANE,
                 count = least(wanted, MOST_AT_ONCE);
  double sum = 0;
  for (;;) {
    uint32_t next = count;
    for (uint32_t i = 0; i < count; i++)
      if (!w[i].is_done && (next == count || w[i].time < w[next].time))
        next = i;
    if (next == count)
      break;
    go_on(l, &w[next]);
  }
  for (uint32_t i = 0; i < count; i++)
    sum += w[i].time;
  return sum;
}

// ---- step 3 ------------------------------------------------------------------------------------

static void bind(const lin_refill_costs *costs, lin_refill_prediction *p) {
  const double before = LIN_COST_OF_SECTOR * (costs->beside + costs->alone),
               after = LIN_COST_OF_SECTOR * (LIN_RISE_OF_SECTORS * costs->beside + costs->alone),
               bound = after > 0 ? larger(p->before, before) / after : p->gain;
  p->is_bound_by_memory = bound < p->gain;
  p->gain = p->is_bound_by_memory ? bound : p->gain;
}

// Runs it with two settings, and keeps them if they are the best ones so far.
static void try(launch l, lin_refill_prediction *best) {
  const double count = num_items(l.items), gain = best->before * count / run_refilled(&l);
  if (best->after > 0 && gain <= best->gain)
    return;
  best->gain = gain;
  best->after = l.executed / count;
  best->idle_lanes = l.idle_lanes;
  best->steps = l.steps;
}

lin_refill_prediction lin_refill_predict(const lin_refill_items *items,
                                         const lin_refill_costs *costs, uint32_t idle_lanes,
                                         uint32_t steps) {
  static const uint32_t some_idle[] = {4, 6, 8, 12, 16}, some_steps[] = {1, 2, 4, 6, 8};
  enum { SOME = sizeof some_idle / sizeof *some_idle };
  lin_refill_prediction best = {.idle_lanes = idle_lanes, .steps = steps, .gain = 1};
  if (num_items(items) == 0 || costs->step <= 0)
    return best;
  best.before = run_plain(items, costs) / num_items(items);
  for (uint32_t i = 0; i < (idle_lanes == 0 ? SOME : 1); i++)
    for (uint32_t j = 0; j < (steps == 0 ? SOME : 1); j++)
      try((launch){.items = items,
                   .costs = costs,
                   .idle_lanes = idle_lanes == 0 ? some_idle[i] : idle_lanes,
                   .steps = steps == 0 ? some_steps[j] : steps},
          &best);
  bind(costs, &best);
  return best;
}
