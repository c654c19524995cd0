// Handles, the lock, and what every call has in common.
#include "standin.h"

#include "exports.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// ---- objects -----------------------------------------------------------------------------------

enum { MAGIC = 0x6f626a65, LEAST_ADDRESS = 4096 };

static const char *const names[KINDS] = {"destroyed", "contexts",    "modules", "functions",
                                         "libraries", "kernels",     "streams", "events",
                                         "graphs",    "graph execs", "linkers"};
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

// A lock that the thread sanitizer doesn't see, where this isn't built with it: else all that
// threads do before and behind a call would be in order, and no race between them would ever be
// found.
static atomic_flag lock = ATOMIC_FLAG_INIT;
static bool was_read;

static void lock_all(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
    sched_yield();
}

static void unlock_all(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

int driver_enter(const char *function, const char *kernel) {
  lock_all();
  if (!was_read)
    settings_read();
  was_read = true;
  driver_now += driver_settings.call;
  launches_go_on();
  return settings_failure(function, kernel);
}

int driver_leave(int status) {
  unlock_all();
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
static void tell(FILE *log) {
  settings_tell(log);
  launches_tell(log);
  fprintf(log, "left:");
  for (object_kind k = STREAM; k <= EVENT; k++)
    fprintf(log, " %u %s", counts[k], names[k]);
  fprintf(log, " %u memories\n", driver_memories);
}

int stand_in_tell(const char *name) {
  LEAVE_UNLESS_OK(driver_enter("stand_in_tell", NULL));
  FILE *log = fopen(name, "w");
  if (log == NULL)
    return driver_leave(INVALID_VALUE);
  tell(log);
  fclose(log);
  return driver_leave(OK);
}

__attribute__((destructor)) static void tell_at_end(void) {
  if (driver_settings.log == NULL)
    return;
  tell(driver_settings.log);
  fclose(driver_settings.log);
}
