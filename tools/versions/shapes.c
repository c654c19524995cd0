// Shapes of a kernel's launches: a table of its own for each kernel, which is read without a lock.
// Once there are many, launches of like size share one, a class.
#include "kernels.h"
#include "remembered.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// What tells launches apart, and so shapes.
typedef struct shape_key {
  unsigned grid[3], block[3], shared;
  uint64_t sizes;
  bool is_class;
} shape_key;

static bool is_shape(const shape *s, const shape_key *key) {
  return memcmp(s->grid, key->grid, sizeof s->grid) == 0 &&
         memcmp(s->block, key->block, sizeof s->block) == 0 && s->shared == key->shared &&
         s->sizes == key->sizes && s->is_class == key->is_class;
}

static uint32_t hash_shape(const shape_key *key) {
  uint64_t hash = key->sizes ^ key->shared ^ (key->is_class ? UINT64_C(1) << 63 : 0);
  for (int i = 0; i < 3; i++)
    hash = (hash ^ key->grid[i] ^ (uint64_t)key->block[i] << 32) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(hash >> 32);
}

enum { SHAPE_SLOTS = 2 * KERNELS_MOST_SHAPES };

// Its place in the table, or a free one: as there are at most half as many shapes, there is one.
static shape *_Atomic *place_of_shape(kernel *k, const shape_key *key) {
  for (uint32_t at = hash_shape(key);; at++) {
    shape *_Atomic *place = &k->shape_table[at % SHAPE_SLOTS];
    const shape *there = atomic_load_explicit(place, memory_order_acquire);
    if (there == NULL || is_shape(there, key))
      return place;
  }
}

static shape *find_shape(kernel *k, const shape_key *key) {
  return atomic_load_explicit(place_of_shape(k, key), memory_order_acquire);
}

uint64_t kernels_threads(const shape *s, bool *is_line) {
  uint64_t blocks = 1, of_block = 1;
  *is_line = true;
  for (int i = 0; i < 3; i++) {
    blocks = blocks <= UINT32_MAX ? blocks * s->grid[i] : blocks;
    of_block = of_block <= UINT32_MAX ? of_block * s->block[i] : of_block;
    *is_line &= i == 0 || (s->grid[i] == 1 && s->block[i] == 1);
  }
  if (s->is_class || blocks > UINT32_MAX || of_block > UINT32_MAX || blocks * of_block > UINT32_MAX)
    return 0;
  return blocks * of_block;
}

static void begin_trial(kernel *k, shape *s, const shape_key *key) {
  const shape *before = k->before == NULL ? NULL : find_shape(k->before, key);
  remembered_begin(k, s);
  if (before == NULL)
    return;
  const int quiet = atomic_load(&before->quiet);
  const uint32_t unasked = (uint32_t)(before->granted - (quiet > 0 ? quiet : 0));
  lin_trial_follow(&s->trial, &before->trial, unasked + atomic_load(&before->uncounted));
}

static shape *add_shape(kernel *k, const shape_key *key) {
  shape *s = k->num_shapes == KERNELS_MOST_SHAPES
                 ? NULL
                 : calloc(1, offsetof(shape, trial) + lin_trial_size(k->versions));
  if (s == NULL)
    return NULL;
  memcpy(s->grid, key->grid, sizeof s->grid);
  memcpy(s->block, key->block, sizeof s->block);
  s->shared = key->shared;
  s->sizes = key->sizes;
  s->is_class = key->is_class;
  lin_trial_begin(&s->trial, k->versions);
  for (uint32_t v = 1; v < k->versions; v++)
    if ((k->takes_order >> v & 1) != 0)
      lin_trial_is_made_for(&s->trial, v);
  if (k->versions > 1)
    begin_trial(k, s, key);
  else if (!k->waits)
    lin_trial_decide(&s->trial, 0);
  s->next = k->shapes;
  k->num_shapes++;
  atomic_store_explicit(&k->shapes, s, memory_order_release);
  atomic_store_explicit(place_of_shape(k, key), s, memory_order_release);
  return s;
}

static unsigned round_up(unsigned number) {
  return number < 2          ? number
         : number > 1U << 31 ? UINT32_MAX
                             : 1U << (32 - __builtin_clz(number - 1));
}

// What isn't known by its own shape, once there are many of these, is of a class. Takes no lock.
static shape *find_near(kernel *k, shape_key *key) {
  shape *s = find_shape(k, key);
  if (s != NULL ||
      atomic_load_explicit(&k->num_shapes, memory_order_relaxed) < KERNELS_EXACT_SHAPES)
    return s;
  for (int i = 0; i < 3; i++)
    key->grid[i] = round_up(key->grid[i]);
  key->is_class = true;
  return find_shape(k, key);
}

shape *kernels_shape(kernel *k, const launch *l, uint64_t sizes) {
  shape_key key = {.shared = l->shape.shared, .sizes = sizes};
  memcpy(key.grid, l->shape.grid, sizeof key.grid);
  memcpy(key.block, l->shape.block, sizeof key.block);
  shape_key again = key;
  shape *s = find_near(k, &key);
  if (s != NULL || pthread_mutex_trylock(&kernels_lock) != 0)
    return s;
  int error = errno;
  s = find_near(k, &again); // another thread may have added it
  if (s == NULL)
    s = add_shape(k, &again);
  errno = error;
  pthread_mutex_unlock(&kernels_lock);
  return s;
}
