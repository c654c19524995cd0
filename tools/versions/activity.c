#include "activity.h"

#include "preload/gpu.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST_STREAMS = 32 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // had for as long as the list is read
static uintptr_t streams[MOST_STREAMS];
static int count;
static bool is_over_full; // there are more
static atomic_uintptr_t last;
static atomic_ullong disturbed;

// A thread's own stream has the same handle in each thread.
static uintptr_t key_of(const void *stream) {
  static _Thread_local char own;
  uintptr_t handle = (uintptr_t)stream;
  if (handle == GPU_PER_THREAD)
    return (uintptr_t)&own;
  return handle == 0 ? GPU_LEGACY : handle;
}

static int find(uintptr_t key) {
  int i = 0;
  while (i < count && streams[i] != key)
    i++;
  return i;
}

bool activity_is_last(void *stream) {
  return atomic_load_explicit(&last, memory_order_relaxed) == key_of(stream);
}

void activity_begin(void *stream) {
  uintptr_t key = key_of(stream);
  if (activity_is_last(stream))
    return;
  pthread_mutex_lock(&lock);
  bool is_new = find(key) == count;
  if (is_new && count < MOST_STREAMS)
    streams[count++] = key;
  else if (is_new)
    is_over_full = true;
  if (count > 1 || is_over_full)
    atomic_fetch_add(&disturbed, 1);
  atomic_store(&last, key);
  pthread_mutex_unlock(&lock);
}

void activity_end(void *stream) {
  uintptr_t key = key_of(stream);
  pthread_mutex_lock(&lock);
  int i = find(key);
  if (i < count)
    streams[i] = streams[--count];
  if (atomic_load(&last) == key)
    atomic_store(&last, 0);
  pthread_mutex_unlock(&lock);
}

void activity_end_all(void) {
  pthread_mutex_lock(&lock);
  count = 0;
  is_over_full = false;
  atomic_store(&last, 0);
  pthread_mutex_unlock(&lock);
}

bool activity_is_alone(void *stream) {
  uintptr_t key = key_of(stream);
  pthread_mutex_lock(&lock);
  bool is_alone = !is_over_full && (count == 0 || (count == 1 && streams[0] == key));
  pthread_mutex_unlock(&lock);
  return is_alone;
}

uint64_t activity_disturbed(void) { return atomic_load(&disturbed); }
