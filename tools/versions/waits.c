#include "waits.h"

#include "activity.h"
#include "choose.h"
#include "orders.h"
#include "preload/gpu.h"
#include "settings.h"

static bool is_off(void) {
  return settings_get()->mode == VERSIONS_OFF || choose_is_silent() || orders_are_made();
}

// What was over is looked at before it is known that nothing more is under way: what comes then is
// something else.
int waits_behind(int status) {
  if (status == DRIVER_SUCCESS && !is_off())
    choose_collect();
  return status;
}

typedef int driver_wait_for(void *handle);

// The driver's may take no argument, and doesn't look at one then.
int stand_in_wait_all(void *function, void *context) {
  int status = waits_behind(AS(driver_wait_for, function)(context));
  if (status == DRIVER_SUCCESS && !is_off())
    activity_end_all();
  return status;
}

// Without a handle it is the legacy one or the thread's own.
int stand_in_wait_stream(void *function, void *stream) {
  int status = waits_behind(AS(driver_wait_for, function)(stream));
  if (status != DRIVER_SUCCESS || is_off())
    return status;
  activity_end(stream);
  if (stream == NULL)
    activity_end((void *)(uintptr_t)GPU_PER_THREAD);
  return status;
}

int stand_in_wait_event(void *function, void *event) {
  return waits_behind(AS(driver_wait_for, function)(event));
}

typedef int driver_copy(uint64_t to, uint64_t from, size_t size);

int stand_in_copy(void *function, uint64_t to, uint64_t from, size_t size) {
  int status = waits_behind(AS(driver_copy, function)(to, from, size));
  if (status == DRIVER_SUCCESS && !is_off())
    activity_end(NULL);
  return status;
}

typedef int driver_graph(void *graph, void *stream);

int stand_in_graph(void *function, void *graph, void *stream) {
  if (!is_off())
    activity_begin(stream);
  return AS(driver_graph, function)(graph, stream);
}
