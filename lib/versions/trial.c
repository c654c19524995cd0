#include "trial.h"

#include <stddef.h>
#include <string.h>

enum {
  // ns that a timed launch takes longer on the CPU than one that isn't (bench/device/launches), and
  // the share of the kernels' time that timing them may take once all is found: one in 200.
  TIMED = 6000,
  TIMED_SHARE = 200,
  LEAST_PERIOD = 16, // launches, of which one is timed
  MOST_PERIOD = 32,

  SELDOM_SHARE = 500, // and of what was slower before
  GUESS = 32,      // %, of what was never tried: 0.76 times as fast, the slowest of docs/results.md
  FAR_GUESS = 200, // %, of what was far slower, before the data changed
  MAKING = 210,    // %, of a kernel's time, that making something takes (bench/device/redirect)
  MAKING_FIXED = 100000, // ns: the least that a sort took there
  MAKING_SHARE = 10,     // a kernel has run for so many times what is made for it will take
  MOST_BELOW = 16,       // in a row: there is no long kind any more
  LEAST_BESTS = 6,       // times of the best version before others are tried
  LEAST_PAIRS = 5,
  MOST_PAIRS = 12,
  CLOSE_WAIT = 2, // periods
  MOST_WAIT = 512,

  CHANGE_RUN = 3,    // times in a row that show a change, by
  CHANGE = 15,       // %
  CHANGE_BEFORE = 5, // that are known of before, at least
  DRIFT_RUN = 8,
  DRIFT = 25, // %

  MOST_LOST = 64,
};

// ---- small questions

size_t lin_trial_size(uint32_t versions) {
  return offsetof(lin_trial, version) + versions * sizeof(lin_contender);
}

static const lin_times *best_times(const lin_trial *t) { return &t->version[t->best].times; }

// Of launches of all kinds, with care: the median, or the mean where that is less; 0: nothing is
// known.
static uint64_t mean_time(const lin_trial *t) {
  const lin_times *times = best_times(t);
  uint32_t kept = lin_times_kept(times);
  uint64_t sum = 0, median = lin_times_median(times, 0);
  for (uint32_t age = 0; age < kept; age++)
    sum += lin_times_at(times, age);
  if (kept == 0)
    return t->version[t->best].known;
  uint64_t mean = sum / kept;
  return (mean < median ? mean : median) * (t->longs + 1) / (t->longs + t->shorts + 1);
}

// 0: nothing is known.
static uint64_t best_time(const lin_trial *t) {
  const lin_contender *best = &t->version[t->best];
  return best->times.count > 0 ? lin_times_median(&best->times, 0) : best->known;
}

// The best version's times, or those of earlier runs where a program is far ahead of the GPU.
static bool is_best_known(const lin_trial *t) {
  bool is_ahead = t->number > LEAST_BESTS + 1 && t->version[t->best].earlier >= LEAST_BESTS;
  return best_times(t)->count >= LEAST_BESTS || (is_ahead && t->version[t->best].known > 0);
}

// What a launch of the version will probably take longer than one of the best. The launch at hand
// may be one of those that take long.
static uint64_t extra(const lin_trial *t, uint32_t version) {
  const lin_times *times = &t->version[version].times;
  if (times->count > 0)
    return lin_above(lin_times_median(times, 0), best_time(t));
  if (t->version[version].known > 0 && t->version[t->best].known > 0)
    return lin_above(t->version[version].known, t->version[t->best].known);
  uint64_t large = lin_times_large(best_times(t), 0, 0);
  return (large > 0 ? large : best_time(t)) * (t->version[version].was_far ? FAR_GUESS : GUESS) /
         100;
}

// What has to be made for a launch of it. The first time all is done twice: what makes it is tried
// out before (tools/versions/orders.c).
static uint64_t making(const lin_trial *t, uint32_t version) {
  const lin_contender *c = &t->version[version];
  if (c->is_made_for && c->once == 0)
    return 2 * (best_time(t) * MAKING / 100 + MAKING_FIXED);
  return c->age >= LIN_KEPT ? c->once : 0;
}

