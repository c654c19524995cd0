// What sorts (sorting/sort.h), on the CPU: as much work of the stream as two copies are.
#include "sorting/sort.h"

#include "exports.h"

#include <stdlib.h>

typedef struct element {
  uint32_t key, number;
} element;

static int compare(const void *a, const void *b) {
  const element *left = a, *right = b;
  if (left->key != right->key)
    return left->key < right->key ? -1 : 1;
  return left->number < right->number ? -1 : left->number > right->number;
}

// CUDA's runtime would do things of its own meanwhile, of which the library that chooses has to see
// nothing.
size_t linearize_sort_scratch(uint32_t count) {
  void *stream;
  if (cuStreamCreate(&stream, 1) == 0)
    cuStreamDestroy_v2(stream);
  return 64 + (size_t)count;
}

int linearize_sort_order(uint64_t keys, uint64_t order, uint32_t count, uint64_t scratch,
                         void *stream) {
  const size_t bytes = count * sizeof(uint32_t);
  uint32_t *word = malloc(bytes);
  element *all = malloc(count * sizeof *all);
  (void)scratch;
  if (word == NULL || all == NULL)
    abort();
  int status = cuMemcpyDtoHAsync_v2(word, keys, bytes, stream);
  for (uint32_t i = 0; i < count; i++)
    all[i] = (element){word[i], i};
  qsort(all, count, sizeof *all, compare);
  for (uint32_t i = 0; i < count; i++)
    word[i] = all[i].number;
  if (status == 0)
    status = cuMemcpyHtoDAsync_v2(order, word, bytes, stream);
  free(all);
  free(word);
  return status;
}
