// The clock, streams, events, and graphs that are captured of streams.
#include "standin.h"

#include "exports.h"

#include <stdlib.h>
#include <string.h>

uint64_t driver_now;

void driver_wait(uint64_t until) { driver_now = until > driver_now ? until : driver_now; }

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

// ---- streams -----------------------------------------------------------------------------------

static gpu_stream **all; // that live
static uint32_t count, capacity;

static gpu_stream *make(gpu_context *c, bool is_blocking) {
  gpu_stream *s = object_new(STREAM, sizeof *s);
  s->context = c;
  s->is_blocking = is_blocking;
  if (count == capacity) {
    capacity = capacity == 0 ? 16 : 2 * capacity;
    all = realloc(all, capacity * sizeof(gpu_stream *));
    if (all == NULL)
      abort();
  }
  all[count++] = s;
  return s;
}

static void destroy(gpu_stream *s) {
  for (uint32_t i = 0; i < count; i++)
    if (all[i] == s)
      all[i] = all[--count];
  object_destroy(s);
}

void streams_destroy(const gpu_context *c) {
  for (uint32_t i = count; i > 0; i--)
    if (all[i - 1]->context == c)
      destroy(all[i - 1]);
}

static gpu_stream *legacy(gpu_context *c) {
  if (c->legacy == NULL)
    c->legacy = make(c, false);
  return c->legacy;
}

static gpu_stream *own(gpu_context *c) {
  static _Thread_local gpu_stream *of_thread;
  if (of_thread == NULL || of_thread->object.kind != STREAM || of_thread->context != c)
    of_thread = make(c, true);
  return of_thread;
}

enum { LEGACY = 1, PER_THREAD = 2 };

gpu_stream *stream_of(void *handle) {
  uintptr_t number = (uintptr_t)handle;
  if (number == 0 || number == LEGACY)
    return legacy(driver_current);
  if (number == PER_THREAD)
    return own(driver_current);
  return object_is(handle, STREAM) ? handle : NULL;
}

gpu_stream *stream_of_thread(void *handle) {
  return stream_of(handle == NULL ? (void *)(uintptr_t)PER_THREAD : handle);
}

// The legacy stream and the blocking ones wait for each other.
uint64_t stream_work(gpu_stream *s, uint64_t ns) {
  uint64_t start = later(s->busy, driver_now);
  bool is_legacy = s == s->context->legacy;
  for (uint32_t i = 0; i < count; i++)
    if (all[i]->context == s->context &&
        ((is_legacy && all[i]->is_blocking) || (s->is_blocking && all[i] == s->context->legacy)))
      start = later(start, all[i]->busy);
  return s->busy = start + ns;
}

uint64_t streams_at_work(const gpu_stream *s) {
  const uint64_t start = later(s->busy, driver_now);
  uint64_t at_work = 1;
  for (uint32_t i = 0; i < count; i++)
    at_work += all[i] != s && all[i]->context == s->context && all[i]->busy > start;
  return at_work;
}

uint64_t context_end(const gpu_context *c) {
  uint64_t end = 0;
  for (uint32_t i = 0; i < count; i++)
    if (all[i]->context == c)
      end = later(end, all[i]->busy);
  return end;
}

static int create_stream(const char *function, void **handle, unsigned flags) {
  enum { NON_BLOCKING = 1 };
  LEAVE_UNLESS_OK(driver_enter_context(function));
  *handle = make(driver_current, (flags & NON_BLOCKING) == 0);
  return driver_leave(OK);
}

int cuStreamCreate(void **handle, unsigned flags) {
  return create_stream("cuStreamCreate", handle, flags);
}

int cuStreamCreateWithPriority(void **handle, unsigned flags, int priority) {
  (void)priority;
  return create_stream("cuStreamCreateWithPriority", handle, flags);
}

int cuStreamDestroy_v2(void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuStreamDestroy"));
  if (!object_is(handle, STREAM))
    return driver_leave(INVALID_HANDLE);
  destroy(handle);
  return driver_leave(OK);
}

// What waits for a stream that is captured ends the capture.
static int wait_for(gpu_stream *s, bool waits) {
  if (s == NULL)
    return INVALID_HANDLE;
  if (s->captured != NULL) {
    s->is_invalidated = true;
    return CAPTURE_UNSUPPORTED;
  }
  if (waits)
    driver_wait(s->busy);
  int status = context_status(s->context);
  return status != OK ? status : s->busy <= driver_now ? OK : NOT_READY;
}

int cuStreamSynchronize(void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuStreamSynchronize"));
  return driver_leave(wait_for(stream_of(handle), true));
}

int cuStreamSynchronize_ptsz(void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuStreamSynchronize"));
  return driver_leave(wait_for(stream_of_thread(handle), true));
}

int cuStreamQuery(void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuStreamQuery"));
  return driver_leave(wait_for(stream_of(handle), false));
}

