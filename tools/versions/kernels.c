#define _POSIX_C_SOURCE 200809L

#include "kernels.h"

#include "counters.h"
#include "found.h"
#include "memory.h"
#include "orders.h"
#include "remembered.h"
#include "settings.h"
#include "timing.h"
#include "verdict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// ---- the table ---------------------------------------------------------------------------------

enum { SLOTS = 2 * KERNELS_MOST, MOST_STEPS = 64 };

typedef struct slot {
  void *_Atomic key; // NULL: free
  kernel *_Atomic kernel;
} slot;

// What has no versions, and what is a library's kernel, which has others for each context.
static kernel nothing, of_contexts;

pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER;
lin_ledger kernels_ledger;
static slot table[SLOTS];
static uint32_t used; // slots that have a key
static kernel *first;
static atomic_bool is_full;

static uint32_t place_of(const void *key) {
  uint64_t number = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(number >> 40) % SLOTS;
}

// The slot that has the key, or a free one; NULL: neither is near.
static slot *slot_of(const void *key) {
  uint32_t place = place_of(key);
  for (uint32_t step = 0; step < MOST_STEPS; step++) {
    slot *s = &table[(place + step) % SLOTS];
    void *there = atomic_load_explicit(&s->key, memory_order_acquire);
    if (there == key || there == NULL)
      return s;
  }
  return NULL;
}

// NULL: it isn't known. (While the table is made anew a slot may change under our eyes.)
static kernel *look_up(const void *key) {
  slot *s = slot_of(key);
  if (s == NULL)
    return &nothing;
  if (atomic_load_explicit(&s->key, memory_order_acquire) == NULL)
    return atomic_load_explicit(&is_full, memory_order_relaxed) ? &nothing : NULL;
  kernel *k = atomic_load_explicit(&s->kernel, memory_order_acquire);
  return k == NULL || k == &nothing || k == &of_contexts || k->key == key ? k : NULL;
}

// The kernel is there before its key is.
static void put(void *key, kernel *k) {
  slot *s = slot_of(key);
  if (s == NULL)
    return;
  used += s->key == NULL;
  atomic_store_explicit(&s->kernel, k, memory_order_release);
  atomic_store_explicit(&s->key, key, memory_order_release);
}

// Keys of what was forgotten make room, and those of what had no versions: these are looked at
// again.
static void make_room(void) {
  uint32_t dead = 0;
  for (uint32_t i = 0; i < SLOTS; i++)
    dead += table[i].key != NULL && table[i].kernel == NULL;
  atomic_store(&is_full, dead < KERNELS_MOST / 2);
  if (dead < KERNELS_MOST / 2)
    return;
  for (uint32_t i = 0; i < SLOTS; i++) {
    table[i].key = NULL;
    table[i].kernel = NULL;
  }
  used = 0;
  for (kernel *k = first; k != NULL; k = k->next) {
    if (k->library != NULL)
      put(k->handle, &of_contexts);
    put(k->key, k);
  }
}

// A library's kernel in a context.
static void *key_in(void *handle, void *context) {
  return (void *)((uintptr_t)handle ^ (uintptr_t)context << 1 ^ 1);
}

// ---- kernels -----------------------------------------------------------------------------------

static void release(kernel *k, bool ends_context) {
  if (k->making != NULL)
    making_end(k->making, ends_context);
  for (shape *s = k->shapes; s != NULL;) {
    shape *next = s->next;
    free(s);
    s = next;
  }
  remembered_release(k);
  free(k->texts);
  free((char *)(uintptr_t)k->symbol);
  free(k);
}

static void say_versions(const kernel *k) {
  char names[640];
  size_t length = 0;
  for (uint32_t v = 0; v < k->versions && length < sizeof names; v++)
    length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", v == 0 ? "" : ", ",
                               k->name[v]);
  settings_log("%s: %u versions: %s", k->symbol, k->versions, names);
}

