#define _POSIX_C_SOURCE 200809L

#include "kernels.h"

#include "remembered.h"
#include "settings.h"
#include "table.h"
#include "timing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// A library's kernel in a context.
static void *key_in(void *handle, void *context) {
  return (void *)((uintptr_t)handle ^ (uintptr_t)context << 1 ^ 1);
}

// ---- kernels -----------------------------------------------------------------------------------

void kernels_release(kernel *k, bool ends_context) {
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
    return &table_nothing;
  *k = *seen;
  if (!kernels_describe(k, function)) {
    kernels_release(k, false);
    return &table_nothing;
  }
  table_add(k);
  if (!k->waits) {
    say_versions(k);
    remembered_read(k);
  }
  return k;
}

static kernel *current_of(const gpu *g, kernel *found, void *handle) {
  void *context;
  if (found != &table_of_contexts)
    return found;
  return g != NULL && gpu_is_ok(g->cuCtxGetCurrent(&context))
             ? table_look_up(key_in(handle, context))
             : &table_nothing;
}

static kernel *look_at(const gpu *g, void *handle) {
  void *function;
  kernel seen = {.gpu = g, .handle = handle, .key = handle, .versions = 1, .cache = -1};
  // What can't be looked at now, for the context is in ruins or there is none, may be later.
  if (!gpu_is_ok(g->cuCtxGetCurrent(&seen.context)) || seen.context == NULL ||
      !gpu_function(g, handle, &function, &seen.module))
    return &table_nothing;
  if (!table_has_room())
    return &table_nothing;
  if (function != handle) {
    bool is_known =
        g->cuKernelGetLibrary != NULL && gpu_is_ok(g->cuKernelGetLibrary(&seen.library, handle));
    table_put(handle, is_known ? &table_of_contexts : &table_nothing);
    if (!is_known)
      return &table_nothing;
    seen.key = key_in(handle, seen.context);
  }
  kernel *k = look_into_module(&seen, function);
  table_put(seen.key, k);
  return k;
}

// By who has the lock.
static kernel *see(const gpu *g, void *handle) {
  int mode = GPU_RELAXED;
  kernel *found = current_of(g, table_look_up(handle), handle);
  if (found != NULL)
    return found;
  if (!gpu_is_ok(g->cuThreadExchangeStreamCaptureMode(&mode)))
    return &table_nothing;
  found = look_at(g, handle);
  g->cuThreadExchangeStreamCaptureMode(&mode);
  return found;
}

static kernel *with_versions(kernel *k) {
  return k == &table_nothing || k == &table_of_contexts ? NULL : k;
}

kernel *kernels_find(const launch *l) {
  kernel *k = table_look_up(l->kernel);
  if (k == &table_nothing)
    return NULL;
  const gpu *g = k != NULL && k != &table_of_contexts ? k->gpu : gpu_of(l->function);
  if (k == &table_of_contexts)
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

// ---- versions that are made meanwhile ----------------------------------------------------------

// Threads that launch it may have it at hand: it stays, and nobody finds it any more.
static void retire(kernel *k) {
  static kernel *retired;
  table_remove(k);
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
  table_put(k->key, made);
  retire(k);
  if (made != &table_nothing)
    made->before = k;
}
