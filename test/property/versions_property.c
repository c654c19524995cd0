// versions_property [first_seed] [count]
//
// Does a trial (lib/versions/trial.h) keep its promises, on made-up programs? A program launches
// one to four kernels in some order, each 2000 times or so. A kernel has two to four versions,
// whose times are multiples of the plain one's, and is of one of these kinds: quiet, noisy (up to
// 10%), with heavy tails, drifting, with data that change, a few microseconds long and as inexact
// as events are, with times that are known hundreds of launches later, or never. Of every program:
// Or its versions need something that takes up to twice the plain one's time to make, and is kept
// for LIN_KEPT launches.
//   1. what trying has really cost, told by the times without noise, is at most 2% of the time and
//      one launch; at any time before, half a percent more, or 3% where noise hides it;
//   2. a version that takes 3 times as long as the best one is launched once at most, until its
//      kernel's time changes; twice if it takes 10 times as long, which a launch of another kind
//      may; a few times where noise, lost times or data that change may hide it;
//   3. the same times make the same choices.
// And of all programs of a kind, from launch 30 of a kernel on: they have at least 0.99 of the
// speed of the best versions (0.98 where tails are heavy, 0.97 where data change or times are
// lost, 0.96 where something is made for a version), and 95 of 100 changes that can be seen are
// followed within 50 launches, where there are two versions. Prints that, and last `N programs, F
// failed`.
#include "versions/trial.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- random numbers, the same everywhere

static uint64_t state;

static uint64_t next_random(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state >> 11;
}

static double uniform(double from, double to) {
  return from + (to - from) * (double)next_random() * 0x1p-53;
}

static uint32_t below(uint32_t limit) { return (uint32_t)(next_random() % limit); }

static double normal(void) {
  double sum = -6;
  for (int i = 0; i < 12; i++)
    sum += uniform(0, 1);
  return sum;
}

// ---- kernels

typedef enum kernel_kind {
  QUIET,
  NOISY,
  TAILS,
  DRIFT,
  CHANGING,
  SHORT,
  LATE,
  LOSSY,
  KEEPING,
  KINDS
} kernel_kind;

static const char *const names[KINDS] = {"quiet", "noisy",      "heavy tails", "drift",  "changing",
                                         "short", "known late", "lossy",       "keeping"};

enum { LAUNCHES = 2000, MOST_DELAY = 600, MOST_CHANGES = 3, MOST_KERNELS = 4 };

typedef struct kernel {
  kernel_kind kind;
  uint32_t versions, launches, changes, change[MOST_CHANGES], delay;
  double plain[MOST_CHANGES + 1], ratio[MOST_CHANGES + 1][LIN_VERSIONS_MOST];
  double once[LIN_VERSIONS_MOST]; // to make what a version needs, in times of the plain one
  double noise, tail, slope;
} kernel;

static void make(kernel *k, kernel_kind kind) {
  *k = (kernel){.kind = kind, .versions = below(3) > 0 ? 2 : 2 + below(3), .launches = LAUNCHES};
  k->noise = kind == NOISY ? uniform(0.01, 0.1) : uniform(0, 0.01);
  k->tail = kind == TAILS ? uniform(0.01, 0.08) : 0;
  k->slope = kind == DRIFT ? uniform(-0.5, 1) / (double)LAUNCHES : 0;
  k->delay = kind == LATE ? below(MOST_DELAY) : 0;
  k->launches *= kind == LATE ? 10 : 1;
  k->changes = kind == CHANGING ? 1 + below(MOST_CHANGES) : 0;
  for (uint32_t v = 1; v < k->versions; v++)
    k->once[v] = kind == KEEPING ? uniform(0.03, 2) : 0;
  for (uint32_t p = 0; p <= k->changes; p++) {
    k->plain[p] = kind == SHORT ? uniform(2e3, 8e3) : exp(uniform(log(2e4), log(5e6)));
    if (p > 0) {
      k->plain[p] = k->plain[p - 1] * (below(2) == 0 ? uniform(1.3, 4) : uniform(0.25, 0.75));
      k->change[p - 1] = p * (k->launches / (k->changes + 1)) + below(50);
    }
    for (uint32_t v = 0; v < k->versions; v++)
      k->ratio[p][v] = v == 0          ? 1
                       : below(8) == 0 ? uniform(3, 8)
                                       : exp(uniform(log(0.4), log(1.4)));
  }
}

// With a launch's part of what is made for it.
static double truth(const kernel *k, uint32_t launch, uint32_t version) {
  uint32_t p = 0;
  while (p < k->changes && launch >= k->change[p])
    p++;
  double part = k->once[version] / (double)LIN_KEPT;
  return k->plain[p] * (k->ratio[p][version] + part) * (1 + k->slope * launch);
}

