// A launch, by whichever version is best:
//
//     program ── cuLaunchKernel ──▶ has its kernel versions?  no ─────────────────▶ the driver's
//                                     │ yes
//                                     ▼
//              a launch that asks nobody? yes ── the best version so far ─────────▶ the driver's
//                                     │ no                                             │
//                                     ▼                                     fails? ────┘
//              times that are known by now                      the plain one is launched, and
//                │                                              that version isn't tried again
//                └─▶ trial ─▶ a version, timed or not
//                              │ takes an order of threads (orders.h)? it is made first;
//                              │ takes a counter (counters.h)? it is cleared first;
//                              └─ there is none now: the plain one
//
// Where other streams are at work, one launch in 16 is made to run alone (alone.h).
// Launches of a stream that is captured, with attributes (clusters, cooperative ones), and of
// graphs are the plain version's.
#define _POSIX_C_SOURCE 200809L

#include "choose.h"

#include "activity.h"
#include "check.h"
#include "counters.h"
#include "found.h"
#include "kernels.h"
#include "orders.h"
#include "settings.h"
#include "silence.h"
#include "sizes.h"
#include "timing.h"
#include "verdict.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static const gpu *_Atomic gpu_of_times; // the driver that launches are timed by, or NULL

// ---- what was chosen ---------------------------------------------------------------------------

static void tell_choice(const kernel *k, const shape *s, uint32_t before, uint32_t phase) {
  const lin_trial *t = &s->trial;
  if (t->best == before && t->phase == phase)
    return;
  settings_log("%s, grid %u %u %u, block %u %u %u, launch %llu: %s%s, %.3f us; %s took %.3f us",
               k->symbol, s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1], s->block[2],
               (unsigned long long)s->launches, k->name[t->best],
               t->phase != phase ? ", all are tried anew" : "",
               (double)lin_times_median(&t->version[t->best].times, 0) / 1e3, k->name[before],
               (double)lin_times_median(&t->version[before].times, 0) / 1e3);
}

static void heard(kernel *k, shape *s, uint32_t before, uint32_t phase) {
  if (s->trial.best != before) {
    atomic_store(&s->best, s->trial.best);
    s->shares.count = 0;
  }
  if (lin_trial_usual(&s->trial) > 0)
    atomic_store(&s->usual, lin_trial_usual(&s->trial));
  tell_choice(k, s, before, phase);
  if (k->waits)
    kernels_wait(k);
}

// Versions that the driver refused, or that can't stand in for the plain one.
static void ban(const kernel *k, shape *s) {
  uint32_t versions = atomic_exchange(&s->failed, 0) | k->banned;
  for (uint32_t v = 1; v < k->versions; v++) {
    if ((versions >> v & 1) == 0 || s->trial.version[v].rank == LIN_BANNED)
      continue;
    lin_trial_ban(&s->trial, &kernels_ledger, v);
    settings_log("%s, grid %u %u %u, block %u %u %u: %s can't be launched", k->symbol, s->grid[0],
                 s->grid[1], s->grid[2], s->block[0], s->block[1], s->block[2], k->name[v]);
  }
}

static bool takes_order(const kernel *k, uint32_t version) {
  return (k->takes_order >> version & 1) != 0;
}

static bool takes_counter(const kernel *k, uint32_t version) {
  return (k->takes_counter >> version & 1) != 0;
}

// In that shape, that stream.
static bool can_be_launched(const launch *l, kernel *k, shape *s, uint32_t version) {
  uint64_t threads = (uint64_t)s->block[0] * s->block[1] * s->block[2];
  return version == 0 ||
         (kernels_prepare(k, version) && threads <= (uint64_t)k->most_threads[version] &&
          (!takes_order(k, version) || (orders_may_be_of(k, l) && orders_prepare(k, s, version))) &&
          (!takes_counter(k, version) ||
           (orders_may_be_of(k, l) && counters_prepare(k, s, version))));
}

// ---- launching ---------------------------------------------------------------------------------

