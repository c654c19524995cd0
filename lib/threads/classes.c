#include "classes.h"

// An open hash table, of which no more than half is filled. It grows with the classes: as it is, a
// few thousand of them stay in the cache.
typedef struct entry {
  uint32_t known; // the class, and 1; 0 if it is free
  uint32_t tag;   // the upper half of its hash
} entry;

typedef struct finder {
  const lin_vectors *vectors;
  const uint32_t *column;
  size_t num_columns;
  lin_memory *memory;
  entry *table;
  uint64_t mask;    // entries of the table, less 1
  uint32_t *sample; // [classes so far] a thread of each
  uint64_t *sum;    // [classes so far] its hash
  uint32_t count;
} finder;

enum { FIRST_ENTRIES = 1 << 10 };

// Two blocks at a time: a product of 64 bits, of which the upper half says most, folded into the
// lower.
static uint64_t hash(const finder *f, const uint32_t *vector) {
  uint64_t sum = f->num_columns;
  for (size_t i = 0; i + 1 < f->num_columns; i += 2) {
    uint64_t two = vector[f->column[i]] | (uint64_t)vector[f->column[i + 1]] << 32;
    sum = (sum ^ two) * UINT64_C(0x9e3779b97f4a7c15); // 2^64 by the golden ratio
    sum ^= sum >> 32;
  }
  if (f->num_columns % 2 == 1)
    sum ^= vector[f->column[f->num_columns - 1]];
  sum *= UINT64_C(0xd6e8feb86659fd93); // odd, half of its bits set
  return sum ^ sum >> 32;
}

static bool are_equal(const finder *f, const uint32_t *a, const uint32_t *b) {
  for (size_t i = 0; i < f->num_columns; i++)
    if (a[f->column[i]] != b[f->column[i]])
      return false;
  return true;
}

// A table of so many entries, with the classes so far.
static bool make_table(finder *f, uint64_t entries) {
  f->table = LIN_HAVE(f->memory, entry, entries);
  if (f->memory->is_out)
    return false;
  f->mask = entries - 1;
  for (uint32_t c = 0; c < f->count; c++) {
    uint64_t at = f->sum[c] & f->mask;
    while (f->table[at].known != 0)
      at = (at + 1) & f->mask;
    f->table[at] = (entry){c + 1, (uint32_t)(f->sum[c] >> 32)};
  }
  return true;
}

static uint32_t class_of(finder *f, uint32_t thread) {
  const uint32_t *vector = lin_vector(f->vectors, thread);
  uint64_t sum = hash(f, vector);
  uint32_t tag = (uint32_t)(sum >> 32);
  uint64_t at = sum & f->mask;
  for (; f->table[at].known != 0; at = (at + 1) & f->mask) {
    uint32_t c = f->table[at].known - 1;
    if (f->table[at].tag == tag && are_equal(f, vector, lin_vector(f->vectors, f->sample[c])))
      return c;
  }
  f->table[at] = (entry){f->count + 1, tag};
  f->sample[f->count] = thread;
  f->sum[f->count] = sum;
  return f->count++;
}

bool lin_classes_find(lin_classes *classes, lin_memory *memory, const lin_vectors *vectors,
                      const uint32_t *column, size_t num_columns) {
  uint32_t num_threads = (uint32_t)vectors->num_threads;
  finder f = {.vectors = vectors, .column = column, .num_columns = num_columns, .memory = memory};
  f.sample = LIN_HAVE(memory, uint32_t, num_threads);
  f.sum = LIN_HAVE(memory, uint64_t, num_threads);
  uint32_t *of = LIN_HAVE(memory, uint32_t, num_threads);
  classes->thread = LIN_HAVE(memory, uint32_t, num_threads);
  if (memory->is_out || !make_table(&f, FIRST_ENTRIES))
    return false;
  for (uint32_t thread = 0; thread < num_threads; thread++) {
    if (2 * (uint64_t)f.count > f.mask && !make_table(&f, 2 * (f.mask + 1)))
      return false;
    of[thread] = class_of(&f, thread);
  }

  classes->count = f.count;
  classes->begin = LIN_HAVE(memory, uint32_t, (size_t)f.count + 1);
  if (memory->is_out)
    return false;
  uint32_t *next = f.sample; // nobody asks for samples any more
  for (uint32_t thread = 0; thread < num_threads; thread++)
    classes->begin[of[thread] + 1]++;
  for (uint32_t c = 0; c < f.count; c++) {
    classes->begin[c + 1] += classes->begin[c];
    next[c] = classes->begin[c];
  }
  for (uint32_t thread = 0; thread < num_threads; thread++)
    classes->thread[next[of[thread]]++] = thread;
  return true;
}