static double best_truth(const kernel *k, uint32_t launch) {
  double best = truth(k, launch, 0);
  for (uint32_t v = 1; v < k->versions; v++)
    best = fmin(best, truth(k, launch, v));
  return best;
}

// What stands between two events beside the kernel.
static double between(const kernel *k) { return k->kind == SHORT ? 1500 : 0; }

static uint64_t measure(const kernel *k, uint32_t launch, uint32_t version) {
  double time = truth(k, launch, version) * exp(k->noise * normal());
  if (uniform(0, 1) < k->tail)
    time *= uniform(1.5, 12);
  if (between(k) > 0)
    time += between(k) + 300 * fabs(normal());
  if (launch == 0)
    time += uniform(0, 1e5); // cold
  return (uint64_t)(time / 32) * 32 + 32;
}

// ---- running

typedef struct late {
  lin_turn turn;
  uint64_t time, once;
  bool is_there;
} late;

typedef struct running {
  const kernel *k;
  lin_trial trial;
  late waiting[MOST_DELAY + 1];
  uint32_t launch, quiet, asked;
  uint32_t made[LIN_VERSIONS_MOST];       // in launch - 1 what the version needs was made; 0: never
  uint32_t far[LIN_VERSIONS_MOST], phase; // launches of what is far slower, in that phase
  bool is_hidden;                         // a change of the data that the best version doesn't show
  uint32_t following; // launches since one that it does, which isn't followed yet; or 0
} running;

typedef struct sums {
  double time, best;   // from launch 30 on
  double trying, most; // the most that trying had cost at any time
  uint32_t kernels, changes, within;
} sums;

typedef struct program {
  running kernel[MOST_KERNELS];
  uint32_t kernels;
  lin_ledger ledger;
  double time, launches, trying, dearest, most, far_launches;
  uint64_t choices; // a hash
} program;

static void tell(program *p, running *r, late *l) {
  if (!l->is_there)
    return;
  l->is_there = false;
  if (r->k->kind == LOSSY && below(16) == 0)
    lin_trial_lost(&r->trial, &p->ledger, l->turn);
  else
    lin_trial_took(&r->trial, &p->ledger, l->turn, l->time, l->once);
}

// What has to be made for this launch takes so long.
static double make_for(running *r, uint32_t version) {
  bool is_there = r->made[version] > 0 && r->launch - (r->made[version] - 1) < LIN_KEPT;
  if (is_there || r->k->once[version] <= 0)
    return 0;
  r->made[version] = r->launch + 1;
  return r->k->once[version] * r->k->plain[0];
}

static void account(program *p, running *r, uint32_t version, bool is_try, uint32_t best,
                    double once) {
  const kernel *k = r->k;
  double usual = truth(k, r->launch, best), gap = between(k);
  double time = truth(k, r->launch, version) + (is_try ? once - once / (double)LIN_KEPT : 0);
  p->time += time;
  p->launches++;
  p->choices = (p->choices ^ version ^ (is_try ? 64U : 0U)) * UINT64_C(0x100000001b3);
  if (r->phase != r->trial.phase) {
    r->phase = r->trial.phase;
    memset(r->far, 0, sizeof r->far);
  }
  if (!is_try)
    return;
  p->trying += fmax(time - usual, 0);
  p->dearest = fmax(p->dearest, time - usual);
  p->most = fmax(p->most, (p->trying - p->dearest) / (p->time + gap * p->launches));
  if (time - once + gap >= 3 * (usual + gap))
    p->far_launches = fmax(p->far_launches, ++r->far[version]);
}

// The last change that the best version's time shows.
static void follow(running *r, sums *s) {
  const kernel *k = r->k;
  double now = truth(k, r->launch, r->trial.best), best = best_truth(k, r->launch);
  for (uint32_t c = 0; c < k->changes; c++)
    if (r->launch == k->change[c]) {
      double before = truth(k, r->launch - 1, r->trial.best);
      bool is_seen = now > 1.25 * before || before > 1.25 * now;
      r->following = is_seen && now > 1.05 * best && k->versions == 2;
      s->changes += r->following;
    }
  if (r->following == 0)
    return;
  s->within += r->following <= 50 && now <= 1.01 * best;
  r->following = now <= 1.01 * best ? 0 : r->following + 1;
}