static bool is_captured(const gpu *g, const launch *l) {
  int status = 0;
  return g->cuStreamIsCapturing(gpu_stream(g, l->shape.stream), &status) != DRIVER_SUCCESS ||
         status != 0;
}

// Where the version's launch failed, the plain one's status is what the program gets. If that
// succeeds, the version was to blame.
static int launch_plain_instead(const launch *l, shape *s, uint32_t version) {
  int status = launch_do(l, l->kernel);
  if (status == DRIVER_SUCCESS) {
    atomic_fetch_or(&s->failed, 1U << version);
    atomic_store(&s->best, 0);
    atomic_store(&s->quiet, 0);
  }
  return status;
}

// Where there is no order for it now, nothing is launched.
static bool try_version(const launch *l, kernel *k, shape *s, uint32_t version, timing *t,
                        int *status) {
  if (k->making != NULL && !making_refresh(k->making, gpu_stream(k->gpu, l->shape.stream)))
    return false;
  if (takes_order(k, version))
    return orders_launch(l, k, s, version, t, status);
  if (takes_counter(k, version))
    return counters_launch(l, k, version, status);
  *status = launch_do(l, k->function[version]);
  return true;
}

static int launch_version(const launch *l, kernel *k, shape *s, uint32_t version) {
  int status;
  if (version == 0 || is_captured(k->gpu, l) || !try_version(l, k, s, version, NULL, &status))
    return launch_do(l, l->kernel);
  return status == DRIVER_SUCCESS ? status : launch_plain_instead(l, s, version);
}

static int launch_timed(const launch *l, kernel *k, shape *s, timing *t, uint32_t version) {
  int status;
  if (!timing_start(t, k->gpu, l))
    return launch_version(l, k, s, 0);
  bool is_launched = try_version(l, k, s, version, t, &status);
  timing_end(t, k->gpu, l, is_launched && status == DRIVER_SUCCESS);
  if (!is_launched)
    return launch_version(l, k, s, 0);
  return status == DRIVER_SUCCESS || version == 0 ? status : launch_plain_instead(l, s, version);
}

// ---- asking ------------------------------------------------------------------------------------

static bool is_current(const kernel *k) {
  void *context;
  return k->gpu->cuCtxGetCurrent(&context) == DRIVER_SUCCESS && context == k->context;
}

// Launches that asked nobody since the last one that did, and this one.
static uint32_t count_launches(shape *s) {
  uint32_t launches = (uint32_t)s->granted + atomic_exchange(&s->uncounted, 0) + 1;
  s->launches += launches;
  s->granted = 0;
  return launches;
}

static void grant(shape *s, uint32_t quiet) {
  s->granted = quiet > INT_MAX ? INT_MAX : (int)quiet;
  atomic_store(&s->best, s->trial.best);
  atomic_store(&s->until, s->launches + (uint64_t)s->granted);
  atomic_store(&s->quiet, s->granted);
}

// A version that wasn't launched before may turn out not to stand in for the plain one.
static lin_turn next_turn(const launch *l, kernel *k, shape *s) {
  lin_turn turn;
  uint32_t launches = count_launches(s);
  do {
    turn = lin_trial_next(&s->trial, &kernels_ledger, launches);
    launches = 0;
    if (!can_be_launched(l, k, s, turn.version))
      atomic_fetch_or(&s->failed, 1U << turn.version);
    ban(k, s);
  } while (s->trial.version[turn.version].rank == LIN_BANNED);
  return turn;
}

// The version that is best has to be one that can be launched, which the first one isn't known to
// be.
static uint32_t best_of(const launch *l, kernel *k, shape *s) {
  if (!can_be_launched(l, k, s, s->trial.best)) {
    atomic_fetch_or(&s->failed, 1U << s->trial.best);
    ban(k, s);
  }
  return s->trial.best;
}

