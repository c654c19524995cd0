#include "timing.h"

#include <stdlib.h>

enum { MOST_PAIRS = 64, MOST_CONTEXTS = 16, MOST_OF_SHAPE = 8 };

enum { BEGUN, RUNS, LOST }; // states

struct timing {
  timing *next; // of its shape, or free
  struct pool *pool;
  void *start, *end, *made; // the latter NULL until it is needed
  bool is_ordered, is_made;
  uint32_t kept;
  lin_turn turn;
  atomic_int state;
};

typedef struct pool {
  const void *context; // NULL: nobody's
  const gpu *gpu;
  timing pair[MOST_PAIRS];
  uint32_t made;
  timing *free;
} pool;

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

timing *timing_take(const kernel *k, const shape *s) {
  uint32_t there = 0;
  for (const timing *t = s->timings; t != NULL; t = t->next)
    there++;
  pool *p = there < MOST_OF_SHAPE ? pool_of(k->context) : NULL;
  if (p == NULL)
    return NULL;
  timing *t = p->free;
  if (t == NULL)
    return make_pair(k->gpu, p);
  p->free = t->next;
  return t;
}

void timing_give_back(timing *t) {
  t->next = t->pool->free;
  t->pool->free = t;
}

void timing_begin(timing *t, shape *s, lin_turn turn) {
  atomic_store_explicit(&t->state, BEGUN, memory_order_relaxed);
  t->turn = turn;
  t->is_ordered = t->is_made = false;
  t->next = s->timings;
  s->timings = t;
}

// ---- a launch ----------------------------------------------------------------------------------

static bool record(const gpu *g, const launch *l, void *event) {
  return g->cuEventRecord(event, gpu_stream(g, l->shape.stream)) == DRIVER_SUCCESS;
}

bool timing_start(timing *t, const gpu *g, const launch *l) {
  bool is_recorded = record(g, l, t->start);
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

// False: nobody knows yet.
static bool tell(const gpu *g, shape *s, lin_ledger *ledger, timing **at) {
  uint64_t time, once = 0;
  timing *t = *at;
  answer a = ask(g, t, &time, &once);
  if (a == NOT_YET)
    return false;
  if (a == KNOWN && share(t, s, &time, once) == KNOWN)
    lin_trial_took(&s->trial, ledger, t->turn, time, once);
  else
    lin_trial_lost(&s->trial, ledger, t->turn);
  *at = t->next;
  timing_give_back(t);
  return true;
}

// The oldest is the last. Behind the first one that isn't over mostly none is.
void timing_ask(const gpu *g, shape *s, lin_ledger *ledger) {
  timing **places[MOST_OF_SHAPE];
  uint32_t count = 0;
  for (timing **at = &s->timings; *at != NULL && count < MOST_OF_SHAPE; at = &(*at)->next)
    places[count++] = at;
  while (count > 0 && tell(g, s, ledger, places[count - 1]))
    count--;
}

void timing_end_all(shape *s) {
  for (timing *t = s->timings, *next; t != NULL; t = next) {
    next = t->next;
    timing_give_back(t);
  }
  s->timings = NULL;
}

void timing_forget(const void *context) {
  for (int i = 0; i < MOST_CONTEXTS; i++) {
    pool *p = pools[i];
    if (p == NULL || p->context != context)
      continue;
    *p = (pool){.context = NULL};
  }
}