static uint64_t cost(const lin_trial *t, uint32_t version) {
  return extra(t, version) + making(t, version);
}

// What is missing in the ledger for that; 0: nothing is. What is faster costs nothing.
static uint64_t missing(const lin_ledger *l, uint64_t cost) {
  return cost == 0 ? 0 : lin_above((l->spent + l->reserved + cost) * LIN_SHARE, l->time);
}

bool lin_ledger_allows(const lin_ledger *l, uint64_t cost) { return missing(l, cost) == 0; }

uint64_t lin_trial_usual(const lin_trial *t) {
  const uint64_t time = best_time(t);
  return time > 0 ? time : t->cold;
}

// ---- beginning, and beginning again

static void release(lin_trial *t, lin_ledger *l, uint64_t reserved) {
  l->reserved -= reserved;
  t->reserved -= reserved;
  if (--t->in_flight > 0)
    return;
  t->pending = LIN_NO_VERSION;
  t->asked = 0;
}

static void release_all(lin_trial *t, lin_ledger *l) {
  if (t->pending == LIN_NO_VERSION)
    return;
  t->in_flight = 1;
  release(t, l, t->reserved);
}

static void end_duel(lin_trial *t) {
  t->rival = LIN_NO_VERSION;
  t->turns = 0;
}

static void begin_duel(lin_trial *t, uint32_t version) {
  t->version[version].rank = LIN_OPEN;
  t->rival = version;
  t->turns = 0;
  t->rivals = t->bests = (lin_times){.count = 0};
}

// Turns follow the sequence of Thue and Morse, so that work that recurs falls to both.
static bool is_rivals_turn(const lin_trial *t) {
  return t->rival != LIN_NO_VERSION && __builtin_parity(t->turns) == 0;
}

static bool is_bests_turn(const lin_trial *t) {
  return t->rival != LIN_NO_VERSION && __builtin_parity(t->turns) != 0;
}

void lin_trial_begin(lin_trial *t, uint32_t versions) {
  memset(t, 0, lin_trial_size(versions));
  t->versions = versions;
  t->pending = t->challenger = LIN_NO_VERSION;
  end_duel(t);
}

void lin_trial_is_made_for(lin_trial *t, uint32_t version) {
  t->version[version].is_made_for = true;
}

void lin_trial_rotate(lin_trial *t, uint32_t first) {
  t->is_rotating = true;
  t->turns = first % t->versions;
}

void lin_trial_decide(lin_trial *t, uint32_t best) {
  t->best = best;
  t->is_decided = true;
}

// The best version's newest times are all that is known of the data as they are now.
static void forget(lin_trial *t, lin_ledger *l, uint32_t newest) {
  lin_times before = *best_times(t);
  release_all(t, l);
  end_duel(t);
  t->phase++;
  t->floor = 0;
  t->below = t->longs = t->shorts = 0;
  t->hurry = 0;
  for (uint32_t i = 0; i < t->versions; i++) {
    const lin_contender *c = &t->version[i];
    t->version[i] = (lin_contender){.rank = c->rank == LIN_BANNED ? LIN_BANNED : LIN_UNTRIED,
                                    .was_far = c->rank == LIN_FAR || c->was_far,
                                    .is_made_for = c->is_made_for,
                                    .once = c->once,
                                    .age = c->age,
                                    .measured = c->measured,
                                    .first = c->first};
  }
  for (uint32_t age = newest; age > 0; age--)
    lin_times_add(&t->version[t->best].times, lin_times_at(&before, age - 1));
  t->usual = best_time(t);
}

void lin_trial_ban(lin_trial *t, lin_ledger *l, uint32_t version) {
  t->version[version].rank = LIN_BANNED;
  if (t->challenger == version)
    t->challenger = LIN_NO_VERSION;
  if (t->pending == version)
    release_all(t, l);
  if (t->rival == version && !t->is_rotating)
    end_duel(t);
  if (t->best == version) {
    t->best = 0;
    t->from = t->number;
    t->is_decided = false;
    forget(t, l, 0);
  }
}

// ---- what to launch

