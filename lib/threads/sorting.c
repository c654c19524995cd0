// Sorting: threads by their vectors, in lexicographic order; those of equal vectors by their index.
#include "classes.h"
#include "merge_sort.h"
#include "regroup.h"

#include <string.h>

typedef struct sorter {
  const lin_vectors *vectors;
  const lin_classes *classes;
} sorter;

static bool is_less(uint32_t a, uint32_t b, const void *context) {
  const sorter *s = context;
  const uint32_t *left = lin_class_vector(s->classes, s->vectors, a);
  const uint32_t *right = lin_class_vector(s->classes, s->vectors, b);
  for (size_t block = 0; block < s->vectors->num_blocks; block++)
    if (left[block] != right[block])
      return left[block] < right[block];
  return false;
}

bool lin_sorting(const lin_problem *problem, lin_memory *memory, uint32_t *order) {
  const lin_vectors *vectors = &problem->vectors;
  uint32_t *column = LIN_HAVE(memory, uint32_t, vectors->num_blocks);
  if (memory->is_out)
    return false;
  for (size_t block = 0; block < vectors->num_blocks; block++)
    column[block] = (uint32_t)block;
  lin_classes classes;
  if (!lin_classes_find(&classes, memory, vectors, column, vectors->num_blocks))
    return false;
  uint32_t *rank = LIN_HAVE(memory, uint32_t, classes.count);
  uint32_t *other = LIN_HAVE(memory, uint32_t, classes.count);
  if (memory->is_out)
    return false;
  for (uint32_t c = 0; c < classes.count; c++)
    rank[c] = c;
  sorter s = {vectors, &classes};
  lin_merge_sort(rank, other, classes.count, is_less, &s);
  for (uint32_t i = 0; i < classes.count; i++) {
    uint32_t begin = classes.begin[rank[i]], size = classes.begin[rank[i] + 1] - begin;
    memcpy(order, classes.thread + begin, size * sizeof *order);
    order += size;
  }
  return true;
}
