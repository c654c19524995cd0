// Which version of a kernel is launched: the rules of lib/versions/trial.h one by one, and the
// times that they look at. versions_property has the promises.
#include "expect.h"
#include "versions/trial.h"

#include <stdlib.h>

// ---- times

static lin_times make_times(uint32_t count, const uint64_t *time) {
  lin_times t = {.count = 0};
  for (uint32_t i = 0; i < count; i++)
    lin_times_add(&t, time[i]);
  return t;
}

#define TIMES(...)                                                                                 \
  make_times(sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (uint64_t[]){__VA_ARGS__})

static void test_times(void) {
  lin_times t = TIMES(5, 1, 4, 2, 3);
  EXPECT(lin_times_at(&t, 0) == 3 && lin_times_at(&t, 4) == 5 && lin_times_kept(&t) == 5);
  EXPECT(lin_times_median(&t, 0) == 3);
  EXPECT(lin_times_median(&t, 1) == 2); // of 5, 1, 4, 2
  EXPECT(lin_times_median(&t, 5) == 0 && lin_times_median(&t, 9) == 0);
  EXPECT(lin_times_large(&t, 0, 0) == 5 && lin_times_large(&t, 0, 1) == 4);
  EXPECT(lin_times_large(&t, 0, 5) == 0 && lin_times_small(&t, 0, 5) == 0);
  EXPECT(lin_times_small(&t, 0, 0) == 1 && lin_times_small(&t, 2, 1) == 4);
  EXPECT(lin_times_noise(&t) == 1);
  for (uint64_t i = 100; i < 200; i++)
    lin_times_add(&t, i);
  EXPECT(lin_times_kept(&t) == LIN_TIMES && lin_times_small(&t, 0, 0) == 200 - LIN_TIMES);
  EXPECT(lin_times_median(&t, 0) == 191 && lin_times_noise(&t) == 4);
}

static void test_ranks(void) {
  lin_times low = TIMES(1, 2, 3, 4, 5), high = TIMES(6, 7, 8, 9, 10);
  EXPECT(lin_times_compare(&low, &high) == -1 && lin_times_compare(&high, &low) == 1);
  lin_times mixed = TIMES(6, 7, 8, 9, 5);
  EXPECT(lin_times_compare(&low, &mixed) == 0); // one tie is enough, of so few
  low = TIMES(1, 2, 3, 4), high = TIMES(6, 7, 8, 9);
  EXPECT(lin_times_compare(&low, &high) == 0); // and four are too few
  low = TIMES(1, 2, 3, 4, 5, 6, 7, 8, 20), high = TIMES(9, 10, 11, 12, 13, 14, 15, 16, 17);
  EXPECT(lin_times_compare(&low, &high) == -1); // an outlier isn't
  lin_times same = TIMES(7, 7, 7, 7, 7, 7, 7, 7, 7), none = {.count = 0};
  EXPECT(lin_times_compare(&same, &same) == 0);
  EXPECT(lin_times_compare(&same, &none) == 0);
}

// ---- trials, in microseconds

enum { US = 1000 };

static lin_trial trial;
static lin_ledger ledger;
static uint32_t quiet, asked, launched[LIN_VERSIONS_MOST], timed;
static uint64_t once; // what is made for version 1 takes; 0: nothing is
static uint32_t launches_done, made_at, made;

static void begin(uint32_t versions) {
  ledger = (lin_ledger){0};
  lin_trial_begin(&trial, versions);
  quiet = asked = timed = 0;
  once = launches_done = made = 0;
  memset(launched, 0, sizeof launched);
}

// One launch, whose time is known at once: that of its version, +-1%.
static uint64_t make_for(lin_turn turn) {
  bool is_there = made > 0 && launches_done - made_at < LIN_KEPT;
  launches_done++;
  if (once == 0 || turn.version != 1 || is_there)
    return 0;
  made++;
  made_at = launches_done - 1;
  return once;
}