static bool is_candidate(const lin_trial *t, uint32_t version) {
  const lin_contender *c = &t->version[version];
  if (version == t->best || c->since < c->wait || t->ran < making(t, version) * MAKING_SHARE)
    return false;
  if (c->rank == LIN_SLOWER || (c->rank == LIN_CLOSE && c->once > 0))
    return cost(t, version) * SELDOM_SHARE <= best_time(t) * c->since;
  return c->rank == LIN_UNTRIED || c->rank == LIN_CLOSE;
}

// What was never tried comes first, the cheapest of it; then what has waited longest.
static bool is_before(const lin_trial *t, uint32_t version, uint32_t other) {
  const lin_contender *a = &t->version[version], *b = &t->version[other];
  if (a->rank == LIN_UNTRIED)
    return b->rank != LIN_UNTRIED || cost(t, version) < cost(t, other);
  return b->rank != LIN_UNTRIED && a->since > b->since;
}

static uint32_t next_candidate(const lin_trial *t) {
  uint32_t found = LIN_NO_VERSION;
  for (uint32_t i = 0; i < t->versions; i++)
    if (is_candidate(t, i) && (found == LIN_NO_VERSION || is_before(t, i, found)))
      found = i;
  return found;
}

static uint32_t least(uint64_t a, uint32_t b) { return a < b ? (uint32_t)a : b; }

// Launches of which one is timed, once nothing is in a hurry.
static uint32_t period(uint64_t time) {
  uint32_t launches = least(time == 0 ? 0 : (uint64_t)TIMED * TIMED_SHARE / time, MOST_PERIOD);
  return launches < LEAST_PERIOD ? LEAST_PERIOD : launches;
}

static lin_turn launch_best(const lin_trial *t, bool is_timed, uint32_t quiet) {
  return (lin_turn){.version = t->best, .is_timed = is_timed, .quiet = quiet, .phase = t->phase};
}

static lin_turn launch_best_in_duel(lin_trial *t) {
  t->turns++;
  return launch_best(t, true, 0);
}

static lin_turn launch_candidate(lin_trial *t, lin_ledger *l, uint32_t version) {
  lin_contender *c = &t->version[version];
  uint64_t reserved = cost(t, version);
  t->pending = version;
  t->in_flight++;
  t->reserved += reserved;
  l->reserved += reserved;
  c->since = 0;
  if (c->rank == LIN_UNTRIED)
    begin_duel(t, version);
  t->turns += t->rival == version;
  return (lin_turn){.version = version,
                    .is_timed = true,
                    .is_try = true,
                    .phase = t->phase,
                    .is_of_duel = t->rival == version,
                    .reserved = reserved};
}

// Once a first time is known, and isn't far off, the duel needn't wait for others: the program may
// launch all that it launches before it waits for any.
static bool may_go_ahead(const lin_trial *t) {
  bool is_near = t->rivals.count > 0 && 2 * lin_times_large(&t->rivals, 0, 0) <= 3 * best_time(t);
  return is_near && t->rival == t->pending && is_rivals_turn(t) &&
         t->rivals.count + t->in_flight < LEAST_PAIRS;
}

// Asks less and less often while the time of a try isn't known: the program may be a thousand
// launches ahead of the GPU.
static lin_turn wait_for_pending(lin_trial *t) {
  return is_bests_turn(t) ? launch_best_in_duel(t)
                          : launch_best(t, false, least(t->asked++ / 4, MOST_PERIOD));
}

// Nothing is to be tried for so many launches, or as many as go untimed: one is timed, and with the
// next one asked, who may know its time by then.
static lin_turn go_on(lin_trial *t, uint64_t launches) {
  t->is_told = !t->is_told;
  return t->is_told ? launch_best(t, true, 0)
                    : launch_best(t, false, least(launches, period(best_time(t)) - 2));
}

static void count(lin_trial *t, lin_ledger *l, uint32_t launches) {
  uint64_t time = mean_time(t);
  t->launches += launches;
  for (uint32_t i = 0; i < t->versions; i++) {
    t->version[i].since += launches;
    t->version[i].age += launches;
  }
  if (time == 0)
    return;
  l->time += time * t->launches;
  t->ran += time * t->launches;
  t->launches = 0;
}

