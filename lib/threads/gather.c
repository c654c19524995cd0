#include "gather.h"

#include <string.h>

// What a class is together with a vector of the launch before.
typedef struct sum_of {
  uint32_t before, class; // the class and 1; 0: free
  uint32_t vector;
} sum_of;

// An open hash table of vectors, of which no more than half is filled.
struct lin_gather {
  lin_memory *memory;
  uint32_t num_blocks;
  const lin_counts_launch *before;
  uint32_t before_run, before_left; // the run of the next thread, and how many of it are to come
  uint64_t *sum;                    // [num_blocks] with those of `before`
  uint64_t *vector;                 // [num_vectors * num_blocks] with room for vector_room
  uint64_t *hash;                   // [num_vectors]
  uint32_t num_vectors, vector_room;
  lin_counts_run *run; // [num_runs] with room for run_room
  uint32_t num_runs, run_room;
  uint32_t *table; // [mask + 1] a vector's number and 1, or 0
  uint64_t mask;
  sum_of *sums; // [sum_room] an open hash table, of which no more than half is filled
  uint64_t sum_room, num_sums;
};

enum { FIRST_ROOM = 16 };

// Returns false, with `*array` and `*room` as they were, if there is no memory.
static bool grow(lin_memory *memory, void **array, uint32_t *room, size_t size) {
  size_t more = *room == 0 ? FIRST_ROOM : 2 * (size_t)*room;
  void *larger = lin_memory_array(memory, more, size);
  if (larger == NULL)
    return false;
  if (*room > 0)
    memcpy(larger, *array, *room * size);
  *array = larger;
  *room = (uint32_t)more;
  return true;
}

static uint64_t hash_of(const uint64_t *vector, uint32_t num_blocks) {
  uint64_t hash = num_blocks;
  for (uint32_t b = 0; b < num_blocks; b++) {
    hash = (hash ^ vector[b]) * UINT64_C(0x9e3779b97f4a7c15); // 2^64 by the golden ratio
    hash ^= hash >> 32;
  }
  return hash;
}

static void enter(lin_gather *g, uint32_t vector) {
  uint64_t at = g->hash[vector] & g->mask;
  while (g->table[at] != 0)
    at = (at + 1) & g->mask;
  g->table[at] = vector + 1;
}

static bool make_room(lin_gather *g) {
  uint32_t room = g->vector_room;
  void *vector = g->vector, *hash = g->hash;
  if (!grow(g->memory, &vector, &room, g->num_blocks * sizeof *g->vector))
    return false;
  g->vector = vector;
  room = g->vector_room;
  if (!grow(g->memory, &hash, &room, sizeof *g->hash))
    return false;
  g->hash = hash;
  g->vector_room = room;
  g->mask = 2 * (uint64_t)room - 1;
  g->table = LIN_HAVE(g->memory, uint32_t, g->mask + 1);
  for (uint32_t v = 0; g->table != NULL && v < g->num_vectors; v++)
    enter(g, v);
  return g->table != NULL;
}

static bool find_vector(lin_gather *g, const uint64_t *vector, uint32_t *number) {
  size_t size = g->num_blocks * sizeof *vector;
  uint64_t hash = hash_of(vector, g->num_blocks);
  for (uint64_t at = hash & g->mask; g->table[at] != 0; at = (at + 1) & g->mask) {
    *number = g->table[at] - 1;
    if (g->hash[*number] == hash &&
        memcmp(g->vector + (size_t)*number * g->num_blocks, vector, size) == 0)
      return true;
  }
  if (g->num_vectors == g->vector_room && !make_room(g))
    return false;
  *number = g->num_vectors++;
  memcpy(g->vector + (size_t)*number * g->num_blocks, vector, size);
  g->hash[*number] = hash;
  enter(g, *number);
  return true;
}

// What the next thread has in the launch before; LIN_COUNTS_UNKNOWN, too, if that has no such
// thread.
static uint32_t vector_before(lin_gather *g) {
  const lin_counts_launch *l = g->before;
  if (g->before_left == 0 && g->before_run < l->num_runs)
    g->before_left = l->run[g->before_run++].num_threads;
  if (g->before_left == 0)
    return LIN_COUNTS_UNKNOWN;
  g->before_left--;
  return l->run[g->before_run - 1].vector;
}