// What is in front of it is done, for that was when it was called.
int cuLaunchHostFunc(void *handle, void (*function)(void *), void *of) {
  LEAVE_UNLESS_OK(driver_enter_context("cuLaunchHostFunc"));
  const gpu_stream *s = stream_of(handle);
  if (s == NULL || function == NULL)
    return driver_leave(s == NULL ? INVALID_HANDLE : INVALID_VALUE);
  if (s->captured != NULL)
    return driver_leave(NOT_SUPPORTED);
  driver_leave(OK);
  function(of);
  return OK;
}

int cuCtxSynchronize(void) {
  LEAVE_UNLESS_OK(driver_enter_unsafe("cuCtxSynchronize"));
  driver_wait(context_end(driver_current));
  return driver_leave(context_status(driver_current));
}

// ---- events ------------------------------------------------------------------------------------

enum { DISABLE_TIMING = 2 };

int cuEventCreate(void **handle, unsigned flags) {
  LEAVE_UNLESS_OK(driver_enter_context("cuEventCreate"));
  gpu_event *e = object_new(EVENT, sizeof *e);
  e->context = driver_current;
  e->is_timed = (flags & DISABLE_TIMING) == 0;
  *handle = e;
  return driver_leave(OK);
}

int cuEventDestroy_v2(void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuEventDestroy"));
  if (!object_is(handle, EVENT))
    return driver_leave(INVALID_HANDLE);
  object_destroy(handle);
  return driver_leave(OK);
}

static int record(void *handle, gpu_stream *s) {
  gpu_event *e = handle;
  if (!object_is(handle, EVENT) || s == NULL || s->context != e->context)
    return INVALID_HANDLE;
  e->is_recorded = true;
  e->asked = 0;
  e->is_captured = s->captured != NULL;
  e->time = e->is_captured ? 0 : stream_work(s, 0);
  return OK;
}

int cuEventRecord(void *handle, void *at) {
  LEAVE_UNLESS_OK(driver_enter_context("cuEventRecord"));
  return driver_leave(record(handle, stream_of(at)));
}

int cuEventRecord_ptsz(void *handle, void *at) {
  LEAVE_UNLESS_OK(driver_enter_context("cuEventRecord"));
  return driver_leave(record(handle, stream_of_thread(at)));
}

static int state_of(const gpu_event *e) {
  if (!object_is(e, EVENT))
    return INVALID_HANDLE;
  if (e->is_captured)
    return CAPTURED_EVENT;
  return !e->is_recorded || e->time <= driver_now ? OK : NOT_READY;
}

int cuEventQuery(void *handle) {
  enum { MOST_DOUBLED = 20 };
  LEAVE_UNLESS_OK(driver_enter_unsafe("cuEventQuery"));
  int state = state_of(handle);
  gpu_event *e = handle;
  if (state == NOT_READY) // who does nothing but ask comes to its end, too
    driver_now += UINT64_C(1) << (e->asked < MOST_DOUBLED ? e->asked++ : MOST_DOUBLED);
  return driver_leave(state);
}

int cuEventSynchronize(void *handle) {
  LEAVE_UNLESS_OK(driver_enter_unsafe("cuEventSynchronize"));
  int state = state_of(handle);
  if (state == NOT_READY)
    driver_wait(((gpu_event *)handle)->time);
  return driver_leave(state == NOT_READY ? context_status(driver_current) : state);
}

int cuEventElapsedTime(float *ms, void *from, void *to) {
  LEAVE_UNLESS_OK(driver_enter_unsafe("cuEventElapsedTime"));
  const gpu_event *a = from, *b = to;
  int first = state_of(a), second = state_of(b);
  if (first != OK || second != OK)
    return driver_leave(first != OK ? first : second);
  if (!a->is_recorded || !b->is_recorded || !a->is_timed || !b->is_timed)
    return driver_leave(INVALID_HANDLE);
  double ns = driver_settings.elapsed != 0 ? (double)(int64_t)driver_settings.elapsed
                                           : (double)b->time - (double)a->time;
  *ms = (float)(ns / 1e6);
  return driver_leave(OK);
}

int cuStreamWaitEvent(void *handle, void *event_handle, unsigned flags) {
  (void)flags;
  LEAVE_UNLESS_OK(driver_enter_context("cuStreamWaitEvent"));
  gpu_stream *s = stream_of(handle);
  const gpu_event *e = event_handle;
  if (s == NULL || !object_is(e, EVENT))
    return driver_leave(INVALID_HANDLE);
  if (s->captured != NULL && !e->is_captured) {
    s->is_invalidated = true;
    return driver_leave(CAPTURE_ISOLATION);
  }
  if (e->is_recorded && !e->is_captured)
    s->busy = later(s->busy, e->time);
  return driver_leave(OK);
}

// ---- captures ----------------------------------------------------------------------------------

typedef struct gpu_graph {
  object object;
  gpu_launch *launches;
  uint32_t count;
} gpu_graph;

enum { GLOBAL, THREAD_LOCAL, RELAXED };
enum { NOT_CAPTURING, CAPTURING, INVALIDATED };