uint64_t lin_trial_time(const lin_trial *t) {
  const uint64_t time = mean_time(t);
  return t->ran + (time > 0 ? time : t->cold) * t->launches;
}

int64_t lin_trial_saved(const lin_trial *t) {
  const lin_contender *plain = &t->version[0], *best = &t->version[t->best];
  const lin_pairs pairs = lin_first_pairs(&best->first, &plain->first);
  const uint64_t usual = plain->times.count > 0 ? lin_times_median(&plain->times, 0) : plain->known;
  const int64_t launches = t->number - t->from;
  if (t->best == 0)
    return 0;
  if (t->is_few && pairs.count > 0)
    return ((int64_t)pairs.b - (int64_t)pairs.a) / pairs.count * launches;
  return usual == 0 || best_time(t) == 0 ? 0 : ((int64_t)usual - (int64_t)best_time(t)) * launches;
}

// Its shortest time is compared with the plain version's longest: where launches do different
// work, one of each kind is no sign.
static bool has_no_turn(const lin_trial *t, uint32_t version) {
  const lin_times *times = &t->version[version].times;
  if (t->version[version].rank == LIN_BANNED)
    return true;
  return times->count >= 2 && t->version[0].times.count > 0 &&
         lin_is_far(lin_times_small(times, 0, 0), lin_times_large(&t->version[0].times, 0, 0));
}

// The version of a turn: each round is one rotation of them, backwards or not, by a hash of it.
static uint32_t version_of_turn(const lin_trial *t, uint32_t turn) {
  uint32_t round = turn / t->versions, place = turn % t->versions;
  uint32_t hash = (uint32_t)(round * UINT64_C(0x9e3779b97f4a7c15) >> 32);
  if (round == 0)
    return place;
  place = (hash & 1) != 0 ? t->versions - 1 - place : place;
  return (place + (hash >> 8)) % t->versions;
}

static lin_turn rotate(lin_trial *t) {
  uint32_t version;
  do
    version = version_of_turn(t, t->turns++);
  while (version != 0 && has_no_turn(t, version));
  return (lin_turn){
      .version = version, .is_timed = true, .is_try = version != 0, .phase = t->phase};
}

// What pairs say of the first launches holds for those that follow.
static void end_few(lin_trial *t) {
  const uint32_t best = lin_trial_of_few(t);
  t->is_few = false;
  if (best == t->best)
    return;
  t->best = best;
  t->from = t->number;
  t->usual = 0;
}

static lin_turn choose(lin_trial *t, lin_ledger *l, uint32_t launches) {
  if (t->is_rotating)
    return rotate(t);
  if (t->is_decided)
    return launch_best(t, false, UINT32_MAX);
  count(t, l, launches);
  if (t->versions == 1) // for versions that may come
    return t->number <= LIN_FIRST ? launch_best(t, true, 0) : go_on(t, MOST_PERIOD);
  if (t->is_few && t->number > LIN_FIRST)
    end_few(t);
  if (t->is_few)
    return (lin_turn){
        .version = lin_trial_of_few(t), .is_timed = true, .phase = t->phase, .is_of_few = true};
  if (t->pending != LIN_NO_VERSION && !may_go_ahead(t))
    return wait_for_pending(t);
  if (!is_best_known(t))
    return launch_best(t, true, 0);
  if (t->hurry > 0) {
    t->hurry--;
    return launch_best(t, true, 0);
  }
  if (is_bests_turn(t))
    return launch_best_in_duel(t);
  uint32_t candidate = t->rival != LIN_NO_VERSION ? t->rival : next_candidate(t);
  if (candidate == LIN_NO_VERSION)
    return go_on(t, MOST_PERIOD);
  uint64_t not_there = missing(l, cost(t, candidate));
  return not_there > 0 ? go_on(t, not_there / best_time(t)) : launch_candidate(t, l, candidate);
}

lin_turn lin_trial_next(lin_trial *t, lin_ledger *l, uint32_t launches) {
  t->number = least((uint64_t)t->number + launches, UINT32_MAX);
  lin_turn turn = choose(t, l, launches);
  turn.number = t->number;
  return turn;
}