static lin_turn launch(const uint64_t *time) {
  static uint32_t jitter = 1;
  lin_turn turn = {.version = trial.best};
  asked++;
  if (quiet > 0) {
    quiet--;
  } else {
    turn = lin_trial_next(&trial, &ledger, asked);
    asked = 0;
    quiet = turn.quiet;
  }
  jitter = (uint32_t)((uint64_t)jitter * 48271 % 2147483647);
  launched[turn.version]++;
  timed += turn.is_timed;
  uint64_t now = make_for(turn);
  if (turn.is_timed)
    lin_trial_took(&trial, &ledger, turn, time[turn.version] * (990 + jitter % 21) / 1000, now);
  return turn;
}

static void launch_times(uint32_t launches, const uint64_t *time) {
  for (uint32_t i = 0; i < launches; i++)
    launch(time);
}

// The drawing of the header: 16 launches, a duel of 5 pairs, one launch of 16 is timed.
static void test_faster(void) {
  const uint64_t time[] = {200 * US, 100 * US};
  begin(2);
  launch_times(15, time);
  EXPECT(launched[1] == 0);
  launch_times(11, time);
  EXPECT(launched[1] >= 5 && launched[1] <= 6 && trial.best == 1);
  uint32_t before = timed;
  launch_times(80, time);
  EXPECT(launched[0] <= 21 && timed - before == 6);
  EXPECT(ledger.spent == 0 && ledger.reserved == 0 && ledger.time > 26 * 99 * US);
}

static void test_slower(void) {
  const uint64_t far[] = {100 * US, 300 * US}, slow[] = {100 * US, 130 * US};
  begin(2);
  launch_times(5000, far);
  EXPECT(launched[1] == 1 && trial.best == 0 && trial.version[1].rank == LIN_FAR);
  EXPECT(ledger.spent >= 190 * US && ledger.spent <= 210 * US);
  begin(2);
  launch_times(100, slow);
  EXPECT(launched[1] == 1 && trial.version[1].rank == LIN_SLOWER);
  launch_times(900, slow);
  EXPECT(launched[1] > 2 && launched[1] <= 7 && trial.best == 0);
}

// Nothing is tried until a launch that cost more than expected is made good.
static void test_ledger(void) {
  const uint64_t time[] = {100 * US, 600 * US, 50 * US};
  begin(3);
  launch_times(250, time);
  EXPECT(launched[1] == 1 && launched[2] == 0 && trial.best == 0);
  launch_times(50, time);
  EXPECT(launched[2] > 5 && trial.best == 2);
  EXPECT(ledger.spent * 50 <= ledger.time);
  begin(2);
  ledger.time = 1000 * 1000 * US; // others have paid
  launch_times(8, time);
  EXPECT(launched[1] == 1);
}

// What is made for a version is spent at once; while it is kept, what is faster is tried on.
// What is as fast is made again where that costs next to nothing, one launch in 500.
static void test_kept(void) {
  const uint64_t fast[] = {100 * US, 60 * US}, close[] = {100 * US, 100 * US};
  begin(2);
  once = 150 * US;
  launch_times(30, fast);
  EXPECT(trial.best == 1 && made == 1 && ledger.spent == 300 * US); // tried out before
  launch_times(630, fast);
  EXPECT(made >= 10 && made <= 11 && ledger.spent * 50 <= ledger.time); // and on plain ones
  begin(2);
  once = 150 * US;
  launch_times(5000, close);
  EXPECT(trial.version[1].once == 150 * US && made >= 2 && made <= 8);
}

static void test_change(void) {
  const uint64_t before[] = {100 * US, 50 * US}, after[] = {200 * US, 260 * US};
  begin(2);
  launch_times(200, before);
  EXPECT(trial.best == 1 && trial.phase == 0);
  uint32_t launches = 0;
  while (trial.best == 1 && launches < 100)
    launch_times(1, after), launches++;
  EXPECT(trial.phase == 1 && trial.best == 0 && launches <= 50);
  launch_times(1000, after);
  EXPECT(trial.phase == 1 && trial.best == 0);
  // Not out of what was seen before, but all of them off.
  const uint64_t low[][2] = {{100 * US, 300 * US}, {130 * US, 300 * US}};
  const uint64_t high[][2] = {{135 * US, 300 * US}, {150 * US, 300 * US}};
  begin(2);
  for (int i = 0; i < 400; i++)
    launch(low[timed % 3 == 0]);
  EXPECT(trial.phase == 0);
  for (int i = 0; i < 200; i++)
    launch(high[timed % 2]);
  EXPECT(trial.phase == 1);
}

