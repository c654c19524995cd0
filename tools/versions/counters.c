#include "counters.h"

#include "memory.h"
#include "settings.h"

#include <sched.h>
#include <stdlib.h>

enum { COUNTERS_MOST = 16 }; // of a kernel: so many streams

typedef struct counter {
  atomic_flag is_taken;
  atomic_uintptr_t stream; // 0: nobody's; changed by who has taken it
  memory *memory;          // by who has taken it; or NULL
} counter;

typedef struct counters {
  counter counter[COUNTERS_MOST];
} counters;

static bool try_to_take(counter *c) {
  return !atomic_flag_test_and_set_explicit(&c->is_taken, memory_order_acquire);
}

static void give_back(counter *c) {
  atomic_flag_clear_explicit(&c->is_taken, memory_order_release);
}

// ---- which launches ----------------------------------------------------------------------------

// Where fewer items are than this, or a GPU has at a time a third of them, the plain version is
// faster.
static uint64_t fewest_items(const kernel *k) {
  enum { FEWEST = 1 << 20, TIMES = 3 };
  int multiprocessors, threads;
  const settings *e = settings_get();
  if (e->fewest_items > 0)
    return e->fewest_items;
  if (!gpu_is_ok(k->gpu->cuDeviceGetAttribute(&multiprocessors, GPU_MULTIPROCESSORS, k->device)) ||
      !gpu_is_ok(k->gpu->cuDeviceGetAttribute(&threads, GPU_MOST_THREADS, k->device)))
    return UINT64_MAX;
  const uint64_t held = TIMES * (uint64_t)multiprocessors * (uint64_t)threads;
  return held > FEWEST ? held : FEWEST;
}

bool counters_prepare(kernel *k, const shape *s, uint32_t version) {
  bool is_line;
  const uint64_t items = kernels_threads(s, &is_line);
  if (items == 0 || items > INT32_MAX || items < fewest_items(k) ||
      (!is_line && (k->takes_line >> version & 1) != 0))
    return false;
  if (k->counters == NULL) {
    counters *made = calloc(1, sizeof *made);
    for (int i = 0; i < COUNTERS_MOST && made != NULL; i++)
      atomic_flag_clear(&made->counter[i].is_taken);
    atomic_store_explicit(&k->counters, made, memory_order_release);
  }
  return k->counters != NULL;
}

// ---- launching ---------------------------------------------------------------------------------

// The stream's, or nobody's, which becomes the stream's. NULL: it is taken, or there are too many
// streams.
static counter *take(counters *all, uintptr_t stream) {
  for (int wanted = 0; wanted < 2; wanted++)
    for (int i = 0; i < COUNTERS_MOST; i++) {
      counter *c = &all->counter[i];
      const uintptr_t whose = wanted == 0 ? stream : 0;
      if (atomic_load_explicit(&c->stream, memory_order_relaxed) != whose)
        continue;
      if (!try_to_take(c)) {
        if (wanted == 0)
          return NULL; // it is being launched with
        continue;
      }
      if (atomic_load_explicit(&c->stream, memory_order_relaxed) == whose) {
        atomic_store_explicit(&c->stream, stream, memory_order_relaxed);
        return c;
      }
      give_back(c);
    }
  return NULL;
}

static bool is_current(const kernel *k) {
  void *context;
  return gpu_is_ok(k->gpu->cuCtxGetCurrent(&context)) && context == k->context;
}

static bool clear(const kernel *k, counter *c) {
  const gpu *g = k->gpu;
  int mode = GPU_RELAXED;
  if (!gpu_is_ok(g->cuThreadExchangeStreamCaptureMode(&mode)))
    return false;
  if (c->memory == NULL && is_current(k))
    c->memory = memory_have(g, k->context, sizeof(uint32_t));
  const bool is_clear =
      c->memory != NULL &&
      gpu_is_ok(g->cuMemsetD8Async(c->memory->at, 0, sizeof(uint32_t), (void *)c->stream));
  g->cuThreadExchangeStreamCaptureMode(&mode);
  return is_clear;
}

bool counters_launch(const launch *l, kernel *k, uint32_t version, int *status) {
  void *argument[PARAMETERS_MOST + 1];
  counters *all = atomic_load_explicit(&k->counters, memory_order_acquire);
  void *stream = gpu_stream(k->gpu, l->shape.stream);
  // The thread's own stream is another one for each thread, by one handle.
  if (all == NULL || stream == (void *)(uintptr_t)GPU_PER_THREAD ||
      !parameters_find(&k->parameters, l, argument))
    return false;
  counter *c = take(all, (uintptr_t)stream);
  if (c == NULL)
    return false;
  const bool is_clear = clear(k, c);
  if (is_clear) {
    launch counted = *l;
    argument[k->parameters.count] = &c->memory->at;
    counted.arguments = argument;
    counted.extra = NULL;
    *status = launch_do(&counted, k->function[version]);
  }
  give_back(c);
  return is_clear;
}

// ---- when something ends -----------------------------------------------------------------------

static void release(const gpu *g, counter *c, bool ends_context) {
  while (!try_to_take(c))
    sched_yield();
  if (c->memory != NULL && ends_context)
    memory_lose(c->memory);
  else if (c->memory != NULL)
    memory_retire(g, c->memory, (void *)c->stream);
  c->memory = NULL;
  atomic_store_explicit(&c->stream, 0, memory_order_relaxed);
  give_back(c);
}

static bool enter(const kernel *k) { return gpu_is_ok(k->gpu->cuCtxPushCurrent_v2(k->context)); }

static void leave(const kernel *k) {
  void *context;
  k->gpu->cuCtxPopCurrent_v2(&context);
}

void counters_release(kernel *k, bool ends_context) {
  if (k->counters == NULL)
    return;
  const bool is_over = ends_context || !enter(k);
  for (int i = 0; i < COUNTERS_MOST; i++)
    release(k->gpu, &k->counters->counter[i], is_over);
  if (!is_over)
    leave(k);
  free(k->counters);
  k->counters = NULL;
}

void counters_forget_stream(const void *stream) {
  for (kernel *k = kernels_first(); k != NULL; k = k->next)
    for (int i = 0; i < COUNTERS_MOST && k->counters != NULL; i++) {
      counter *c = &k->counters->counter[i];
      if (c->stream != (uintptr_t)stream || !enter(k))
        continue;
      release(k->gpu, c, false);
      leave(k);
    }
}