// ---- what the times say

static void give_up(lin_trial *t, uint32_t version, lin_standing rank) {
  lin_contender *c = &t->version[version];
  c->rank = rank;
  c->wait = rank == LIN_CLOSE ? CLOSE_WAIT * period(best_time(t)) : LIN_SLOWER_WAIT;
  if (t->rival == version)
    end_duel(t);
}

// What was close to the best one before, or a little slower, needn't be to this one.
static void take_over(lin_trial *t, uint32_t version) {
  end_duel(t);
  give_up(t, t->best, LIN_SLOWER);
  t->version[t->best].since = 0;
  t->best = version;
  t->from = t->number;
  t->usual = best_time(t);
  for (uint32_t i = 0; i < t->versions; i++) {
    lin_contender *c = &t->version[i];
    bool was_near = i != version && (c->rank == LIN_CLOSE || c->rank == LIN_SLOWER);
    if (was_near && lin_is_far(lin_times_median(&c->times, 0), t->usual))
      c->rank = LIN_FAR;
    else if (c->rank == LIN_CLOSE && lin_times_compare(&c->times, best_times(t)) > 0)
      give_up(t, i, LIN_SLOWER);
  }
}

// The very first launch takes longer: code and data aren't where they will be. That of another
// version may, too, by as much, or by half of what a launch takes.
static uint64_t without_cold(const lin_trial *t, uint64_t time, uint64_t best) {
  uint64_t cold = t->phase == 0 ? lin_above(t->cold, best) : 0;
  return lin_above(time, cold < best / 2 ? cold : best / 2);
}

// Launches that take much longer now and then happen to any version.
static bool has_tails(const lin_trial *t, uint64_t best) {
  return 2 * lin_times_large(best_times(t), 0, 0) >= 3 * best;
}

static lin_standing judge_first(const lin_trial *t, uint64_t time, uint64_t best) {
  uint64_t most = lin_times_large(best_times(t), 0, 0);
  time = without_cold(t, time, best);
  if (has_tails(t, best))
    return LIN_OPEN;
  if (lin_is_far(time, best)) // or a launch of another kind
    return time > LIN_KINDS_APART * best ? LIN_SLOWER : LIN_FAR;
  return time > most + (most - best) && 10 * time >= 11 * best ? LIN_SLOWER : LIN_OPEN;
}

static lin_standing judge_second(const lin_trial *t, uint64_t best) {
  uint64_t time = lin_times_small(&t->rivals, 0, 0);
  if (lin_is_far(time, best))
    return LIN_FAR;
  bool is_slow = time > lin_times_large(best_times(t), 0, 1) && 20 * time >= 21 * best;
  return is_slow ? LIN_SLOWER : LIN_OPEN;
}

// After the rival's turn.
static void judge_rival(lin_trial *t) {
  uint64_t best = best_time(t);
  lin_standing rank = LIN_OPEN;
  if (t->rivals.count == 1)
    rank = judge_first(t, lin_times_at(&t->rivals, 0), best);
  else if (t->rivals.count == 2)
    rank = judge_second(t, best);
  if (rank != LIN_OPEN)
    give_up(t, t->rival, rank);
}

// After anybody's turn.
static void judge_duel(lin_trial *t) {
  uint32_t pairs = t->rivals.count < t->bests.count ? t->rivals.count : t->bests.count;
  if (t->rival == LIN_NO_VERSION || pairs < LEAST_PAIRS)
    return;
  int order = lin_times_compare(&t->rivals, &t->bests);
  if (order < 0)
    take_over(t, t->rival);
  else if (order > 0)
    give_up(t, t->rival, LIN_SLOWER);
  else if (pairs >= MOST_PAIRS)
    give_up(t, t->rival, LIN_CLOSE);
}

