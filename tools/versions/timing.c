#include "timing.h"

#include <stdlib.h>

enum { MOST_PAIRS = 64, MOST_CONTEXTS = 16, MOST_OF_SHAPE = 8 };

enum { BEGUN, RUNS, LOST }; // states

struct timing {
  timing *next; // of its shape, or free
  struct pool *pool;
  void *start, *end;
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
  t->pool = p;
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
  t->next = s->timings;
  s->timings = t;
}

// ---- a launch ----------------------------------------------------------------------------------

int timing_launch(timing *t, const gpu *g, const launch *l, void *version, bool *is_launched) {
  void *stream = gpu_stream(g, l->shape.stream);
  int status = g->cuEventRecord(t->start, stream);
  *is_launched = status == DRIVER_SUCCESS;
  if (*is_launched)
    status = launch_do(l, version);
  bool is_timed = status == DRIVER_SUCCESS && g->cuEventRecord(t->end, stream) == DRIVER_SUCCESS;
  atomic_store_explicit(&t->state, is_timed ? RUNS : LOST, memory_order_release);
  return status;
}

// ---- behind it ---------------------------------------------------------------------------------

typedef enum answer { NOT_YET, KNOWN, NEVER } answer;

// Nanoseconds. What ends before it began, or within nothing, is no time. The driver says itself
// that an event hasn't come: so there is one call, not two.
static answer ask(const gpu *g, const timing *t, uint64_t *time) {
  float ms = 0;
  int state = atomic_load_explicit(&((timing *)(uintptr_t)t)->state, memory_order_acquire);
  if (state != RUNS)
    return state == BEGUN ? NOT_YET : NEVER;
  int status = g->cuEventElapsedTime(&ms, t->start, t->end);
  if (status == GPU_NOT_READY)
    return NOT_YET;
  if (status != DRIVER_SUCCESS || !(ms > 0))
    return NEVER;
  *time = (uint64_t)(1e6 * (double)ms);
  return KNOWN;
}

// False: nobody knows yet.
static bool tell(const gpu *g, shape *s, lin_ledger *ledger, timing **at) {
  uint64_t time;
  timing *t = *at;
  answer a = ask(g, t, &time);
  if (a == NOT_YET)
    return false;
  if (a == KNOWN)
    lin_trial_took(&s->trial, ledger, t->turn, time, 0);
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
