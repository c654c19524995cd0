#include "allocated.h"

#include "settings.h"
#include "silence.h"

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

bool allocated_is_on(void) { return settings_get()->check != NULL && !silence_is_kept(); }

bool allocated_hold(void) {
  pthread_mutex_lock(&held);
  const bool is_captured = captures > 0;
  if (is_captured)
    pthread_mutex_unlock(&held);
  return !is_captured;
}

void allocated_go_on(void) { pthread_mutex_unlock(&held); }

void allocated_enter(void) { pthread_mutex_lock(&held); }

void allocated_capture(bool begins) {
  if (begins)
    captures++;
  else if (captures > 0)
    captures--;
}

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
void allocated_add(gpu_address at, size_t size, const void *context) {
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

void allocated_drop(gpu_address at) {
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
  if (!allocated_is_on())
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
