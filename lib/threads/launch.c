#include "launch.h"

#include <errno.h>
#include <math.h>
#include <string.h>

bool lin_launch_is_good(const lin_launch *launch, bool has_latencies) {
  const lin_vectors *vectors = &launch->vectors;
  return lin_vectors_are_good(vectors) && launch->threads_per_block > 0 &&
         (!has_latencies || lin_latencies_are_good(launch->latency, vectors->num_blocks)) &&
         lin_order_is_good(launch->order, vectors->num_threads);
}

size_t lin_launch_end_of_warp(const lin_launch *launch, size_t place) {
  size_t in_block = launch->threads_per_block - place % launch->threads_per_block;
  size_t left = launch->vectors.num_threads - place;
  left = left < in_block ? left : in_block;
  return place + (left < LIN_WARP ? left : LIN_WARP);
}

double lin_launch_cycles(const lin_launch *launch, size_t thread_block, uint32_t *most) {
  size_t num_blocks = launch->vectors.num_blocks;
  size_t begin = thread_block * launch->threads_per_block;
  size_t left = launch->vectors.num_threads - begin;
  size_t end = begin + (left < launch->threads_per_block ? left : launch->threads_per_block);
  double cycles = 0;
  for (size_t place = begin; place < end;) {
    memset(most, 0, num_blocks * sizeof *most);
    for (size_t warp_end = lin_launch_end_of_warp(launch, place); place < warp_end; place++) {
      const uint32_t *vector = lin_vector(&launch->vectors, lin_launch_thread(launch, place));
      for (size_t block = 0; block < num_blocks; block++)
        most[block] = vector[block] > most[block] ? vector[block] : most[block];
    }
    for (size_t block = 0; block < num_blocks; block++)
      cycles += launch->latency[block] * most[block];
  }
  return cycles;
}

double lin_launch_result(lin_memory *memory, double value) {
  int error = memory->is_out ? ENOMEM : isfinite(value) ? 0 : ERANGE;
  lin_memory_release(memory);
  if (error == 0)
    return value;
  errno = error;
  return -1;
}
