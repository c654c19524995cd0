#include "allocated.h"

#include "alone.h"
#include "choose.h"
#include "orders.h"
#include "settings.h"
#include "waits.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct allocation {
  gpu_address at;
  size_t size;
  const void *context;
} allocation;

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER; // of all that follows
static allocation *table;                                // [count] by address
static uint32_t count, capacity;
static uint32_t captures; // that are under way

static bool is_on(void) {
  return settings_get()->check != NULL && !choose_is_silent() && !orders_are_made();
}

bool allocated_hold(void) {
  pthread_mutex_lock(&held);
  const bool is_captured = captures > 0;
  if (is_captured)
    pthread_mutex_unlock(&held);
  return !is_captured;
}

void allocated_go_on(void) { pthread_mutex_unlock(&held); }

// ---- the table ---------------------------------------------------------------------------------

// The first one that doesn't lie before it.
static uint32_t place_of(gpu_address at) {
  uint32_t low = 0, high = count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (table[middle].at < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool make_room(void) {
  if (count < capacity)
    return true;
  const uint32_t more = capacity == 0 ? 64 : 2 * capacity;
  allocation *moved = realloc(table, more * sizeof *table);
  if (moved == NULL)
    return false;
  table = moved;
  capacity = more;
  return true;
}

// What stood at the address was freed by ways that nobody knows of.
static void add(gpu_address at, size_t size, const void *context) {
  const uint32_t place = place_of(at);
  const bool is_there = place < count && table[place].at == at;
  if (!is_there && !make_room())
    return;
  if (!is_there) {
    memmove(&table[place + 1], &table[place], (count - place) * sizeof *table);
    count++;
  }
  table[place] = (allocation){at, size, context};
}

static void forget(gpu_address at) {
  const uint32_t place = place_of(at);
  if (place == count || table[place].at != at)
    return;
  count--;
  memmove(&table[place], &table[place + 1], (count - place) * sizeof *table);
}

bool allocated_find(gpu_address in, gpu_address *at, size_t *size) {
  const uint32_t place = place_of(in + 1);
  if (place == 0 || in - table[place - 1].at >= table[place - 1].size)
    return false;
  *at = table[place - 1].at;
  *size = table[place - 1].size;
  return true;
}

void allocated_forget(const void *gpu_context) {
  if (!is_on())
    return;
  uint32_t kept = 0;
  pthread_mutex_lock(&held);
  for (uint32_t i = 0; i < count; i++)
    if (gpu_context != NULL && table[i].context != gpu_context)
      table[kept++] = table[i];
  count = kept;
  pthread_mutex_unlock(&held);
}

void allocated_each(const void *gpu_context, void (*use)(void *, gpu_address, size_t),
                    void *context) {
  for (uint32_t i = 0; i < count; i++)
    if (table[i].context == gpu_context)
      use(context, table[i].at, table[i].size);
}

// ---- what the program calls --------------------------------------------------------------------

typedef int driver_allocate(uint64_t *at, size_t size);
typedef int driver_allocate_managed(uint64_t *at, size_t size, unsigned flags);
typedef int driver_allocate_pitch(uint64_t *at, size_t *pitch, size_t width, size_t height,
                                  unsigned element);
typedef int driver_allocate_async(uint64_t *at, size_t size, void *stream);
typedef int driver_allocate_from(uint64_t *at, size_t size, void *pool, void *stream);

static void enter(bool is_checking) {
  if (is_checking)
    pthread_mutex_lock(&held);
}

static void leave(bool is_checking) {
  const int error = errno;
  if (is_checking)
    pthread_mutex_unlock(&held);
  errno = error;
}

static int allocated(void *function, int status, const uint64_t *at, size_t size) {
  const int error = errno;
  void *context;
  const gpu *g = is_on() && status == DRIVER_SUCCESS ? gpu_of(function) : NULL;
  if (g != NULL && gpu_is_ok(g->cuCtxGetCurrent(&context))) {
    pthread_mutex_lock(&held);
    add(*at, size, context);
    pthread_mutex_unlock(&held);
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
  const bool is_checking = is_on();
  enter(is_checking);
  if (is_checking)
    forget(at);
  const int status = AS(driver_free, function)(at);
  leave(is_checking);
  return waits_behind(status);
}

int stand_in_free_async(void *function, uint64_t at, void *stream) {
  const bool is_checking = is_on();
  enter(is_checking);
  if (is_checking)
    forget(at);
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
  const bool is_told = !choose_is_silent();
  if (is_told)
    alone_capture();
  return is_told;
}

static int begun_capture(bool is_checking, bool is_told, int status) {
  if (is_checking && status == DRIVER_SUCCESS)
    captures++;
  if (is_told && status != DRIVER_SUCCESS)
    alone_capture_over();
  leave(is_checking);
  return status;
}

int stand_in_capture(void *function, void *stream, int mode) {
  const bool is_checking = is_on(), is_told = begin_capture(is_checking);
  const int status = AS(driver_capture, function)(stream, mode);
  return begun_capture(is_checking, is_told, status);
}

int stand_in_capture_to(void *function, void *stream, void *graph, const void *from,
                        const void *edges, size_t edge_count, int mode) {
  const bool is_checking = is_on(), is_told = begin_capture(is_checking);
  const int status = AS(driver_capture_to, function)(stream, graph, from, edges, edge_count, mode);
  return begun_capture(is_checking, is_told, status);
}

// A capture that was made invalid ends with an error.
int stand_in_capture_end(void *function, void *stream, void **graph) {
  const bool is_checking = is_on();
  enter(is_checking);
  const int status = AS(driver_capture_end, function)(stream, graph);
  if (is_checking && captures > 0)
    captures--;
  if (!choose_is_silent() && (status == DRIVER_SUCCESS || status == GPU_INVALIDATED))
    alone_capture_over();
  leave(is_checking);
  return status;
}