static void launch(program *p, running *r, sums *s) {
  const kernel *k = r->k;
  late *slot = &r->waiting[r->launch % (k->delay + 1)];
  tell(p, r, slot);
  follow(r, s);
  uint32_t best = r->trial.best;
  lin_turn turn = {.version = best};
  r->asked++;
  if (r->quiet > 0) {
    r->quiet--;
  } else {
    turn = lin_trial_next(&r->trial, &p->ledger, r->asked);
    r->asked = 0;
    r->quiet = turn.quiet;
  }
  double once = make_for(r, turn.version);
  account(p, r, turn.version, turn.is_try, best, once);
  if (r->launch >= 30 + 26 * k->delay) {
    s->time += truth(k, r->launch, turn.version) / k->plain[0];
    s->best += best_truth(k, r->launch) / k->plain[0];
  }
  if (turn.is_timed)
    *slot = (late){turn, measure(k, r->launch, turn.version), (uint64_t)once, true};
  if (k->delay == 0)
    tell(p, r, slot);
  r->launch++;
}

static void run(program *p, const kernel *kernels, uint32_t count, sums *s) {
  memset(p, 0, sizeof *p);
  p->kernels = count;
  uint32_t left = count;
  for (uint32_t i = 0; i < count; i++) {
    p->kernel[i].k = &kernels[i];
    lin_trial_begin(&p->kernel[i].trial, kernels[i].versions);
    for (uint32_t v = 1; v < kernels[i].versions; v++)
      if (kernels[i].once[v] > 0)
        lin_trial_is_made_for(&p->kernel[i].trial, v);
  }
  while (left > 0) {
    running *r = &p->kernel[below(count)];
    if (r->launch == r->k->launches)
      continue;
    launch(p, r, s);
    left -= r->launch == r->k->launches;
  }
}

// ---- what has to hold

static unsigned failed;

static void complain(kernel_kind kind, uint64_t seed, const char *what, double value) {
  failed++;
  printf("%s, seed %llu: %s: %g\n", names[kind], (unsigned long long)seed, what, value);
}

static void check(uint64_t seed, kernel_kind kind, sums *s) {
  static kernel kernels[MOST_KERNELS];
  static program p;
  state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  uint32_t count = below(2) == 0 ? 1 : 1 + below(MOST_KERNELS);
  for (uint32_t i = 0; i < count; i++)
    make(&kernels[i], kind);
  uint64_t before = state;
  sums again = {0};
  run(&p, kernels, count, s);
  bool may_hide =
      kind == NOISY || kind == TAILS || kind == LOSSY || kind == SHORT || kind == CHANGING;
  if (p.most > (may_hide ? 0.05 : 0.025))
    complain(kind, seed, "what trying costs beside one launch", p.most);
  if ((p.trying - p.dearest) / p.time > 0.02)
    complain(kind, seed, "what trying has cost in the end", p.trying / p.time);
  if (p.far_launches > (kind == TAILS ? 5 : may_hide ? 3 : 2))
    complain(kind, seed, "launches of a version that takes 3 times as long", p.far_launches);
  s->kernels += count;
  s->trying += p.trying / p.time;
  s->most = fmax(s->most, p.most);
  uint64_t choices = p.choices;
  state = before;
  run(&p, kernels, count, &again);
  if (choices != p.choices)
    complain(kind, seed, "the same times made other choices", 0);
}

static void check_kind(kernel_kind kind, const sums *s) {
  static const double speeds[KINDS] = {
      [TAILS] = 0.98, [CHANGING] = 0.97, [LOSSY] = 0.97, [KEEPING] = 0.96};
  double fast = s->best / s->time, wanted = speeds[kind] > 0 ? speeds[kind] : 0.99;
  printf("%-12s %7u %10.4f %10.4f %10.4f   %u of %u\n", names[kind], s->kernels, fast,
         s->trying / s->kernels, s->most, s->within, s->changes);
  if (fast < wanted)
    complain(kind, 0, "of the best versions' speed", fast);
  if (s->within * 100 < s->changes * 95)
    complain(kind, 0, "changes followed within 50 launches", s->within);
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
  sums sum[KINDS] = {0};
  for (uint64_t seed = first; seed < first + count; seed++)
    check(seed, (kernel_kind)(seed % KINDS), &sum[seed % KINDS]);
  printf("%-12s %7s %10s %10s %10s   %s\n", "", "kernels", "speed", "trying", "at most",
         "followed");
  for (int i = 0; i < KINDS; i++)
    if (sum[i].kernels > 0)
      check_kind((kernel_kind)i, &sum[i]);
  printf("%llu programs, %u failed\n", (unsigned long long)count, failed);
  return failed != 0;
}
