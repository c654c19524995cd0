#include "memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; // of the list; had for as long as it is read
static memory *retired;
static atomic_size_t had; // bytes, retired ones too

// Nobody is to have much more than is needed.
static bool fits(const gpu *g, const memory *m, const void *context, size_t bytes) {
  enum { MOST_TIMES = 4 };
  return m->context == context && m->bytes >= bytes && m->bytes / MOST_TIMES <= bytes &&
         gpu_is_ok(g->cuEventQuery(m->event));
}

static memory *find_retired(const gpu *g, const void *context, size_t bytes) {
  if (pthread_mutex_trylock(&lock) != 0)
    return NULL;
  memory **at = &retired;
  while (*at != NULL && !fits(g, *at, context, bytes))
    at = &(*at)->next;
  memory *found = *at;
  if (found != NULL)
    *at = found->next;
  pthread_mutex_unlock(&lock);
  return found;
}

static memory *allocate(const gpu *g, const void *context, size_t bytes) {
  enum { SHARE = 16 }; // of what is free, and of all that there is
  size_t left, whole;
  bool may_be = gpu_is_ok(g->cuMemGetInfo_v2(&left, &whole)) && bytes <= left / SHARE &&
                atomic_load(&had) + bytes <= whole / SHARE;
  memory *m = may_be ? calloc(1, sizeof *m) : NULL;
  if (m == NULL)
    return NULL;
  m->context = context;
  m->bytes = bytes;
  if (!gpu_is_ok(g->cuEventCreate(&m->event, GPU_NOT_TIMED))) {
    free(m);
    return NULL;
  }
  if (!gpu_is_ok(g->cuMemAlloc_v2(&m->at, bytes))) {
    g->cuEventDestroy_v2(m->event);
    free(m);
    return NULL;
  }
  atomic_fetch_add(&had, bytes);
  return m;
}

memory *memory_have(const gpu *g, const void *context, size_t bytes) {
  memory *m = find_retired(g, context, bytes);
  return m != NULL ? m : allocate(g, context, bytes);
}

// What no event can be recorded behind, as in a stream that is captured, isn't had again.
void memory_retire(const gpu *g, memory *m, void *stream) {
  int state = 0;
  bool is_known = gpu_is_ok(g->cuStreamIsCapturing(stream, &state)) && state == 0 &&
                  gpu_is_ok(g->cuEventRecord(m->event, stream));
  if (!is_known) {
    free(m);
    return;
  }
  pthread_mutex_lock(&lock);
  m->next = retired;
  retired = m;
  pthread_mutex_unlock(&lock);
}

void memory_lose(memory *m) {
  atomic_fetch_sub(&had, m->bytes);
  free(m);
}

void memory_forget(const void *context) {
  pthread_mutex_lock(&lock);
  for (memory **at = &retired; *at != NULL;) {
    memory *m = *at;
    if (m->context != context) {
      at = &m->next;
      continue;
    }
    *at = m->next;
    memory_lose(m);
  }
  pthread_mutex_unlock(&lock);
}
