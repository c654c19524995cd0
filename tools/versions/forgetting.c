// What ends: kernels of modules, libraries and contexts that the program unloads are forgotten.
#define _POSIX_C_SOURCE 200809L

#include "counters.h"
#include "found.h"
#include "kernels.h"
#include "memory.h"
#include "orders.h"
#include "table.h"
#include "timing.h"
#include "verdict.h"

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

void kernels_forget(ending e) {
  pthread_mutex_lock(&kernels_lock);
  table_empty(is_over, &e);
  bool ends_context = e.context != NULL || e.device >= 0;
  for (kernel *k = kernels_first(), *next; k != NULL; k = next) {
    next = k->next;
    if (!is_over(k, &e))
      continue;
    table_remove(k);
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
    kernels_release(k, ends_context);
  }
  pthread_mutex_unlock(&kernels_lock);
}

static uint32_t find_contexts(void *contexts[KERNELS_MOST_CONTEXTS]) {
  uint32_t count = 0;
  for (const kernel *k = kernels_first(); k != NULL; k = k->next) {
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