static void test_close(void) {
  const uint64_t same[] = {100 * US, 100 * US}, little[] = {1000 * US, 995 * US};
  begin(2);
  launch_times(160, same);
  EXPECT(trial.version[1].rank == LIN_CLOSE);
  launch_times(3200, same);
  EXPECT(launched[1] < 130);
  begin(2);
  launch_times(5000, little);
  EXPECT(trial.best == 1);
}

static void test_decided(void) {
  const uint64_t time[] = {100 * US, 50 * US, 20 * US};
  begin(3);
  lin_trial_decide(&trial, 1);
  launch_times(1000, time);
  EXPECT(launched[1] == 1000 && timed == 0);
  lin_trial_ban(&trial, &ledger, 1);
  quiet = 0;
  launch_times(100, time);
  EXPECT(trial.best == 2 && launched[1] == 1000);
  begin(1);
  launch_times(1000, time);
  EXPECT(launched[0] == 1000 && timed > 0 && timed <= 32 + 1000 / 16);
}

static void test_banned(void) {
  const uint64_t time[] = {100 * US, 50 * US};
  begin(2);
  lin_turn turn;
  do
    turn = launch(time);
  while (!turn.is_try);
  lin_trial_ban(&trial, &ledger, 1);
  launch_times(5000, time);
  EXPECT(launched[1] == 1 && ledger.reserved == 0 && trial.best == 0);
  begin(2);
  launch_times(100, time);
  EXPECT(trial.best == 1);
  lin_trial_ban(&trial, &ledger, 1);
  uint32_t before = launched[1];
  quiet = 0;
  launch_times(1000, time);
  EXPECT(trial.best == 0 && launched[1] == before);
}

static void test_lost(void) {
  begin(2);
  uint32_t calls = 0;
  for (int i = 0; i < 1000; i++) {
    lin_turn turn = lin_trial_next(&trial, &ledger, 1);
    if (turn.is_timed)
      lin_trial_lost(&trial, &ledger, turn), calls++;
  }
  EXPECT(calls == 64 && trial.is_decided && trial.best == 0);
  // A try whose time nobody knows may have been slow.
  const uint64_t time[] = {100 * US, 50 * US};
  begin(2);
  lin_turn turn;
  do {
    turn = lin_trial_next(&trial, &ledger, 1);
    if (turn.is_timed && !turn.is_try)
      lin_trial_took(&trial, &ledger, turn, time[0], 0);
  } while (!turn.is_try);
  EXPECT(ledger.reserved == 32 * US);
  lin_trial_lost(&trial, &ledger, turn);
  EXPECT(ledger.reserved == 0 && ledger.spent == 200 * US);
  lin_trial_lost(&trial, &ledger, turn); // told twice
  EXPECT(ledger.spent == 200 * US);
  launch_times(2000, time);
  EXPECT(trial.best == 1);
}

// While the time of a try isn't known, nothing else is tried, and it is asked less and less often.
static void test_late(void) {
  const uint64_t time[] = {100 * US, 50 * US};
  begin(2);
  lin_turn turn, other = {0};
  do {
    turn = lin_trial_next(&trial, &ledger, 1);
    if (turn.is_timed && !turn.is_try)
      lin_trial_took(&trial, &ledger, turn, time[0], 0);
  } while (!turn.is_try);
  for (int i = 0; i < 1000; i++) {
    other = lin_trial_next(&trial, &ledger, other.quiet + 1);
    EXPECT(other.version == 0 && !other.is_try);
    EXPECT(!other.is_timed || i < 2);
  }
  EXPECT(other.quiet == 32);
  lin_trial_took(&trial, &ledger, turn, time[1], 0);
  EXPECT(lin_trial_next(&trial, &ledger, 1).is_try);
}