// Launches that are under way at the same time tell nothing of each other: what is best by then
// goes on, and a while nobody asks.
enum { QUIET_AMONG_OTHERS = 15 };
static void launch_among_others(const kernel *k, shape *s) {
  enum { MOST_BEFORE_SAID = 64 };
  s->overlapped += 1 + QUIET_AMONG_OTHERS;
  atomic_fetch_add(&s->uncounted, (unsigned)s->granted + 1);
  grant(s, QUIET_AMONG_OTHERS);
  bool is_to_be_said =
      !s->is_overlap_said && s->overlapped >= MOST_BEFORE_SAID && s->trial.heard == 0;
  if (!is_to_be_said)
    return;
  s->is_overlap_said = true;
  settings_log("%s, grid %u %u %u, block %u %u %u: never alone on the GPU, so no version is timed; "
               "it stays with %s",
               k->symbol, s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1], s->block[2],
               k->name[s->trial.best]);
}

// What it costs that a launch of the best version runs alone, as time of all streams: as many
// others as the GPU has room for go on later, by what the launch takes and by what they wait for
// each other before. There is room for as many as the launch's part of the GPU's time among others
// says.
static uint64_t cost_apart(const shape *s, uint64_t time, uint64_t uneven) {
  const uint64_t share = lin_times_median(&s->shares, 0);
  return time <= share ? 0 : (time + uneven) * (16 * time / share - 16) / 16;
}

// How a launch may be timed among others. False: it can't now.
static bool choose_way(const launch *l, const kernel *k, shape *s, timing_way *way,
                       uint32_t *streams) {
  enum { FIRST_SHARES = 2, LATER_SHARES = 8, MOST_UNPAID = 4 };
  uint64_t uneven;
  if (k->waits) { // what it takes in all is asked, and no more
    *way = TIMING_SHARED;
    *streams = activity_streams();
    return *streams > 1;
  }
  *streams = s->trial.is_rotating || !k->ends ? 0 : alone_streams(k->gpu, l, k->context, &uneven);
  if (*streams < 2)
    return false;
  const bool is_known = s->shares.count >= FIRST_SHARES && s->asked_among++ % LATER_SHARES != 0;
  *way = is_known ? TIMING_APART : TIMING_SHARED;
  if (!is_known)
    return true;
  const uint64_t time = atomic_load(&s->usual), cost = cost_apart(s, time, uneven);
  if (uneven > time)
    return false;
  if (lin_trial_usual(&s->trial) == 0) // what it costs is known behind the first one
    return s->timed == 0 && s->unpaid++ < MOST_UNPAID;
  lin_ledger now = kernels_ledger; // with launches that nobody told it of yet
  now.time += time * (s->trial.launches + s->uncounted + (unsigned)s->granted);
  if (!lin_ledger_allows(&now, cost))
    return false;
  kernels_ledger.spent += cost;
  return true;
}

// Behind next_turn, or what takes its place. One launch in 16 is asked about.
static timing *time_among_others(const launch *l, kernel *k, shape *s, lin_turn *turn) {
  timing_way way;
  uint32_t streams;
  timing *t = timing_has_room(s) && choose_way(l, k, s, &way, &streams)
                  ? timing_take(k->gpu, k->context)
                  : NULL;
  if (t == NULL) {
    launch_among_others(k, s);
    return NULL;
  }
  if (way == TIMING_APART) {
    *turn = next_turn(l, k, s);
    grant(s, turn->quiet > QUIET_AMONG_OTHERS ? turn->quiet : QUIET_AMONG_OTHERS);
  } else {
    atomic_fetch_add(&s->uncounted, (unsigned)s->granted + 1);
    grant(s, QUIET_AMONG_OTHERS);
  }
  if (way == TIMING_APART && !turn->is_timed) {
    timing_give_back(t);
    return NULL;
  }
  timing_begin(t, k, s, *turn, way, streams);
  return t;
}

