// regret_property [first_seed] [count]
//
// What choosing costs (lib/versions/trial.h) in programs of 5, 50 and 500 launches,
// that wait for each, for ten at a time, or for none before the last one; of one stream,
// or of four at once, where no time is known; of equal work, or of two kinds of launches in any
// order, one a hundred times as long; with noise of up to 3%. Half of the kernels begin with their
// second version, which earlier runs found to be faster than the plain one; others are 0.76 times
// as fast as the plain one or faster (the slowest of docs/results.md). Of all programs:
//   1. none takes more than 1/0.98 of the plain version's time, from its first launch on;
//   2. where the version that is begun with is the best one, the mean from the tenth launch on has
//      0.99 of its speed.
// Prints for each kind the least and the mean speed of both, and last `N programs, F failed`.
#include "versions/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint64_t next_random(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state >> 11;
}

static double uniform(double from, double to) {
  return from + (to - from) * (double)next_random() * 0x1p-53;
}

static uint32_t below(uint32_t limit) { return (uint32_t)(next_random() % limit); }

// ---- programs

enum { MOST_LAUNCHES = 500, SIZES = 3, WAITS = 3 };

static const uint32_t sizes[SIZES] = {5, 50, 500};
static const uint32_t waits[WAITS] = {1, 10, MOST_LAUNCHES};
static const char *const wait_names[WAITS] = {"each", "ten", "last"};

typedef struct program {
  uint32_t launches, waits, versions, best;
  bool is_concurrent, is_mixed, is_begun; // with version 1
  double long_time, ratio[LIN_VERSIONS_MOST], noise;
} program;

static program make(uint32_t size, uint32_t wait, bool is_concurrent, bool is_mixed) {
  program p = {sizes[size],   waits[wait],     2 + below(3),  0,
               is_concurrent, is_mixed,        below(2) == 0, exp(uniform(log(2e5), log(5e7))),
               {1},           uniform(0, 0.03)};
  for (uint32_t v = 1; v < p.versions; v++)
    p.ratio[v] = exp(uniform(log(0.4), log(v == 1 && p.is_begun ? 1 : 1 / 0.76)));
  for (uint32_t v = 1; v < p.versions; v++)
    p.best = p.ratio[v] < p.ratio[p.best] ? v : p.best;
  return p;
}

// ---- running one

typedef struct told {
  lin_turn turn;
  uint64_t time;
} told;

typedef struct result {
  double plain, best; // speeds: of the plain one's from the start, of the best one's from the tenth
} result;

// Earlier runs have timed both versions.
static void remember(const program *p, lin_trial *t, lin_ledger *ledger) {
  const lin_first none = {0};
  for (uint32_t v = 0; v < 2; v++)
    lin_trial_remember(t, v, (uint64_t)(p->long_time * p->ratio[v]), 16, &none);
  lin_trial_resume(t, ledger, 1, false);
}

static result run(const program *p) {
  static told waiting[MOST_LAUNCHES];
  uint32_t quiet = 0, asked = 0, told_later = 0;
  double time = 0, plain = 0, late = 0, best = 0;
  lin_trial t;
  lin_ledger ledger = {0};
  lin_trial_begin(&t, p->versions);
  if (p->is_begun)
    remember(p, &t, &ledger);
  for (uint32_t i = 0; i < p->launches; i++) {
    double work = p->long_time * (p->is_mixed && below(2) == 0 ? 0.01 : 1);
    lin_turn turn = {.version = t.best};
    asked++;
    if (quiet > 0) {
      quiet--;
    } else if (!p->is_concurrent && told_later < 16) { // timing.c has no room for more
      turn = lin_trial_next(&t, &ledger, asked);
      asked = 0;
      quiet = turn.quiet;
    }
    double took = work * p->ratio[turn.version];
    time += took;
    plain += work;
    late += i >= 10 ? took : 0;
    best += i >= 10 ? work * p->ratio[p->best] : 0;
    if (turn.is_timed)
      waiting[told_later++] =
          (told){turn, (uint64_t)(took * (1 + p->noise * uniform(-1, 1)) + (i == 0 ? 2e4 : 0))};
    for (uint32_t w = 0; (i + 1) % p->waits == 0 && w < told_later; w++)
      lin_trial_took(&t, &ledger, waiting[w].turn, waiting[w].time, 0);
    told_later = (i + 1) % p->waits == 0 ? 0 : told_later;
  }
  return (result){plain / time, late > 0 ? best / late : 1};
}

// ---- what has to hold

static unsigned failed, programs;

static void check_kind(uint64_t seed, uint64_t count, uint32_t size, uint32_t wait, uint32_t kind) {
  double least = INFINITY, best_least = INFINITY, sum = 0, best_sum = 0, begun = 0, begun_sum = 0;
  for (uint64_t i = seed; i < seed + count; i++) {
    state = i * UINT64_C(0x9e3779b97f4a7c15) + 1;
    program p = make(size, wait, (kind & 1) != 0, (kind & 2) != 0);
    result r = run(&p);
    programs++;
    least = fmin(least, r.plain);
    best_least = fmin(best_least, r.best);
    sum += r.plain;
    best_sum += r.best;
    bool is_best = p.is_begun && p.best == 1;
    begun += is_best;
    begun_sum += is_best ? r.best : 0;
    if (r.plain < 0.98) {
      failed++;
      printf("seed %llu: %.4f of the plain version's speed\n", (unsigned long long)i, r.plain);
    }
  }
  double n = (double)count;
  printf("%8u %5s %7s %6s %8.4f %7.4f %8.4f %7.4f %8.4f\n", sizes[size], wait_names[wait],
         (kind & 1) != 0 ? "4" : "1", (kind & 2) != 0 ? "mixed" : "equal", least, sum / n,
         best_least, best_sum / n, begun > 0 ? begun_sum / begun : 1);
  if (begun > 0 && begun_sum / begun < 0.9895) {
    failed++;
    printf("it has %.4f of the speed of the version that it begins with\n", begun_sum / begun);
  }
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 300;
  printf("launches waits streams   work of plain    mean  of best    mean if begun\n");
  for (uint32_t size = 0; size < SIZES; size++)
    for (uint32_t wait = 0; wait < WAITS; wait++)
      for (uint32_t kind = 0; kind < 4; kind++)
        check_kind(first, count, size, wait, kind);
  printf("%u programs, %u failed\n", programs, failed);
  return failed != 0;
}