// Launches of two kinds, to and fro: the long kind says which version is the fastest, and a version
// whose times are of both kinds is noisy.
static void test_rotation(void) {
  const uint64_t short_kind[] = {12 * US, 16 * US, 12 * US};
  const uint64_t long_kind[] = {1650 * US, 552 * US, 1900 * US};
  begin(3);
  lin_trial_rotate(&trial, 0);
  for (uint32_t i = 0; i < 60; i++)
    launch((i * 7 % 12) % 2 == 0 || i % 5 == 0 ? long_kind : short_kind);
  lin_times plain = lin_trial_times(&trial, 0), needed = lin_trial_times(&trial, 1);
  EXPECT(lin_times_small(&plain, 0, 0) > 1600 * US && lin_times_small(&needed, 0, 0) > 540 * US);
  EXPECT(lin_times_kept(&plain) >= 5 && lin_times_kept(&needed) >= 5);
  EXPECT(lin_times_compare(&needed, &plain) < 0);
  lin_times both = TIMES(12, 1650, 12, 1650, 12, 1650, 12, 1650, 12);
  EXPECT(lin_times_noise(&both) > 800);
  lin_times steady = TIMES(1650, 1640, 1650, 1660, 1650);
  trial.version[0].times = steady; // one kind: all that is kept
  plain = lin_trial_times(&trial, 0);
  EXPECT(lin_times_kept(&plain) == 5);
}

// ---- what earlier runs measured

static const lin_first nothing_first;

// The best of them is launched first, without a try; what was slower waits, what was far slower
// isn't launched, and what nobody knows is tried.
static void test_resume(void) {
  const uint64_t time[] = {100 * US, 50 * US, 60 * US, 300 * US, 70 * US};
  begin(5);
  for (uint32_t v = 0; v < 4; v++)
    lin_trial_remember(&trial, v, time[v], 16, &nothing_first);
  lin_trial_resume(&trial, &ledger, 1, false);
  EXPECT(ledger.time == 0); // what was far slower was not paid for
  launch_times(60, time);
  EXPECT(launched[4] >= 1 && launched[0] == 0 && launched[2] == 0 && launched[3] == 0);
  launch_times(2000, time);
  EXPECT(launched[2] >= 1 && launched[0] >= 1 && launched[3] == 0 && trial.best == 1);
  EXPECT(launched[1] > 2000);
}

// The time of earlier runs pays for a try in front of the 16th launch; that of 64 launches.
static void test_credit(void) {
  const uint64_t time[] = {100 * US, 50 * US};
  begin(2);
  lin_trial_remember(&trial, 0, time[0], 1000, &nothing_first);
  lin_trial_remember(&trial, 1, 0, 0, &nothing_first);
  lin_trial_resume(&trial, &ledger, 0, false);
  EXPECT(ledger.time == 64 * 100 * US);
  launch_times(8, time);
  EXPECT(launched[1] == 1);
}

// A program that queues all its launches knows no time before its end: earlier runs say what a
// launch takes, and one version is tried in each run.
static void test_queued(void) {
  lin_turn turns[64];
  uint32_t tries = 0, timed_ones = 0;
  begin(3);
  lin_trial_remember(&trial, 0, 1000 * US, 16, &nothing_first);
  lin_trial_remember(&trial, 1, 2000 * US, 1, &nothing_first);
  lin_trial_resume(&trial, &ledger, 0, false);
  ledger.time = 0; // no credit
  for (uint32_t i = 0; i < 64; i++) {
    uint32_t before = quiet;
    turns[i] = (lin_turn){.version = trial.best};
    if (quiet > 0)
      quiet--, asked++;
    else
      turns[i] = lin_trial_next(&trial, &ledger, asked + 1), quiet = turns[i].quiet, asked = 0;
    EXPECT(turns[i].version == 0 || (turns[i].version == 2 && i >= 15 && before == 0));
    tries += turns[i].version == 2;
    timed_ones += turns[i].is_timed;
  }
  EXPECT(tries == 1 && timed_ones <= 16);
  for (uint32_t i = 0; i < 64; i++)
    if (turns[i].is_timed)
      lin_trial_took(&trial, &ledger, turns[i], (turns[i].version == 2 ? 500 : 1000) * US, 0);
  EXPECT(trial.version[2].measured == 1 && ledger.reserved == 0);
}