static _Thread_local int thread_mode;
static _Thread_local uint32_t captures; // that the thread has begun
static uint32_t global_captures;        // by any

// A thread may disturb nobody's captures but in relaxed mode; in that of its own alone, its own.
bool captures_end(void) {
  bool is_forbidden = thread_mode == GLOBAL         ? global_captures > 0 || captures > 0
                      : thread_mode == THREAD_LOCAL ? captures > 0
                                                    : false;
  for (uint32_t i = 0; is_forbidden && i < count; i++)
    all[i]->is_invalidated |= all[i]->captured != NULL;
  return is_forbidden;
}

int cuThreadExchangeStreamCaptureMode(int *mode) {
  LEAVE_UNLESS_OK(driver_enter("cuThreadExchangeStreamCaptureMode", NULL));
  int before = thread_mode;
  thread_mode = *mode;
  *mode = before;
  return driver_leave(OK);
}

int cuStreamBeginCapture_v2(void *handle, int mode) {
  LEAVE_UNLESS_OK(driver_enter_context("cuStreamBeginCapture"));
  gpu_stream *s = stream_of(handle);
  if (s == NULL || s->captured != NULL || s == driver_current->legacy)
    return driver_leave(s == NULL ? INVALID_HANDLE : CAPTURE_UNSUPPORTED);
  s->captured = object_new(GRAPH, sizeof(gpu_graph));
  s->is_invalidated = false;
  s->mode = mode;
  captures += mode != RELAXED;
  global_captures += mode == GLOBAL;
  return driver_leave(OK);
}

int cuStreamEndCapture(void *handle, void **made) {
  LEAVE_UNLESS_OK(driver_enter_context("cuStreamEndCapture"));
  gpu_stream *s = stream_of(handle);
  if (s == NULL || s->captured == NULL)
    return driver_leave(s == NULL ? INVALID_HANDLE : INVALID_VALUE);
  captures -= s->mode != RELAXED;
  global_captures -= s->mode == GLOBAL;
  *made = s->is_invalidated ? NULL : s->captured;
  s->captured = NULL;
  return driver_leave(s->is_invalidated ? CAPTURE_INVALIDATED : OK);
}

static int capture_state(const gpu_stream *s, int *state) {
  if (s == NULL)
    return INVALID_HANDLE;
  *state = s->captured == NULL ? NOT_CAPTURING : s->is_invalidated ? INVALIDATED : CAPTURING;
  return OK;
}

int cuStreamIsCapturing(void *handle, int *state) {
  LEAVE_UNLESS_OK(driver_enter_context("cuStreamIsCapturing"));
  return driver_leave(capture_state(stream_of(handle), state));
}

int cuStreamIsCapturing_ptsz(void *handle, int *state) {
  LEAVE_UNLESS_OK(driver_enter_context("cuStreamIsCapturing"));
  return driver_leave(capture_state(stream_of_thread(handle), state));
}

// ---- graphs ------------------------------------------------------------------------------------

void graph_add(gpu_graph *g, const gpu_launch *l) {
  g->launches = realloc(g->launches, (g->count + 1U) * sizeof *l);
  if (g->launches == NULL)
    abort();
  launch_copy(&g->launches[g->count++], l);
}

int cuGraphInstantiateWithFlags(void **exec, void *handle, unsigned long long flags) {
  (void)flags;
  LEAVE_UNLESS_OK(driver_enter_context("cuGraphInstantiate"));
  if (!object_is(handle, GRAPH))
    return driver_leave(INVALID_HANDLE);
  const gpu_graph *from = handle;
  gpu_graph *to = object_new(GRAPH_EXEC, sizeof *to);
  for (uint32_t i = 0; i < from->count; i++)
    graph_add(to, &from->launches[i]);
  *exec = to;
  return driver_leave(OK);
}

int cuGraphLaunch(void *exec, void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuGraphLaunch"));
  const gpu_graph *g = exec;
  gpu_stream *s = stream_of(handle);
  if (!object_is(exec, GRAPH_EXEC) || s == NULL)
    return driver_leave(INVALID_HANDLE);
  for (uint32_t i = 0; i < g->count; i++)
    launch_run(&g->launches[i], s, "graph");
  return driver_leave(OK);
}

static int destroy_graph(void *handle, object_kind kind) {
  if (!object_is(handle, kind))
    return INVALID_HANDLE;
  gpu_graph *g = handle;
  for (uint32_t i = 0; i < g->count; i++)
    free(g->launches[i].arguments);
  free(g->launches);
  object_destroy(g);
  return OK;
}

int cuGraphDestroy(void *handle) {
  LEAVE_UNLESS_OK(driver_enter("cuGraphDestroy", NULL));
  return driver_leave(destroy_graph(handle, GRAPH));
}

int cuGraphExecDestroy(void *handle) {
  LEAVE_UNLESS_OK(driver_enter("cuGraphExecDestroy", NULL));
  return driver_leave(destroy_graph(handle, GRAPH_EXEC));
}