static const uint64_t *add_before(lin_gather *g, uint32_t number, const uint64_t *vector) {
  if (number == LIN_COUNTS_UNKNOWN || vector == NULL)
    return NULL;
  const uint64_t *before = g->before->vector + (size_t)number * g->num_blocks;
  for (uint32_t b = 0; b < g->num_blocks; b++)
    g->sum[b] = before[b] > UINT64_MAX - vector[b] ? UINT64_MAX : before[b] + vector[b];
  return g->sum;
}

lin_gather *lin_gather_new(lin_memory *memory, uint32_t num_blocks,
                           const lin_counts_launch *before) {
  lin_gather *g = LIN_HAVE(memory, lin_gather, 1);
  uint64_t *sum = LIN_HAVE(memory, uint64_t, num_blocks);
  if (g == NULL || sum == NULL)
    return NULL;
  *g = (lin_gather){.memory = memory, .num_blocks = num_blocks, .before = before, .sum = sum};
  return make_room(g) ? g : NULL;
}

// The number of what a thread has that has vector `before` in the launch before, and this one here.
static bool find_sum(lin_gather *g, uint32_t before, const uint64_t *vector, uint32_t *number) {
  *number = LIN_COUNTS_UNKNOWN;
  if (g->before != NULL)
    vector = add_before(g, before, vector);
  return vector == NULL || find_vector(g, vector, number);
}

static bool add_to_runs(lin_gather *g, uint32_t number) {
  if (g->num_runs > 0 && g->run[g->num_runs - 1].vector == number) {
    g->run[g->num_runs - 1].num_threads++;
    return true;
  }
  void *run = g->run;
  if (g->num_runs == g->run_room && !grow(g->memory, &run, &g->run_room, sizeof *g->run))
    return false;
  g->run = run;
  g->run[g->num_runs++] = (lin_counts_run){1, number};
  return true;
}

bool lin_gather_thread(lin_gather *g, const uint64_t *vector) {
  uint32_t before = g->before == NULL ? 0 : vector_before(g), number;
  return find_sum(g, before, vector, &number) && add_to_runs(g, number);
}

// ---- classes

static sum_of *place_of(const lin_gather *g, uint32_t before, uint32_t class) {
  uint64_t hash = ((uint64_t)before << 32 | class) * UINT64_C(0x9e3779b97f4a7c15);
  uint64_t at = (hash ^ hash >> 32) & (g->sum_room - 1);
  while (g->sums[at].class != 0 && (g->sums[at].class != class || g->sums[at].before != before))
    at = (at + 1) & (g->sum_room - 1);
  return &g->sums[at];
}

static bool make_room_for_sums(lin_gather *g) {
  const sum_of *old = g->sums;
  uint64_t room = g->sum_room;
  if (room > 2 * g->num_sums)
    return true;
  sum_of *larger = LIN_HAVE(g->memory, sum_of, room == 0 ? FIRST_ROOM : 2 * room);
  if (larger == NULL)
    return false;
  g->sums = larger;
  g->sum_room = room == 0 ? FIRST_ROOM : 2 * room;
  for (uint64_t i = 0; i < room; i++)
    if (old[i].class != 0)
      *place_of(g, old[i].before, old[i].class) = old[i];
  return true;
}

bool lin_gather_class(lin_gather *g, uint32_t class, const uint64_t *vector) {
  uint32_t before = g->before == NULL ? 0 : vector_before(g);
  if (!make_room_for_sums(g))
    return false;
  sum_of *place = place_of(g, before, class + 1);
  if (place->class == 0) {
    sum_of sum = {before, class + 1, 0};
    if (!find_sum(g, before, vector, &sum.vector))
      return false;
    *place = sum;
    g->num_sums++;
  }
  return add_to_runs(g, place->vector);
}

void lin_gather_end(const lin_gather *g, lin_counts_launch *launch) {
  launch->num_blocks = g->num_blocks;
  launch->vector = g->vector;
  launch->num_vectors = g->num_vectors;
  launch->run = g->run;
  launch->num_runs = g->num_runs;
}