// What the lock is needed for. Returns the pair of events that it is to be timed by, or NULL.
static timing *ask(const launch *l, kernel *k, shape *s, lin_turn *turn) {
  timing_collect(k->gpu, k->context, &kernels_ledger, heard);
  ban(k, s);
  *turn = (lin_turn){.version = best_of(l, k, s)};
  // Another thread was granted launches while this one came to the lock; or there is nothing to
  // time it by.
  bool is_granted = atomic_fetch_sub(&s->quiet, 1) > 0, is_decided = s->trial.is_decided;
  bool is_alone = is_decided || activity_is_alone(gpu_stream(k->gpu, l->shape.stream));
  if (!is_granted && !is_alone)
    return time_among_others(l, k, s, turn);
  bool may_be_timed = !is_granted && !is_decided && timing_has_room(s);
  timing *t = may_be_timed ? timing_take(k->gpu, k->context) : NULL;
  if (is_granted || (t == NULL && !is_decided)) {
    atomic_fetch_add(&s->uncounted, !is_granted);
    return NULL;
  }
  *turn = next_turn(l, k, s);
  grant(s, turn->quiet);
  found_now_and_then();
  if (turn->is_timed && t != NULL) {
    timing_begin(t, k, s, *turn, TIMING_ALONE, 1);
    return t;
  }
  if (t != NULL)
    timing_give_back(t);
  return NULL;
}

// With the lock, and where asking the driver disturbs no capture; false: it can't be had now.
static bool enter(const gpu *g, int *mode) {
  *mode = GPU_RELAXED;
  if (pthread_mutex_trylock(&kernels_lock) != 0)
    return false;
  if (g->cuThreadExchangeStreamCaptureMode(mode) == DRIVER_SUCCESS)
    return true;
  pthread_mutex_unlock(&kernels_lock);
  return false;
}

static void leave(const gpu *g, int mode) {
  g->cuThreadExchangeStreamCaptureMode(&mode);
  pthread_mutex_unlock(&kernels_lock);
}

void choose_collect(void) {
  int error = errno, mode;
  const gpu *g = atomic_load(&gpu_of_times);
  void *context;
  if (!timing_is_any() || g == NULL || silence_is_kept() || !enter(g, &mode))
    return;
  if (g->cuCtxGetCurrent(&context) == DRIVER_SUCCESS && context != NULL)
    timing_collect(g, context, &kernels_ledger, heard);
  leave(g, mode);
  errno = error;
}

// Behind the driver's own end, which was registered before, it would answer nothing.
static void collect_at_end(void) { atexit(choose_collect); }

static int launch_asked(const launch *l, kernel *k, shape *s) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  int error = errno, mode;
  lin_turn turn = {.version = atomic_load(&s->best)};
  timing *t = NULL;
  if (!is_captured(k->gpu, l) && is_current(k) && enter(k->gpu, &mode)) {
    atomic_store(&gpu_of_times, k->gpu);
    pthread_once(&once, collect_at_end);
    t = ask(l, k, s, &turn);
    leave(k->gpu, mode);
  } else {
    atomic_fetch_add(&s->uncounted, 1);
  }
  errno = error;
  return t == NULL ? launch_version(l, k, s, turn.version) : launch_timed(l, k, s, t, turn.version);
}

// ---- checks ------------------------------------------------------------------------------------

static atomic_bool is_stuck; // a launch wasn't over in time, so others may have to end it

// Those that are to be checked in this launch, and can be launched, a bit for each.
static uint32_t find_unchecked(const launch *l, kernel *k, shape *s) {
  uint32_t versions = 0;
  int mode;
  if (is_captured(k->gpu, l) || !is_current(k) || atomic_load(&is_stuck) || !enter(k->gpu, &mode))
    return 0;
  for (uint32_t v = 1; v < k->versions; v++)
    if (check_is_wanted(k, v) && can_be_launched(l, k, s, v))
      versions |= 1U << v;
  leave(k->gpu, mode);
  return versions;
}

// Whether the launch is known to be over.
static bool wait_until_over(const launch *l, const gpu *g) {
  enum { MOST_SECONDS = 10 }; // others may have to be launched for it to end
  const uint64_t mark = activity_mark();
  int mode;
  void *context;
  if (is_captured(g, l) || g->cuCtxGetCurrent(&context) != DRIVER_SUCCESS || !enter(g, &mode))
    return false;
  timing *t = timing_take(g, context);
  pthread_mutex_unlock(&kernels_lock);
  bool is_over = t != NULL && timing_wait(t, g, l, MOST_SECONDS);
  g->cuThreadExchangeStreamCaptureMode(&mode);
  if (t == NULL)
    return false;
  pthread_mutex_lock(&kernels_lock);
  timing_give_back(t);
  pthread_mutex_unlock(&kernels_lock);
  if (!is_over) {
    atomic_store(&is_stuck, true);
    return false;
  }
  choose_collect();
  activity_end(gpu_stream(g, l->shape.stream), mark);
  return true;
}