// What this run's data take is nothing like what is known: all that is known is forgotten.
static void test_other_data(void) {
  const uint64_t time[] = {100 * US, 300 * US};
  begin(2);
  lin_trial_remember(&trial, 0, 100 * US, 16, &nothing_first);
  lin_trial_remember(&trial, 1, 50 * US, 16, &nothing_first);
  lin_trial_resume(&trial, &ledger, 1, false);
  launch_times(200, time);
  EXPECT(trial.phase == 1 && trial.best == 0);
}

// Runs of so many launches, of which each has a time of its own; what they leave is taken along.
static lin_first firsts[LIN_VERSIONS_MOST];

static void run_few(uint32_t versions, uint32_t best, uint32_t launches, const uint64_t *time) {
  begin(versions);
  for (uint32_t v = 0; v < versions; v++)
    lin_trial_remember(&trial, v, 0, 0, &firsts[v]);
  lin_trial_resume(&trial, &ledger, best, firsts[0].launches > 0);
  for (uint32_t i = 0; i < launches; i++) {
    uint64_t now[LIN_VERSIONS_MOST];
    for (uint32_t v = 0; v < versions; v++)
      now[v] = time[v] * (1 + i * 7 % 5);
    launch(now);
  }
  for (uint32_t v = 0; v < versions; v++)
    firsts[v] = trial.version[v].first;
}

static bool is_faster(uint32_t version, uint32_t other) {
  lin_pairs p = lin_first_pairs(&firsts[version], &firsts[other]);
  return lin_pairs_agree(&p);
}

// One launch a run: each takes one version more. Of nine launches the slower versions have one.
static void test_few(void) {
  const uint64_t time[] = {1000 * US, 2000 * US, 500 * US, 800 * US};
  memset(firsts, 0, sizeof firsts);
  for (uint32_t r = 0; r < 4; r++) {
    run_few(4, 0, 1, time);
    EXPECT(launched[r] == 1 && timed == 1);
  }
  EXPECT(is_faster(2, 0) && is_faster(3, 0) && is_faster(2, 3) && !is_faster(1, 0));
  run_few(4, 2, 1, time);
  EXPECT(launched[2] == 1);
  memset(firsts, 0, sizeof firsts);
  run_few(4, 0, 9, time);
  EXPECT(launched[0] == 9);
  run_few(4, 0, 9, time);
  EXPECT(launched[1] == 1 && launched[0] == 8 && ledger.spent > 900 * US);
  run_few(4, 0, 9, time);
  EXPECT(launched[2] == 9 && is_faster(2, 0));
  run_few(4, 2, 9, time);
  EXPECT(launched[3] == 1 && launched[2] == 8);
  run_few(4, 2, 9, time);
  EXPECT(launched[2] == 9 && timed == 9);
  // A run that is longer than all before goes on as any does.
  run_few(4, 2, 500, time);
  EXPECT(launched[2] > 480 && timed < 150 && !trial.is_few);
}

// 24 launches of 12 us to 58 ms, of which medians say nothing: four runs find the version that
// takes 0.8 of the time, and none is slower by more than the launch that tried the slow one.
static void test_uneven(void) {
  const uint64_t percent[] = {100, 130, 80};
  memset(firsts, 0, sizeof firsts);
  uint32_t best = 0, launches_of_best = 0;
  for (uint32_t r = 0; r < 5; r++) {
    uint64_t plain = 0, took = 0;
    begin(3);
    for (uint32_t v = 0; v < 3; v++)
      lin_trial_remember(&trial, v, 0, 0, &firsts[v]);
    lin_trial_resume(&trial, &ledger, best, r > 0);
    for (uint32_t i = 0; i < 24; i++) {
      uint64_t work = i % 3 == 1 ? 58000 * US / (1 + i / 3) : (12 + 40 * i) * US, time[3];
      for (uint32_t v = 0; v < 3; v++)
        time[v] = work * percent[v] / 100;
      plain += time[0];
      took += time[launch(time).version];
    }
    EXPECT(took * 100 <= plain * 102);
    for (uint32_t v = 0; v < 3; v++)
      firsts[v] = trial.version[v].first;
    best = is_faster(2, 0) ? 2 : is_faster(1, 0) ? 1 : 0;
    launches_of_best = launched[2];
  }
  EXPECT(best == 2 && launches_of_best == 24);
}