// Of versions that are as fast, a median of three times is above a fourth as often as below. The
// lead has to be three standard deviations of a walk of so many steps, and three steps for their
// first ones.
static void compare_close(lin_trial *t, uint32_t version, uint64_t time) {
  lin_contender *c = &t->version[version];
  lin_times last = {.count = 0};
  for (uint32_t age = 0; age < 3; age++)
    lin_times_add(&last, lin_times_at(best_times(t), age));
  uint64_t best = lin_times_median(&last, 0);
  c->lead += (time < best) - (time > best);
  c->compared++;
  int64_t lead = (c->lead < 0 ? -c->lead : c->lead) - 3;
  bool is_sure = lead > 0 && lead * lead >= 9 * (int64_t)c->compared;
  if (is_sure && c->lead > 0)
    take_over(t, version);
  else if (is_sure || lin_times_compare(&c->times, best_times(t)) > 0)
    give_up(t, version, LIN_SLOWER);
}

static void try_again(lin_trial *t, uint32_t version, uint64_t time) {
  lin_contender *c = &t->version[version];
  if (time < best_time(t))
    begin_duel(t, version);
  else if (lin_is_far(time, best_time(t)) && !has_tails(t, best_time(t)))
    give_up(t, version, LIN_FAR);
  else
    c->wait = least(2 * (uint64_t)c->wait, MOST_WAIT);
}

static void took_try(lin_trial *t, lin_ledger *l, lin_turn turn, uint64_t time, uint64_t once) {
  lin_contender *c = &t->version[turn.version];
  release(t, l, turn.reserved);
  lin_times_add(&c->times, time);
  l->spent += lin_above(lin_times_median(&c->times, 0), best_time(t)) + once;
  if (t->rival == turn.version) {
    lin_times_add(&t->rivals, time);
    judge_rival(t);
    judge_duel(t);
  } else if (turn.is_of_duel) { // which was decided meanwhile
    return;
  } else if (c->rank == LIN_CLOSE) {
    compare_close(t, turn.version, time);
  } else {
    try_again(t, turn.version, time);
  }
}

// ---- two kinds of launches

lin_times lin_trial_times(const lin_trial *t, uint32_t version) {
  uint64_t floor = t->is_rotating ? lin_times_floor(&t->version[0].times) : 0;
  return lin_times_from(&t->version[version].times, floor);
}

// From now on only the long kind, which nearly all of the time goes into, is looked at.
static void tell_kinds_apart(lin_trial *t) {
  lin_times all = *best_times(t);
  uint64_t floor = all.count >= LEAST_BESTS ? lin_times_floor(&all) : 0;
  if (floor == 0)
    return;
  lin_times long_ones = lin_times_from(&all, floor);
  t->floor = floor;
  t->usual = 0;
  t->longs = lin_times_kept(&long_ones);
  t->shorts = lin_times_kept(&all) - t->longs;
  t->version[t->best].times = long_ones;
}

// Whether the launch was of the short kind, beside a long one: it tells nothing.
static bool is_of_short_kind(lin_trial *t, lin_ledger *l, uint64_t time) {
  bool is_short = time < t->floor;
  if (t->floor > 0) {
    t->longs += !is_short;
    t->shorts += is_short;
  }
  t->below = is_short ? t->below + 1 : 0;
  if (t->below > LIN_KINDS_CROSSINGS)
    t->hurry = 1;
  if (t->below == MOST_BELOW)
    forget(t, l, 0);
  return is_short;
}

// ---- what changes

// Whether a time is above, or below, what it usually is, by so many percent.
static bool is_off(uint64_t time, uint64_t usual, uint32_t percent, bool is_above) {
  return is_above ? time * 100 > usual * (100 + percent) : time * (100 + percent) < usual * 100;
}

// How many of the newest times, up to CHANGE_RUN, are off, and out of what was seen before: beyond
// the second of these by as much as that is from their median.
static uint32_t count_off(const lin_trial *t, bool is_above) {
  const lin_times *times = best_times(t);
  uint64_t median = lin_times_median(times, CHANGE_RUN);
  uint64_t edge =
      is_above ? lin_times_large(times, CHANGE_RUN, 1) : lin_times_small(times, CHANGE_RUN, 1);
  uint32_t run = 0;
  for (; run < CHANGE_RUN; run++) {
    uint64_t time = lin_times_at(times, run);
    bool is_out = is_above ? time > 2 * edge - median : time + median < 2 * edge;
    if (!is_out || !is_off(time, t->usual, CHANGE, is_above))
      break;
  }
  return run;
}

