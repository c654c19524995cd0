#include "allocations.h"

#include "allocated.h"
#include "alone.h"
#include "silence.h"
#include "waits.h"

#include <errno.h>

typedef int driver_allocate(uint64_t *at, size_t size);
typedef int driver_allocate_managed(uint64_t *at, size_t size, unsigned flags);
typedef int driver_allocate_pitch(uint64_t *at, size_t *pitch, size_t width, size_t height,
                                  unsigned element);
typedef int driver_allocate_async(uint64_t *at, size_t size, void *stream);
typedef int driver_allocate_from(uint64_t *at, size_t size, void *pool, void *stream);

static void enter(bool is_checking) {
  if (is_checking)
    allocated_enter();
}

static void leave(bool is_checking) {
  const int error = errno;
  if (is_checking)
    allocated_go_on();
  errno = error;
}

static int allocated(void *function, int status, const uint64_t *at, size_t size) {
  const int error = errno;
  void *context;
  const gpu *g = allocated_is_on() && status == DRIVER_SUCCESS ? gpu_of(function) : NULL;
  if (g != NULL && gpu_is_ok(g->cuCtxGetCurrent(&context))) {
    allocated_enter();
    allocated_add(*at, size, context);
    allocated_go_on();
  }
  errno = error;
  return status;
}

int stand_in_allocate(void *function, uint64_t *at, size_t size) {
  return allocated(function, AS(driver_allocate, function)(at, size), at, size);
}

int stand_in_allocate_managed(void *function, uint64_t *at, size_t size, unsigned flags) {
  return allocated(function, AS(driver_allocate_managed, function)(at, size, flags), at, size);
}

int stand_in_allocate_pitch(void *function, uint64_t *at, size_t *pitch, size_t width,
                            size_t height, unsigned element) {
  const int status = AS(driver_allocate_pitch, function)(at, pitch, width, height, element);
  return allocated(function, status, at, status == DRIVER_SUCCESS ? *pitch * height : 0);
}

int stand_in_allocate_async(void *function, uint64_t *at, size_t size, void *stream) {
  return allocated(function, AS(driver_allocate_async, function)(at, size, stream), at, size);
}

int stand_in_allocate_from(void *function, uint64_t *at, size_t size, void *pool, void *stream) {
  return allocated(function, AS(driver_allocate_from, function)(at, size, pool, stream), at, size);
}

typedef int driver_free(uint64_t at);
typedef int driver_free_async(uint64_t at, void *stream);

int stand_in_free_memory(void *function, uint64_t at) {
  const bool is_checking = allocated_is_on();
  enter(is_checking);
  if (is_checking)
    allocated_drop(at);
  const int status = AS(driver_free, function)(at);
  leave(is_checking);
  return waits_behind(status);
}

int stand_in_free_async(void *function, uint64_t at, void *stream) {
  const bool is_checking = allocated_is_on();
  enter(is_checking);
  if (is_checking)
    allocated_drop(at);
  const int status = AS(driver_free_async, function)(at, stream);
  leave(is_checking);
  return status;
}

typedef int driver_capture(void *stream, int mode);
typedef int driver_capture_to(void *stream, void *graph, const void *from, const void *edges,
                              size_t count, int mode);
typedef int driver_capture_end(void *stream, void **graph);

// Before a capture begins, and behind that: nothing is checked until it ends, and no launch runs
// alone.
static bool begin_capture(bool is_checking) {
  enter(is_checking);
  const bool is_told = !silence_is_kept();
  if (is_told)
    alone_capture();
  return is_told;
}

static int begun_capture(bool is_checking, bool is_told, int status) {
  if (is_checking && status == DRIVER_SUCCESS)
    allocated_capture(true);
  if (is_told && status != DRIVER_SUCCESS)
    alone_capture_over();
  leave(is_checking);
  return status;
}

int stand_in_capture(void *function, void *stream, int mode) {
  const bool is_checking = allocated_is_on(), is_told = begin_capture(is_checking);
  const int status = AS(driver_capture, function)(stream, mode);
  return begun_capture(is_checking, is_told, status);
}

int stand_in_capture_to(void *function, void *stream, void *graph, const void *from,
                        const void *edges, size_t edge_count, int mode) {
  const bool is_checking = allocated_is_on(), is_told = begin_capture(is_checking);
  const int status = AS(driver_capture_to, function)(stream, graph, from, edges, edge_count, mode);
  return begun_capture(is_checking, is_told, status);
}

// A capture that was made invalid ends with an error.
int stand_in_capture_end(void *function, void *stream, void **graph) {
  const bool is_checking = allocated_is_on();
  enter(is_checking);
  const int status = AS(driver_capture_end, function)(stream, graph);
  if (is_checking)
    allocated_capture(false);
  if (!silence_is_kept() && (status == DRIVER_SUCCESS || status == GPU_INVALIDATED))
    alone_capture_over();
  leave(is_checking);
  return status;
}
