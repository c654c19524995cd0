#include "alone.h"

#include "activity.h"

#include <pthread.h>

// Had by who tells other streams' handles to the driver; launches don't wait for it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t captures;
static const void *context_of_events;
static void *events[ACTIVITY_MOST_OTHERS]; // NULL: not made yet

static void *stream_of(const gpu *g, const launch *l) { return gpu_stream(g, l->shape.stream); }

static bool find(const gpu *g, const launch *l, const void *context, activity_others *o) {
  return captures == 0 && g->cuStreamWaitEvent != NULL &&
         activity_find_others(stream_of(g, l), context, o);
}

uint32_t alone_streams(const gpu *g, const launch *l, const void *context, uint64_t *uneven) {
  activity_others o;
  if (pthread_mutex_trylock(&lock) != 0)
    return 0;
  const bool are_found = find(g, l, context, &o);
  pthread_mutex_unlock(&lock);
  *uneven = are_found ? o.uneven : 0;
  return are_found ? o.active + 1 : 0;
}

static bool have_events(const gpu *g, const void *context, uint32_t count) {
  if (context_of_events == NULL)
    context_of_events = context;
  if (context_of_events != context)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (events[i] == NULL && !gpu_is_ok(g->cuEventCreate(&events[i], GPU_NOT_TIMED))) {
      events[i] = NULL;
      return false;
    }
  return true;
}

// What others enqueued before the events were recorded is known of by then. An event may be
// recorded anew while somebody waits for it as it was.
static bool begin(const alone *a, const gpu *g, const launch *l, const void *context) {
  activity_others o;
  if (!find(g, l, context, &o) || !have_events(g, context, o.active))
    return false;
  for (uint32_t i = 0; i < o.active; i++)
    if (!gpu_is_ok(g->cuEventRecord(events[i], o.stream[i])))
      return false;
  if (activity_begun() != a->begun)
    return false;
  for (uint32_t i = 0; i < o.active; i++)
    if (!gpu_is_ok(g->cuStreamWaitEvent(stream_of(g, l), events[i], 0)))
      return false;
  return true;
}

bool alone_begin(alone *a, const gpu *g, const launch *l, const void *context) {
  *a = (alone){activity_begun(), activity_strangers()};
  if (pthread_mutex_trylock(&lock) != 0)
    return false;
  const bool is_begun = begin(a, g, l, context);
  pthread_mutex_unlock(&lock);
  return is_begun;
}

static bool end(const alone *a, const gpu *g, const launch *l, const void *context, void *event) {
  activity_others o;
  if (activity_begun() != a->begun || !find(g, l, context, &o))
    return false;
  for (uint32_t i = 0; i < o.count; i++)
    if (!gpu_is_ok(g->cuStreamWaitEvent(o.stream[i], event, 0)))
      return false;
  if (activity_begun() != a->begun)
    return false;
  activity_align();
  return true;
}

bool alone_end(const alone *a, const gpu *g, const launch *l, const void *context, void *event) {
  if (pthread_mutex_trylock(&lock) != 0)
    return false;
  const bool is_ended = end(a, g, l, context, event);
  pthread_mutex_unlock(&lock);
  return is_ended;
}

bool alone_was_undisturbed(const alone *a) { return activity_strangers() == a->strangers; }

// ---- what ends ---------------------------------------------------------------------------------

void alone_forget_stream(void *stream) {
  pthread_mutex_lock(&lock);
  activity_forget(stream);
  pthread_mutex_unlock(&lock);
}

void alone_forget_all(const void *context) {
  pthread_mutex_lock(&lock);
  activity_forget_all(context);
  const bool are_over = context == NULL || context == context_of_events;
  context_of_events = are_over ? NULL : context_of_events;
  for (int i = 0; i < ACTIVITY_MOST_OTHERS && are_over; i++)
    events[i] = NULL;
  pthread_mutex_unlock(&lock);
}

void alone_capture(void) {
  pthread_mutex_lock(&lock);
  captures++;
  pthread_mutex_unlock(&lock);
}

void alone_capture_over(void) {
  pthread_mutex_lock(&lock);
  captures -= captures > 0;
  pthread_mutex_unlock(&lock);
}
