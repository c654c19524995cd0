#include "kinds.h"

#include <string.h>

static void add(lin_kinds *k, const uint32_t *vector, size_t num_blocks) {
  uint64_t sum = 0;
  for (size_t block = 0; block < num_blocks; block++) {
    sum = (sum ^ vector[block]) * UINT64_C(0x9e3779b97f4a7c15); // 2^64 by the golden ratio
    sum ^= sum >> 32;
  }
  for (size_t i = 0; i < k->count; i++)
    if (k->sum[i] == sum && memcmp(k->vector[i], vector, num_blocks * sizeof *vector) == 0) {
      k->threads[i]++;
      return;
    }
  k->sum[k->count] = sum;
  k->threads[k->count] = 1;
  k->vector[k->count++] = vector;
}

lin_kinds lin_kinds_find(const uint32_t *const *thread, size_t count, size_t num_blocks) {
  lin_kinds k = {.count = 0};
  for (size_t i = 0; i < count; i++)
    add(&k, thread[i], num_blocks);
  return k;
}
