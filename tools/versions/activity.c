#include "activity.h"

#include "preload/gpu.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST_STREAMS = 32 };

typedef struct known {
  uintptr_t key;
  void *handle;
  bool is_active, may_wait; // the latter of work that is under way
  uint64_t mark;            // when it got work last
  uint64_t queued;          // ns of work since it was idle, or all streams waited for one event
} known;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // had for as long as the list is read
static known streams[MOST_STREAMS];
static int count, active;
static bool is_over_full; // there are more that are active,
static uint64_t over;     // of that mark
static const void *context_of_all;
static bool are_of_several;
static atomic_bool is_unseen;
static atomic_uintptr_t last; // a key, and whether its work ends
static atomic_ullong marks, disturbed, begun, strangers;
static int behind;          // the stream that came last, or a number that is none's
static atomic_ullong added; // ns of that, not in its `queued` yet

enum { FOR_EVER = 1000000 }; // s: of work that nobody knows

// A thread's own stream has the same handle in each thread.
static uintptr_t key_of(const void *stream) {
  static _Thread_local uintptr_t own;
  uintptr_t handle = (uintptr_t)stream;
  if (handle == GPU_PER_THREAD)
    return (uintptr_t)&own;
  return handle == 0 ? GPU_LEGACY : handle;
}

// No address has that bit.
static uintptr_t last_of(uintptr_t key, bool ends) {
  return key | (uintptr_t)!ends << (8 * sizeof key - 1);
}

static int find(uintptr_t key) {
  int i = 0;
  while (i < count && streams[i].key != key)
    i++;
  return i;
}

bool activity_is_last(void *stream, bool ends) {
  return atomic_load(&last) == last_of(key_of(stream), ends);
}

void activity_add(uint64_t time) {
  const uint64_t before = atomic_load_explicit(&added, memory_order_relaxed);
  time = time == 0 ? (uint64_t)FOR_EVER * 1000000000 : time;
  atomic_store_explicit(&added, before + time, memory_order_relaxed);
}

// Behind that, another stream is the one that came last.
static void add_up(int next) {
  const uint64_t time = atomic_exchange(&added, 0);
  if (behind < count && streams[behind].is_active)
    streams[behind].queued += time;
  behind = next;
}

static int find_idle(void) {
  int i = 0;
  while (i < count && streams[i].is_active)
    i++;
  return i;
}

// A place for a stream that isn't known; `count`: there is none.
static int add(uintptr_t key, void *stream) {
  int i = count < MOST_STREAMS ? count++ : find_idle();
  if (i < count)
    streams[i] = (known){.key = key, .handle = stream};
  atomic_fetch_add(&strangers, 1);
  return i;
}

static void note_context(const void *context) {
  if (context_of_all == NULL)
    context_of_all = context;
  are_of_several |= context == NULL || context != context_of_all;
}

void activity_begin(void *stream, bool ends, const void *context) {
  uintptr_t key = key_of(stream);
  if (activity_is_last(stream, ends))
    return;
  pthread_mutex_lock(&lock);
  note_context(context);
  atomic_fetch_add(&begun, 1);
  int i = find(key);
  if (i == count)
    i = add(key, stream);
  const uint64_t mark = atomic_load(&marks);
  add_up(i);
  if (i < count) {
    active += !streams[i].is_active;
    streams[i].is_active = true;
    streams[i].may_wait |= !ends;
    streams[i].mark = mark;
  } else {
    is_over_full = true;
    over = mark;
  }
  if (active > 1 || is_over_full)
    atomic_fetch_add(&disturbed, 1);
  atomic_store(&last, last_of(key, ends));
  pthread_mutex_unlock(&lock);
}

// Whoever begins from now on looks at the list.
uint64_t activity_mark(void) {
  pthread_mutex_lock(&lock);
  const uint64_t mark = atomic_fetch_add(&marks, 1) + 1;
  add_up(MOST_STREAMS);
  atomic_store(&last, 0);
  pthread_mutex_unlock(&lock);
  return mark;
}

static void end(known *s, uint64_t mark) {
  if (!s->is_active || s->mark >= mark)
    return;
  s->is_active = s->may_wait = false;
  s->queued = 0;
  active--;
}

