// 1. Which threads are looked at: places among those of which something is known.
// 2. What they do.
// 3. What a warp runs in a step, and around the loop.
#include "counted.h"

enum { SECTOR = 32, WARP = LIN_REFILL_LANES };

static uint64_t warps_of_block(const lin_counts_launch *l) {
  return (lin_counts_block_threads(l) + WARP - 1) / WARP;
}

// Thread blocks are known as a whole, but where a program was cut off.
static uint64_t count_known(const lin_counts_launch *l) {
  uint64_t known = 0;
  for (uint32_t i = 0; i < l->num_runs; i++)
    known += l->run[i].vector == LIN_COUNTS_UNKNOWN ? 0 : l->run[i].num_threads;
  return known;
}

static uint64_t count_warps(const lin_counts_launch *l) {
  return count_known(l) / lin_counts_block_threads(l) * warps_of_block(l);
}

// ---- step 1 ------------------------------------------------------------------------------------

// The first place of a warp.
static uint64_t begin_of(const lin_counts_launch *l, uint64_t warp) {
  const uint64_t in_block = warps_of_block(l);
  return warp / in_block * lin_counts_block_threads(l) + warp % in_block * WARP;
}

static uint64_t end_of(const lin_counts_launch *l, uint64_t warp) {
  const uint64_t in_block = warps_of_block(l), end = begin_of(l, warp) + WARP,
                 last = (warp / in_block + 1) * lin_counts_block_threads(l);
  return end < last ? end : last;
}

// ---- step 2 ------------------------------------------------------------------------------------

// A place among known threads, which only goes on.
typedef struct cursor {
  uint32_t run;
  uint64_t begin; // the place of the run's first thread
} cursor;

static const lin_counts_run *find(const lin_counts_launch *l, cursor *c, uint64_t place) {
  for (;; c->run++) {
    const lin_counts_run *run = &l->run[c->run];
    if (run->vector == LIN_COUNTS_UNKNOWN)
      continue;
    if (place < c->begin + run->num_threads)
      return run;
    c->begin += run->num_threads;
  }
}

static uint32_t trips_of(const lin_refill_launch *of, const lin_counts_run *run) {
  const lin_counts_launch *l = of->launch;
  const uint64_t entries = l->vector[(size_t)run->vector * l->num_blocks + of->header],
                 trips = (entries + l->times / 2) / l->times;
  return trips < UINT32_MAX ? (uint32_t)trips : UINT32_MAX;
}

static void take_warp(const lin_refill_launch *of, cursor *c, uint64_t warp,
                      lin_refill_items *items) {
  uint32_t at = items->first[items->num_warps];
  for (uint64_t place = begin_of(of->launch, warp); place < end_of(of->launch, warp); place++)
    items->trips[at++] = trips_of(of, find(of->launch, c, place));
  items->first[++items->num_warps] = at;
}

static void take_warps(const lin_refill_launch *launches, uint32_t count, lin_refill_items *items) {
  uint64_t all = 0, before = 0, next = 0;
  for (uint32_t i = 0; i < count; i++)
    all += count_warps(launches[i].launch);
  const uint64_t every = (all + LIN_REFILL_WARPS - 1) / LIN_REFILL_WARPS;
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t here = count_warps(launches[i].launch);
    cursor c = {0, 0};
    for (; next < before + here; next += every)
      take_warp(&launches[i], &c, next - before, items);
    before += here;
  }
}

// ---- step 3 ------------------------------------------------------------------------------------

typedef struct sums {
  double threads, warps;          // of the launches
  double inside, outside, rounds; // of warps: costs, and how often they came to the header
  lin_refill_memory memory;
} sums;

// By threads, and by warps.
static void add_block(const lin_refill_launch *of, uint32_t b, double threads, double warps,
                      sums *s) {
  *(of->is_inside[b] ? &s->inside : &s->outside) += of->cost[b] * warps;
  s->rounds += b == of->header ? warps : 0;
  if (of->memory == NULL)
    return;
  s->memory.beside += of->memory[b].beside * threads;
  s->memory.alone += of->memory[b].alone * threads;
}

static void add_launch(const lin_refill_launch *of, sums *s) {
  const lin_counts_launch *l = of->launch;
  s->threads += (double)count_known(l) * (double)l->times;
  s->warps += (double)count_warps(l) * (double)l->times;
  for (uint32_t i = 0; i < l->num_runs; i++) {
    if (l->run[i].vector == LIN_COUNTS_UNKNOWN)
      continue;
    const uint64_t *vector = l->vector + (size_t)l->run[i].vector * l->num_blocks;
    for (uint32_t b = 0; b < l->num_blocks; b++) {
      const double threads = (double)vector[b] * l->run[i].num_threads;
      add_block(of, b, threads, l->passes == NULL ? threads / (double)WARP : 0, s);
    }
  }
  for (uint32_t b = 0; b < l->num_blocks && l->passes != NULL; b++)
    add_block(of, b, 0, (double)l->passes[b], s);
}

void lin_refill_count(const lin_refill_launch *launches, uint32_t count, lin_refill_items *items,
                      lin_refill_costs *costs) {
  sums s = {0};
  items->num_warps = items->first[0] = 0;
  take_warps(launches, count, items);
  for (uint32_t i = 0; i < count; i++)
    add_launch(&launches[i], &s);
  costs->around = s.warps > 0 ? s.outside / s.warps : 0;
  costs->step = s.rounds > 0 ? s.inside / s.rounds : 0;
  costs->beside = s.threads > 0 ? s.memory.beside / (double)SECTOR / s.threads : 0;
  costs->alone = s.threads > 0 ? s.memory.alone / s.threads : 0;
}