// Of what `seen` has of a kernel.
static kernel *look_into_module(const kernel *seen, void *function) {
  kernel *k = malloc(sizeof *k);
  if (k == NULL)
    return &nothing;
  *k = *seen;
  if (!kernels_describe(k, function)) {
    release(k, false);
    return &nothing;
  }
  k->next = first;
  first = k;
  if (!k->waits) {
    say_versions(k);
    remembered_read(k);
  }
  return k;
}

static kernel *current_of(const gpu *g, kernel *found, void *handle) {
  void *context;
  if (found != &of_contexts)
    return found;
  return g != NULL && gpu_is_ok(g->cuCtxGetCurrent(&context)) ? look_up(key_in(handle, context))
                                                              : &nothing;
}

static kernel *look_at(const gpu *g, void *handle) {
  void *function;
  kernel seen = {.gpu = g, .handle = handle, .key = handle, .versions = 1, .cache = -1};
  // What can't be looked at now, for the context is in ruins or there is none, may be later.
  if (!gpu_is_ok(g->cuCtxGetCurrent(&seen.context)) || seen.context == NULL ||
      !gpu_function(g, handle, &function, &seen.module))
    return &nothing;
  if (used == KERNELS_MOST)
    make_room();
  if (used == KERNELS_MOST)
    return &nothing;
  if (function != handle) {
    bool is_known =
        g->cuKernelGetLibrary != NULL && gpu_is_ok(g->cuKernelGetLibrary(&seen.library, handle));
    put(handle, is_known ? &of_contexts : &nothing);
    if (!is_known)
      return &nothing;
    seen.key = key_in(handle, seen.context);
  }
  kernel *k = look_into_module(&seen, function);
  put(seen.key, k);
  return k;
}

// By who has the lock.
static kernel *see(const gpu *g, void *handle) {
  int mode = GPU_RELAXED;
  kernel *found = current_of(g, look_up(handle), handle);
  if (found != NULL)
    return found;
  if (!gpu_is_ok(g->cuThreadExchangeStreamCaptureMode(&mode)))
    return &nothing;
  found = look_at(g, handle);
  g->cuThreadExchangeStreamCaptureMode(&mode);
  return found;
}

static kernel *with_versions(kernel *k) { return k == &nothing || k == &of_contexts ? NULL : k; }

kernel *kernels_find(const launch *l) {
  kernel *k = look_up(l->kernel);
  if (k == &nothing)
    return NULL;
  const gpu *g = k != NULL && k != &of_contexts ? k->gpu : gpu_of(l->function);
  if (k == &of_contexts)
    k = current_of(g, k, l->kernel);
  if (k == NULL && g != NULL && pthread_mutex_trylock(&kernels_lock) == 0) {
    int error = errno;
    k = see(g, l->kernel);
    errno = error;
    pthread_mutex_unlock(&kernels_lock);
  }
  return k == NULL ? NULL : with_versions(k);
}

kernel *kernels_find_now(void *function, void *handle) {
  const gpu *g = gpu_of(function);
  if (g == NULL)
    return NULL;
  pthread_mutex_lock(&kernels_lock);
  kernel *k = see(g, handle);
  pthread_mutex_unlock(&kernels_lock);
  return with_versions(k);
}

kernel *kernels_first(void) { return first; }

// ---- versions that are made meanwhile ----------------------------------------------------------

uint64_t kernels_time(const kernel *k) {
  uint64_t time = 0;
  for (const shape *s = k->shapes; s != NULL; s = s->next)
    time +=
        lin_trial_time(&s->trial) + lin_times_median(&s->shares, 0) * atomic_load(&s->uncounted);
  return time;
}

// Threads that launch it may have it at hand: it stays, and nobody finds it any more.
static void retire(kernel *k) {
  static kernel *retired;
  kernel **at = &first;
  while (*at != k)
    at = &(*at)->next;
  *at = k->next;
  for (const shape *s = k->shapes; s != NULL; s = s->next)
    timing_end_all(s);
  k->next = retired;
  retired = k;
}

