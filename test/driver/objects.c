// Handles, the lock, and what every call has in common.
#include "driver.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// ---- objects -----------------------------------------------------------------------------------

enum { MAGIC = 0x6f626a65, LEAST_ADDRESS = 4096 };

static const char *const names[KINDS] = {"destroyed", "contexts",   "modules", "functions",
                                         "libraries", "kernels",    "streams", "events",
                                         "graphs",    "graph execs"};
static object *all;
static uint32_t counts[KINDS];

// What was destroyed last, if handles are to be used again.
static object *find_used(object_kind kind) {
  object *o = driver_settings.reuse ? all : NULL;
  while (o != NULL && (o->kind != DESTROYED || o->was != kind))
    o = o->next;
  return o;
}

void *object_new(object_kind kind, size_t size) {
  object *o = kind == FUNCTION ? find_used(kind) : NULL;
  counts[kind]++;
  if (o != NULL) {
    object *next = o->next;
    memset(o, 0, size);
    *o = (object){MAGIC, kind, kind, next};
    return o;
  }
  o = calloc(1, size);
  if (o == NULL)
    abort();
  *o = (object){MAGIC, kind, kind, all};
  all = o;
  return o;
}

bool object_is(const void *handle, object_kind kind) {
  const object *o = handle;
  return (uintptr_t)handle >= LEAST_ADDRESS && (uintptr_t)handle % sizeof(void *) == 0 &&
         o->magic == MAGIC && o->kind == kind;
}

void object_destroy(void *handle) {
  object *o = handle;
  counts[o->kind]--;
  o->kind = DESTROYED;
}

void objects_destroy_events(const gpu_context *c) {
  for (object *o = all; o != NULL; o = o->next)
    if (o->kind == EVENT && ((gpu_event *)o)->context == c)
      object_destroy(o);
}

// ---- every call --------------------------------------------------------------------------------

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool was_read;

int driver_enter(const char *function, const char *kernel) {
  pthread_mutex_lock(&lock);
  if (!was_read)
    settings_read();
  was_read = true;
  driver_now += driver_settings.call;
  return settings_failure(function, kernel);
}

int driver_leave(int status) {
  pthread_mutex_unlock(&lock);
  return status;
}

int driver_enter_context(const char *function) {
  int status = driver_enter(function, NULL);
  if (status == OK)
    status = context_status(driver_current);
  return status;
}

int driver_enter_unsafe(const char *function) {
  int status = driver_enter_context(function);
  return status == OK && captures_end() ? CAPTURE_UNSUPPORTED : status;
}

// What is left, and of all kernels how often they were launched.
__attribute__((destructor)) static void tell(void) {
  FILE *log = driver_settings.log;
  if (log == NULL)
    return;
  launches_tell(log);
  fprintf(log, "left:");
  for (object_kind k = STREAM; k <= EVENT; k++)
    fprintf(log, " %u %s", counts[k], names[k]);
  fprintf(log, " %u memories\n", driver_memories);
  fclose(log);
}