static bool try_untimed(const launch *l, kernel *k, shape *s, uint32_t version, int *status) {
  return try_version(l, k, s, version, NULL, status);
}

// ---- all launches ------------------------------------------------------------------------------

static bool is_usual(const launch *l) {
  return l->kind == LAUNCH_USUAL || (l->kind == LAUNCH_CONFIGURED && l->configuration != NULL &&
                                     l->configuration->attribute_count == 0);
}

static int launch_now(const launch *l, kernel *k, const settings *e) {
  shape *s = k == NULL ? NULL : kernels_shape(k, l, e->with_sizes ? sizes_of(k, l) : 0);
  if (k != NULL)
    activity_add(s == NULL ? 0 : atomic_load_explicit(&s->usual, memory_order_relaxed));
  if (s == NULL)
    return launch_do(l, l->kernel);
  static const check_ways by = {try_untimed, wait_until_over};
  int status;
  if (e->check != NULL && check_versions(l, k, s, find_unchecked(l, k, s), &by, &status))
    return status;
  if (atomic_fetch_sub_explicit(&s->quiet, 1, memory_order_relaxed) > 0)
    return launch_version(l, k, s, atomic_load_explicit(&s->best, memory_order_relaxed));
  return launch_asked(l, k, s);
}

// What was over by now wasn't disturbed by what comes.
static void begin_work(const launch *l, bool ends) {
  const gpu *g = gpu_of(l->function);
  void *stream = g == NULL ? NULL : gpu_stream(g, l->shape.stream), *context = NULL;
  if (g == NULL || activity_is_last(stream, ends))
    return;
  choose_collect();
  g->cuCtxGetCurrent(&context);
  activity_begin(stream, ends, context);
}

// Where all versions have their turns, one launch is under way at a time.
static int launch_alone(const launch *l, kernel *k, const settings *e) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  const gpu *g = gpu_of(l->function);
  pthread_mutex_lock(&one_at_a_time);
  int status = launch_now(l, k, e), error = errno;
  if (g != NULL && status == DRIVER_SUCCESS)
    wait_until_over(l, g);
  errno = error;
  pthread_mutex_unlock(&one_at_a_time);
  return status;
}

int launch_through(const launch *l) {
  const settings *e = settings_get();
  if (silence_is_kept())
    return launch_do(l, l->kernel);
  kernel *k = is_usual(l) ? kernels_find(l) : NULL;
  const bool ends = k != NULL && k->ends;
  begin_work(l, ends);
  const int status = e->mode == VERSIONS_EACH ? launch_alone(l, k, e) : launch_now(l, k, e);
  if (!ends && e->mode != VERSIONS_EACH) // which has waited for it
    begin_work(l, false);
  return status;
}

// ---- processes ---------------------------------------------------------------------------------

// The lock may have been another thread's, which the child has not.
static void begin_child(void) {
  kernels_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  if (kernels_first() != NULL)
    silence_keep();
}

__attribute__((constructor)) static void begin(void) { pthread_atfork(NULL, NULL, begin_child); }

// A thread that is still at it has the lock, and nothing is told.
__attribute__((destructor)) static void tell_at_end(void) {
  if (silence_is_kept() || pthread_mutex_trylock(&kernels_lock) != 0)
    return;
  if (kernels_ledger.time > 0)
    settings_log("trying took %.3f ms of %.3f ms of these kernels' time",
                 (double)kernels_ledger.spent / 1e6, (double)kernels_ledger.time / 1e6);
  verdict_say();
  pthread_mutex_unlock(&kernels_lock);
}
