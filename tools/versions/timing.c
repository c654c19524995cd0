#define _POSIX_C_SOURCE 200809L

#include "timing.h"

#include "activity.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_PAIRS = 256, MOST_CONTEXTS = 16, MOST_OF_SHAPE = 16 };

enum { BEGUN, RUNS, LOST }; // states

struct timing {
  timing *next; // that began after it, or free
  struct pool *pool;
  void *start, *end, *made; // the latter NULL until it is needed
  kernel *kernel;
  shape *shape; // NULL: nobody wants the time any more
  bool is_ordered, is_made;
  uint32_t kept;
  lin_turn turn;
  timing_way way;
  uint32_t streams;
  bool is_disturbed;  // for sure
  uint64_t disturbed; // activity_disturbed, before it
  alone apart;
  atomic_int state;
};

typedef struct pool {
  const void *context; // NULL: nobody's
  timing pair[MOST_PAIRS];
  uint32_t made;
  timing *free, *oldest;
} pool;

static atomic_uint begun; // of all pools

static pool *pools[MOST_CONTEXTS];

// ---- pairs of events ---------------------------------------------------------------------------

static pool *pool_of(const void *context) {
  pool **free_place = NULL;
  for (int i = 0; i < MOST_CONTEXTS; i++) {
    if (pools[i] != NULL && pools[i]->context == context)
      return pools[i];
    if (free_place == NULL && (pools[i] == NULL || pools[i]->context == NULL))
      free_place = &pools[i];
  }
  if (free_place == NULL)
    return NULL;
  if (*free_place == NULL)
    *free_place = calloc(1, sizeof(pool));
  if (*free_place != NULL)
    (*free_place)->context = context;
  return *free_place;
}

static timing *make_pair(const gpu *g, pool *p) {
  timing *t = &p->pair[p->made];
  if (p->made == MOST_PAIRS || g->cuEventCreate(&t->start, 0) != DRIVER_SUCCESS)
    return NULL;
  if (g->cuEventCreate(&t->end, 0) != DRIVER_SUCCESS) {
    g->cuEventDestroy_v2(t->start);
    return NULL;
  }
  *t = (timing){.pool = p, .start = t->start, .end = t->end};
  p->made++;
  return t;
}

timing *timing_take(const gpu *g, const void *context) {
  pool *p = pool_of(context);
  if (p == NULL)
    return NULL;
  timing *t = p->free;
  if (t == NULL)
    return make_pair(g, p);
  p->free = t->next;
  return t;
}

bool timing_has_room(const shape *s) { return s->timed < MOST_OF_SHAPE; }

void timing_give_back(timing *t) {
  t->next = t->pool->free;
  t->pool->free = t;
}

void timing_begin(timing *t, kernel *k, shape *s, lin_turn turn, timing_way way, uint32_t streams) {
  atomic_store_explicit(&t->state, BEGUN, memory_order_relaxed);
  t->turn = turn;
  t->way = way;
  t->streams = streams;
  t->is_ordered = t->is_made = t->is_disturbed = false;
  t->kernel = k;
  t->shape = s;
  t->next = NULL;
  timing **last = &t->pool->oldest;
  while (*last != NULL)
    last = &(*last)->next;
  *last = t;
  s->timed++;
  atomic_fetch_add_explicit(&begun, 1, memory_order_relaxed);
}

// ---- a launch ----------------------------------------------------------------------------------

static bool record(const gpu *g, const launch *l, void *event) {
  return g->cuEventRecord(event, gpu_stream(g, l->shape.stream)) == DRIVER_SUCCESS;
}

bool timing_start(timing *t, const gpu *g, const launch *l) {
  t->disturbed = activity_disturbed();
  t->is_disturbed = t->way == TIMING_APART && !alone_begin(&t->apart, g, l, t->pool->context);
  bool is_recorded = !t->is_disturbed && record(g, l, t->start);
  if (!is_recorded)
    atomic_store_explicit(&t->state, LOST, memory_order_release);
  return is_recorded;
}

void timing_ordered(timing *t, const gpu *g, const launch *l, bool is_made, uint32_t kept) {
  bool is_there = !is_made || t->made != NULL || g->cuEventCreate(&t->made, 0) == DRIVER_SUCCESS;
  bool is_recorded = is_there && (!is_made || record(g, l, t->made));
  t->is_ordered = true;
  t->is_made = is_made;
  t->kept = is_recorded ? kept : 0;
}

void timing_end(timing *t, const gpu *g, const launch *l, bool is_launched) {
  bool is_timed = is_launched && record(g, l, t->end) && (!t->is_ordered || t->kept > 0);
  t->is_disturbed =
      is_timed && t->way == TIMING_APART && !alone_end(&t->apart, g, l, t->pool->context, t->end);
  atomic_store_explicit(&t->state, is_timed ? RUNS : LOST, memory_order_release);
}

// ---- behind it ---------------------------------------------------------------------------------

