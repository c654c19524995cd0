#include "waits.h"

#include "activity.h"
#include "choose.h"
#include "preload/gpu.h"
#include "silence.h"

// What was over is looked at before it is known that nothing more is under way: what comes then is
// something else.
int waits_behind(int status) {
  if (status == DRIVER_SUCCESS && !silence_is_kept())
    choose_collect();
  return status;
}

typedef int driver_wait_for(void *handle);

// The driver's may take no argument, and doesn't look at one then.
int stand_in_wait_all(void *function, void *context) {
  const uint64_t mark = silence_is_kept() ? 0 : activity_mark();
  int status = waits_behind(AS(driver_wait_for, function)(context));
  if (status == DRIVER_SUCCESS && !silence_is_kept())
    activity_end_all(mark);
  return status;
}

// Without a handle it is the legacy one or the thread's own.
int stand_in_wait_stream(void *function, void *stream) {
  const uint64_t mark = silence_is_kept() ? 0 : activity_mark();
  int status = waits_behind(AS(driver_wait_for, function)(stream));
  if (status != DRIVER_SUCCESS || silence_is_kept())
    return status;
  activity_end(stream, mark);
  if (stream == NULL)
    activity_end((void *)(uintptr_t)GPU_PER_THREAD, mark);
  return status;
}

int stand_in_wait_event(void *function, void *event) {
  return waits_behind(AS(driver_wait_for, function)(event));
}

typedef int driver_copy(uint64_t to, uint64_t from, size_t size);

int stand_in_copy(void *function, uint64_t to, uint64_t from, size_t size) {
  const uint64_t mark = silence_is_kept() ? 0 : activity_mark();
  int status = waits_behind(AS(driver_copy, function)(to, from, size));
  if (status == DRIVER_SUCCESS && !silence_is_kept())
    activity_end(NULL, mark);
  return status;
}

typedef int driver_graph(void *graph, void *stream);

int stand_in_graph(void *function, void *graph, void *stream) {
  void *context = NULL;
  const gpu *g = silence_is_kept() ? NULL : gpu_of(function);
  if (g == NULL)
    return AS(driver_graph, function)(graph, stream);
  g->cuCtxGetCurrent(&context);
  activity_begin(stream, false, context);
  const int status = AS(driver_graph, function)(graph, stream);
  activity_begin(stream, false, context);
  return status;
}

typedef int driver_unseen(uintptr_t, uintptr_t, uintptr_t, uintptr_t);

int stand_in_unseen(void *function, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d) {
  activity_is_unseen();
  return AS(driver_unseen, function)(a, b, c, d);
}

typedef int driver_open_event(void **event, ipc_event handle);

int stand_in_open_event(void *function, void **event, ipc_event handle) {
  activity_is_unseen();
  return AS(driver_open_event, function)(event, handle);
}
