// How often warps enter blocks: at least, at most, and without divergence.
#include "launch.h"
#include "linearize/threads.h"
#include "memory.h"

#include <errno.h>
#include <math.h>
#include <string.h>

// Different vectors of a warp's threads.
typedef struct kinds {
  const uint32_t *vector[LIN_WARP];
  uint64_t sum[LIN_WARP]; // a hash
  size_t count;
} kinds;

static void add_kind(kinds *k, const uint32_t *vector, size_t num_blocks) {
  uint64_t sum = 0;
  for (size_t block = 0; block < num_blocks; block++) {
    sum = (sum ^ vector[block]) * UINT64_C(0x9e3779b97f4a7c15); // 2^64 by the golden ratio
    sum ^= sum >> 32;
  }
  for (size_t i = 0; i < k->count; i++)
    if (k->sum[i] == sum && memcmp(k->vector[i], vector, num_blocks * sizeof *vector) == 0)
      return;
  k->sum[k->count] = sum;
  k->vector[k->count++] = vector;
}

static void add_warp(const lin_launch *launch, size_t begin, size_t end, double *mean, double *most,
                     double *apart) {
  size_t num_blocks = launch->vectors.num_blocks, count = end - begin;
  const uint32_t *thread[LIN_WARP];
  kinds k = {.count = 0};
  for (size_t i = 0; i < count; i++) {
    thread[i] = lin_vector(&launch->vectors, lin_launch_thread(launch, begin + i));
    add_kind(&k, thread[i], num_blocks);
  }
  for (size_t block = 0; block < num_blocks; block++) {
    uint32_t highest = 0;
    uint64_t all = 0, each = 0;
    for (size_t i = 0; i < count; i++)
      all += thread[i][block];
    for (size_t i = 0; i < k.count; i++) {
      highest = k.vector[i][block] > highest ? k.vector[i][block] : highest;
      each += k.vector[i][block];
    }
    mean[block] += (double)all / (double)count;
    most[block] += highest;
    apart[block] += (double)each;
  }
}

int linearize_bbv_passes(const uint32_t *vectors, size_t num_threads, size_t num_blocks,
                         const uint32_t *order, size_t threads_per_block, double *mean,
                         double *most, double *apart) {
  lin_launch launch = {{vectors, num_threads, num_blocks}, NULL, order, threads_per_block};
  bool has_room = num_blocks == 0 || (mean != NULL && most != NULL && apart != NULL);
  if (!has_room || !lin_launch_is_good(&launch, false)) {
    errno = EINVAL;
    return -1;
  }
  for (size_t block = 0; block < num_blocks; block++)
    mean[block] = most[block] = apart[block] = 0;
  for (size_t place = 0, end; num_blocks > 0 && place < num_threads; place = end) {
    end = lin_launch_end_of_warp(&launch, place);
    add_warp(&launch, place, end, mean, most, apart);
  }
  return 0;
}

int linearize_bbv_share_apart(size_t num_blocks, const double *most, const double *apart,
                              const double *counted, double *share) {
  bool good =
      num_blocks == 0 || (most != NULL && apart != NULL && counted != NULL && share != NULL);
  for (size_t block = 0; good && block < num_blocks; block++)
    good = isfinite(most[block]) && isfinite(apart[block]) && isfinite(counted[block]) &&
           most[block] >= 0 && apart[block] >= most[block] && counted[block] >= 0;
  if (!good) {
    errno = EINVAL;
    return -1;
  }
  for (size_t block = 0; block < num_blocks; block++)
    share[block] = apart[block] > most[block]
                       ? (counted[block] - most[block]) / (apart[block] - most[block])
                       : 0;
  return 0;
}