static bool has_drifted(const lin_trial *t, bool is_above) {
  for (uint32_t age = 0; age < DRIFT_RUN; age++)
    if (!is_off(lin_times_at(best_times(t), age), t->usual, DRIFT, is_above))
      return false;
  return true;
}

static void look_for_change(lin_trial *t, lin_ledger *l) {
  uint32_t count = best_times(t)->count;
  if ((t->usual == 0 && count >= LEAST_BESTS) || count == LIN_TIMES)
    t->usual = best_time(t);
  if (t->usual == 0 || count < CHANGE_RUN + CHANGE_BEFORE)
    return;
  uint32_t slower = count_off(t, true), faster = count_off(t, false);
  uint32_t run = slower > faster ? slower : faster;
  if (run == CHANGE_RUN || has_drifted(t, true) || has_drifted(t, false))
    forget(t, l, CHANGE_RUN);
  else if (run > 0)
    t->hurry = CHANGE_RUN - run;
}

static void took_best(lin_trial *t, lin_ledger *l, uint64_t time) {
  if (t->cold == 0) {
    t->cold = time;
    return;
  }
  lin_times_add(&t->version[t->best].times, time);
  if (t->rival != LIN_NO_VERSION) {
    lin_times_add(&t->bests, time);
    judge_duel(t);
  } else if (t->floor == 0) {
    tell_kinds_apart(t);
  }
  look_for_change(t, l);
}

static void took_turn(lin_trial *t, uint32_t version, uint64_t time) {
  if (t->heard++ == 0)
    t->cold = time;
  else
    lin_times_add(&t->version[version].times, time);
}

// The best one of these goes on to be it where there are more launches than ever before.
static void took_few(lin_trial *t, lin_ledger *l, lin_turn turn, uint64_t time) {
  const lin_first *best = &t->version[t->best].first;
  if (turn.number > 1)
    lin_times_add(&t->version[turn.version].times, time);
  if (turn.version != t->best && turn.number <= LIN_FIRST)
    l->spent += lin_above(time, best->time[turn.number - 1]);
}

static bool is_of_this_phase(const lin_trial *t, lin_turn turn) {
  return turn.phase == t->phase && !t->is_decided &&
         turn.version == (turn.is_try ? t->pending : t->best);
}

void lin_trial_took(lin_trial *t, lin_ledger *l, lin_turn turn, uint64_t time, uint64_t once) {
  lin_contender *c = &t->version[turn.version];
  uint64_t made = c->once == 0 ? 2 * once : once;
  t->lost = 0;
  time = time == 0 ? 1 : time;
  c->measured++;
  lin_first_add(&c->first, turn.number, time);
  if (once > 0) {
    c->once = once;
    c->age = 0;
  }
  if (t->is_rotating) {
    took_turn(t, turn.version, time);
    return;
  }
  t->heard++;
  if (turn.is_of_few)
    took_few(t, l, turn, time);
  if (turn.is_of_few || !is_of_this_phase(t, turn))
    return;
  if (is_of_short_kind(t, l, time))
    lin_trial_disturbed(t, l, turn);
  else if (turn.is_try)
    took_try(t, l, turn, time, made);
  else
    took_best(t, l, time);
}

void lin_trial_disturbed(lin_trial *t, lin_ledger *l, lin_turn turn) {
  if (turn.is_try && is_of_this_phase(t, turn))
    release(t, l, turn.reserved);
}

void lin_trial_lost(lin_trial *t, lin_ledger *l, lin_turn turn) {
  if (++t->lost >= MOST_LOST) {
    t->is_decided = true;
    t->is_rotating = false;
  }
  if (turn.phase != t->phase || !turn.is_try || turn.version != t->pending)
    return;
  release(t, l, turn.reserved);
  t->version[turn.version].was_far = true;
  l->spent += best_time(t) * FAR_GUESS / 100;
  give_up(t, turn.version, LIN_SLOWER);
}