// 200 launches of 0.6 to 7.2 ms: medians tell nothing, and what changes all the time is tried anew
// all the time. The first launches of two runs decide.
static void test_many_uneven(void) {
  memset(firsts, 0, sizeof firsts);
  uint32_t best = 0, launches_of_best = 0;
  for (uint32_t r = 0; r < 4; r++) {
    begin(2);
    for (uint32_t v = 0; v < 2; v++)
      lin_trial_remember(&trial, v, 0, 0, &firsts[v]);
    lin_trial_resume(&trial, &ledger, best, r > 0 && lin_first_is_uneven(&firsts[0]));
    EXPECT(r == 0 || trial.is_few);
    for (uint32_t i = 0; i < 200; i++) {
      const uint64_t work = 600 * US * (i % 12 + 1);
      launch((uint64_t[]){work, work / 2});
    }
    for (uint32_t v = 0; v < 2; v++)
      firsts[v] = trial.version[v].first;
    best = is_faster(1, 0) ? 1 : 0;
    launches_of_best = launched[1];
  }
  EXPECT(best == 1 && launches_of_best == 200);
  lin_first even = {.launches = 100};
  for (uint32_t i = 0; i < LIN_FIRST; i++)
    even.time[i] = 1000 + i % 5 * 100;
  EXPECT(!lin_first_is_uneven(&even));
  even.time[7] = 9000; // one in 32
  EXPECT(!lin_first_is_uneven(&even));
  for (uint32_t i = 0; i < LIN_FIRST; i += 2)
    even.time[i] = 3000;
  EXPECT(lin_first_is_uneven(&even));
}

// Versions that come while the program runs: launches have the numbers that they have in the next
// run.
static void test_follow(void) {
  const uint64_t time[] = {1000 * US, 500 * US};
  lin_trial before;
  memset(firsts, 0, sizeof firsts);
  begin(1);
  launch_times(10, time);
  before = trial;
  begin(2);
  lin_trial_follow(&trial, &before, 10 - before.number);
  EXPECT(trial.number == 10 && trial.version[0].first.time[0] > 900 * US);
  launch_times(1, time);
  EXPECT(trial.number == 11 && launched[0] == 1);
  launch_times(100, time);
  EXPECT(trial.best == 1);
}

// A version that is banned is no challenger, and none is that needs something made.
static void test_few_banned(void) {
  const uint64_t time[] = {1000 * US, 500 * US, 800 * US};
  memset(firsts, 0, sizeof firsts);
  run_few(3, 0, 1, time);
  begin(3);
  lin_trial_is_made_for(&trial, 1);
  lin_trial_remember(&trial, 0, 0, 0, &firsts[0]);
  lin_trial_resume(&trial, &ledger, 0, true);
  EXPECT(trial.challenger == 2);
  lin_trial_remember(&trial, 2, 800 * US, 5, &nothing_first); // by linearize-tune
  lin_trial_resume(&trial, &ledger, 0, true);
  EXPECT(trial.challenger == LIN_NO_VERSION);
  lin_trial_remember(&trial, 2, 800 * US, 4, &nothing_first);
  lin_trial_resume(&trial, &ledger, 0, true);
  EXPECT(trial.challenger == 2);
  lin_trial_ban(&trial, &ledger, 2);
  launch_times(1, time);
  EXPECT(launched[0] == 1);
}

int main(void) {
  test_times();
  test_ranks();
  test_faster();
  test_slower();
  test_ledger();
  test_kept();
  test_change();
  test_close();
  test_decided();
  test_banned();
  test_lost();
  test_late();
  test_rotation();
  test_resume();
  test_credit();
  test_queued();
  test_other_data();
  test_few();
  test_uneven();
  test_many_uneven();
  test_follow();
  test_few_banned();
  return expect_end();
}