static void stop_waiting(kernel *k) {
  k->waits = false;
  for (shape *s = k->shapes; s != NULL; s = s->next)
    lin_trial_decide(&s->trial, 0);
}

void kernels_wait(kernel *k) {
  void *function, *module;
  const making_state state = making_go_on(k->making, kernels_time(k));
  if (state == MAKING_WAITS)
    return;
  stop_waiting(k);
  if (state == MAKING_NOTHING || !gpu_function(k->gpu, k->handle, &function, &module))
    return;
  const kernel seen = {.gpu = k->gpu,
                       .handle = k->handle,
                       .key = k->key,
                       .context = k->context,
                       .module = k->module,
                       .library = k->library,
                       .making = k->making,
                       .cache = k->cache,
                       .versions = 1};
  k->making = NULL; // whatever comes of it
  kernel *made = look_into_module(&seen, function);
  put(k->key, made);
  retire(k);
  if (made != &nothing)
    made->before = k;
}

// ---- forgetting --------------------------------------------------------------------------------

static bool is_of_modules(const kernel *k, const ending *e) {
  for (int i = 0; i < KERNELS_MOST_CONTEXTS && e->modules[i] != NULL; i++)
    if (k->module == e->modules[i])
      return true;
  return false;
}

static bool is_over(const kernel *k, const ending *e) {
  return (e->module != NULL && k->module == e->module) ||
         (e->library != NULL && k->library == e->library) ||
         (e->context != NULL && k->context == e->context) || k->device == e->device ||
         is_of_modules(k, e);
}

// A handle may come to stand for something else; so what had no versions is looked at again, too.
static void empty_slots(const ending *e) {
  for (uint32_t i = 0; i < SLOTS; i++) {
    kernel *k = table[i].kernel;
    bool is_marker = k == &nothing || k == &of_contexts;
    if (k != NULL && (is_marker || is_over(k, e)))
      table[i].kernel = NULL;
  }
}

void kernels_forget(ending e) {
  pthread_mutex_lock(&kernels_lock);
  empty_slots(&e);
  bool ends_context = e.context != NULL || e.device >= 0;
  for (kernel **at = &first; *at != NULL;) {
    kernel *k = *at;
    if (!is_over(k, &e)) {
      at = &k->next;
      continue;
    }
    *at = k->next;
    for (shape *s = k->shapes; s != NULL; s = s->next) {
      timing_end_all(s);
      orders_release(k, s, ends_context);
    }
    counters_release(k, ends_context);
    if (ends_context) {
      timing_forget(k->context);
      memory_forget(k->context);
    }
    found_keep(k);
    verdict_keep(k);
    release(k, ends_context);
  }
  pthread_mutex_unlock(&kernels_lock);
}

static uint32_t find_contexts(void *contexts[KERNELS_MOST_CONTEXTS]) {
  uint32_t count = 0;
  for (const kernel *k = first; k != NULL; k = k->next) {
    uint32_t i = 0;
    while (i < count && contexts[i] != k->context)
      i++;
    if (i == count && count < KERNELS_MOST_CONTEXTS)
      contexts[count++] = k->context;
  }
  return count;
}

void kernels_find_modules(ending *e, void *function, void *library) {
  void *contexts[KERNELS_MOST_CONTEXTS], *module;
  const gpu *g = gpu_of(function);
  if (g == NULL || g->cuLibraryGetModule == NULL)
    return;
  pthread_mutex_lock(&kernels_lock);
  uint32_t count = find_contexts(contexts), found = 0;
  pthread_mutex_unlock(&kernels_lock);
  for (uint32_t i = 0; i < count; i++) {
    if (!gpu_is_ok(g->cuCtxPushCurrent_v2(contexts[i])))
      continue;
    if (gpu_is_ok(g->cuLibraryGetModule(&module, library)))
      e->modules[found++] = module;
    g->cuCtxPopCurrent_v2(&contexts[i]);
  }
}
