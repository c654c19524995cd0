#include "table.h"

enum { SLOTS = 2 * KERNELS_MOST, MOST_STEPS = 64 };

typedef struct slot {
  void *_Atomic key; // NULL: free
  kernel *_Atomic kernel;
} slot;

kernel table_nothing, table_of_contexts;

pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER;
lin_ledger kernels_ledger;
static slot table[SLOTS];
static uint32_t used; // slots that have a key
static kernel *first;
static atomic_bool is_full;

static uint32_t place_of(const void *key) {
  uint64_t number = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(number >> 40) % SLOTS;
}

// The slot that has the key, or a free one; NULL: neither is near.
static slot *slot_of(const void *key) {
  uint32_t place = place_of(key);
  for (uint32_t step = 0; step < MOST_STEPS; step++) {
    slot *s = &table[(place + step) % SLOTS];
    void *there = atomic_load_explicit(&s->key, memory_order_acquire);
    if (there == key || there == NULL)
      return s;
  }
  return NULL;
}

// NULL: it isn't known. (While the table is made anew a slot may change under our eyes.)
kernel *table_look_up(const void *key) {
  slot *s = slot_of(key);
  if (s == NULL)
    return &table_nothing;
  if (atomic_load_explicit(&s->key, memory_order_acquire) == NULL)
    return atomic_load_explicit(&is_full, memory_order_relaxed) ? &table_nothing : NULL;
  kernel *k = atomic_load_explicit(&s->kernel, memory_order_acquire);
  return k == NULL || k == &table_nothing || k == &table_of_contexts || k->key == key ? k : NULL;
}

// The kernel is there before its key is.
void table_put(void *key, kernel *k) {
  slot *s = slot_of(key);
  if (s == NULL)
    return;
  used += s->key == NULL;
  atomic_store_explicit(&s->kernel, k, memory_order_release);
  atomic_store_explicit(&s->key, key, memory_order_release);
}

// Keys of what was forgotten make room, and those of what had no versions: these are looked at
// again.
static void make_room(void) {
  uint32_t dead = 0;
  for (uint32_t i = 0; i < SLOTS; i++)
    dead += table[i].key != NULL && table[i].kernel == NULL;
  atomic_store(&is_full, dead < KERNELS_MOST / 2);
  if (dead < KERNELS_MOST / 2)
    return;
  for (uint32_t i = 0; i < SLOTS; i++) {
    table[i].key = NULL;
    table[i].kernel = NULL;
  }
  used = 0;
  for (kernel *k = first; k != NULL; k = k->next) {
    if (k->library != NULL)
      table_put(k->handle, &table_of_contexts);
    table_put(k->key, k);
  }
}

bool table_has_room(void) {
  if (used == KERNELS_MOST)
    make_room();
  return used < KERNELS_MOST;
}

void table_add(kernel *k) {
  k->next = first;
  first = k;
}

void table_remove(kernel *k) {
  kernel **at = &first;
  while (*at != k)
    at = &(*at)->next;
  *at = k->next;
}

kernel *kernels_first(void) { return first; }

uint64_t kernels_time(const kernel *k) {
  uint64_t time = 0;
  for (const shape *s = k->shapes; s != NULL; s = s->next)
    time +=
        lin_trial_time(&s->trial) + lin_times_median(&s->shares, 0) * atomic_load(&s->uncounted);
  return time;
}

void table_empty(bool (*is_over)(const kernel *k, const ending *e), const ending *e) {
  for (uint32_t i = 0; i < SLOTS; i++) {
    kernel *k = table[i].kernel;
    bool is_marker = k == &table_nothing || k == &table_of_contexts;
    if (k != NULL && (is_marker || is_over(k, e)))
      table[i].kernel = NULL;
  }
}