void activity_end(void *stream, uint64_t mark) {
  pthread_mutex_lock(&lock);
  int i = find(key_of(stream));
  if (i < count)
    end(&streams[i], mark);
  pthread_mutex_unlock(&lock);
}

void activity_end_all(uint64_t mark) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < count; i++)
    end(&streams[i], mark);
  is_over_full &= over >= mark;
  pthread_mutex_unlock(&lock);
}

// What it has under way goes on. Others may have been made to wait for that.
void activity_forget(void *stream) {
  uintptr_t key = key_of(stream);
  pthread_mutex_lock(&lock);
  int i = find(key);
  add_up(MOST_STREAMS);
  if (i < count) {
    if (streams[i].may_wait) {
      is_over_full = true;
      over = streams[i].mark;
    }
    active -= streams[i].is_active;
    streams[i] = streams[--count];
  }
  atomic_store(&last, 0);
  pthread_mutex_unlock(&lock);
}

static bool may_any_wait(void) {
  bool may_wait = is_over_full;
  for (int i = 0; i < count; i++)
    may_wait |= streams[i].may_wait;
  return may_wait;
}

// Which streams are whose isn't known.
void activity_forget_all(const void *context) {
  pthread_mutex_lock(&lock);
  if (context == NULL || are_of_several || context == context_of_all) {
    if (context == NULL && may_any_wait())
      activity_is_unseen();
    count = active = 0;
    behind = MOST_STREAMS;
    is_over_full = false;
    context_of_all = NULL;
    atomic_store(&last, 0);
  }
  pthread_mutex_unlock(&lock);
}

bool activity_is_alone(void *stream) {
  uintptr_t key = key_of(stream);
  pthread_mutex_lock(&lock);
  int i = find(key);
  bool is_alone = !is_over_full && active == (i < count && streams[i].is_active);
  pthread_mutex_unlock(&lock);
  return is_alone;
}

uint32_t activity_streams(void) {
  pthread_mutex_lock(&lock);
  const uint32_t streams_at_work = (uint32_t)active;
  pthread_mutex_unlock(&lock);
  return streams_at_work;
}

uint64_t activity_disturbed(void) { return atomic_load(&disturbed); }

uint64_t activity_begun(void) { return atomic_load(&begun); }

uint64_t activity_strangers(void) { return atomic_load(&strangers); }

void activity_is_unseen(void) { atomic_store(&is_unseen, true); }

// ---- the others --------------------------------------------------------------------------------

static bool may_be_waited_for(const known *s) {
  return !s->may_wait && (uintptr_t)s->handle != GPU_PER_THREAD;
}

static bool find_others(uintptr_t key, activity_others *o) {
  uint64_t least = UINT64_MAX, most = 0;
  *o = (activity_others){.active = 0};
  add_up(behind);
  if (count > ACTIVITY_MOST_OTHERS + (find(key) < count))
    return false;
  for (int i = 0; i < count; i++) {
    least = streams[i].queued < least ? streams[i].queued : least;
    most = streams[i].queued > most ? streams[i].queued : most;
  }
  o->uneven = count > 0 ? most - least : 0;
  for (int wanted = 1; wanted >= 0; wanted--)
    for (int i = 0; i < count; i++) {
      if (!may_be_waited_for(&streams[i]))
        return false;
      if (streams[i].key == key || streams[i].is_active != (wanted == 1))
        continue;
      o->active += streams[i].is_active;
      o->stream[o->count++] = streams[i].handle;
    }
  return true;
}

void activity_align(void) {
  pthread_mutex_lock(&lock);
  add_up(behind);
  for (int i = 0; i < count; i++)
    streams[i].queued = 0;
  pthread_mutex_unlock(&lock);
}

bool activity_find_others(void *stream, const void *context, activity_others *others) {
  pthread_mutex_lock(&lock);
  bool are_found = !atomic_load(&is_unseen) && !is_over_full && !are_of_several &&
                   context_of_all == context && find_others(key_of(stream), others);
  pthread_mutex_unlock(&lock);
  return are_found;
}