typedef enum answer { NOT_YET, KNOWN, NEVER } answer;

// Nanoseconds from one event to another. What ends before it began, or within nothing, is no time.
// The driver says itself that an event hasn't come: so there is one call, not two.
static answer measure(const gpu *g, void *from, void *to, uint64_t *time) {
  float ms = 0;
  int status = g->cuEventElapsedTime(&ms, from, to);
  if (status == GPU_NOT_READY)
    return NOT_YET;
  if (status != DRIVER_SUCCESS || !(ms > 0))
    return NEVER;
  *time = (uint64_t)(1e6 * (double)ms);
  return KNOWN;
}

// Of a launch, and what its order took to make if that was for it.
static answer ask(const gpu *g, const timing *t, uint64_t *time, uint64_t *once) {
  int state = atomic_load_explicit(&((timing *)(uintptr_t)t)->state, memory_order_acquire);
  if (state != RUNS)
    return state == BEGUN ? NOT_YET : NEVER;
  answer a = measure(g, t->is_made ? t->made : t->start, t->end, time);
  return a == KNOWN && t->is_made ? measure(g, t->start, t->made, once) : a;
}

// With its part of what that took.
static answer share(const timing *t, shape *s, uint64_t *time, uint64_t once) {
  if (!t->is_ordered)
    return KNOWN;
  if (once > 0)
    atomic_store_explicit(&s->once, once, memory_order_relaxed);
  uint64_t known = atomic_load_explicit(&s->once, memory_order_relaxed);
  *time += known / t->kept;
  return known > 0 ? KNOWN : NEVER;
}

static bool was_disturbed(const timing *t) {
  return t->is_disturbed || (t->way == TIMING_APART ? !alone_was_undisturbed(&t->apart)
                                                    : t->disturbed != activity_disturbed());
}

static void tell(const timing *t, lin_ledger *ledger, answer a, uint64_t time, uint64_t once) {
  shape *s = t->shape;
  s->timed--;
  if (a == KNOWN && share(t, s, &time, once) != KNOWN)
    a = NEVER;
  if (t->way == TIMING_SHARED) {
    if (a == KNOWN && t->turn.version == s->trial.best) {
      lin_times_add(&s->shares, time / t->streams + 1);
      if (lin_trial_usual(&s->trial) == 0)
        atomic_store(&s->usual, time);
    }
    return;
  }
  if (a == NEVER && !t->is_disturbed)
    lin_trial_lost(&s->trial, ledger, t->turn);
  else if (was_disturbed(t))
    lin_trial_disturbed(&s->trial, ledger, t->turn);
  else
    lin_trial_took(&s->trial, ledger, t->turn, time, once);
}

bool timing_is_any(void) { return atomic_load_explicit(&begun, memory_order_relaxed) > 0; }

// Streams come to their ends one by one: behind one that isn't over there may be others that are,
// but few are looked at.
void timing_collect(const gpu *g, const void *context, lin_ledger *ledger, timing_heard *heard) {
  enum { MOST_NOT_YET = 4 };
  pool *p = timing_is_any() ? pool_of(context) : NULL;
  uint32_t not_yet = 0;
  for (timing **at = p == NULL ? NULL : &p->oldest; at != NULL && *at != NULL;) {
    timing *t = *at;
    uint64_t time = 0, once = 0;
    answer a = ask(g, t, &time, &once);
    if (a == NOT_YET && ++not_yet == MOST_NOT_YET)
      return;
    if (a == NOT_YET) {
      at = &t->next;
      continue;
    }
    *at = t->next;
    atomic_fetch_sub_explicit(&begun, 1, memory_order_relaxed);
    if (t->shape != NULL) {
      uint32_t best = t->shape->trial.best, phase = t->shape->trial.phase;
      tell(t, ledger, a, time, once);
      heard(t->kernel, t->shape, best, phase);
    }
    timing_give_back(t);
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool timing_wait(timing *t, const gpu *g, const launch *l, double seconds) {
  double until = now() + seconds;
  int status = record(g, l, t->end) ? GPU_NOT_READY : DRIVER_SUCCESS + 1;
  while (status == GPU_NOT_READY && now() < until) {
    status = g->cuEventQuery(t->end);
    sched_yield();
  }
  return status == DRIVER_SUCCESS;
}

void timing_end_all(const shape *s) {
  for (int i = 0; i < MOST_CONTEXTS; i++)
    for (timing *t = pools[i] == NULL ? NULL : pools[i]->oldest; t != NULL; t = t->next)
      if (t->shape == s)
        t->shape = NULL;
}

void timing_forget(const void *context) {
  for (int i = 0; i < MOST_CONTEXTS; i++) {
    pool *p = pools[i];
    if (p == NULL || p->context != context)
      continue;
    for (const timing *t = p->oldest; t != NULL; t = t->next)
      atomic_fetch_sub_explicit(&begun, 1, memory_order_relaxed);
    *p = (pool){.context = NULL};
  }
}
