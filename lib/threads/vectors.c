#include "vectors.h"

#include <math.h>

bool lin_vectors_are_good(const lin_vectors *vectors) {
  if (vectors->num_threads > UINT32_MAX || vectors->num_blocks > UINT32_MAX)
    return false;
  if (vectors->num_threads == 0 || vectors->num_blocks == 0)
    return true;
  return vectors->count != NULL &&
         vectors->num_threads <= SIZE_MAX / sizeof(uint32_t) / vectors->num_blocks;
}

bool lin_latencies_are_good(const double *latency, size_t num_blocks) {
  if (latency == NULL)
    return num_blocks == 0;
  for (size_t block = 0; block < num_blocks; block++)
    if (!isfinite(latency[block]) || latency[block] < 0)
      return false;
  return true;
}

bool lin_order_is_good(const uint32_t *order, size_t num_threads) {
  uint32_t most = 0;
  for (size_t place = 0; order != NULL && place < num_threads; place++)
    most = order[place] > most ? order[place] : most;
  return order == NULL || num_threads == 0 || most < num_threads;
}
