// The two older metrics: divergent warps, divergent branches.
#include "launch.h"
#include "linearize/threads.h"

#include <errno.h>
#include <string.h>

double linearize_divergent_warps(const uint32_t *vectors, size_t num_threads, size_t num_blocks,
                                 const uint32_t *order, size_t threads_per_block) {
  lin_launch launch = {{vectors, num_threads, num_blocks}, NULL, order, threads_per_block};
  if (!lin_launch_is_good(&launch, false)) {
    errno = EINVAL;
    return -1;
  }
  size_t warps = 0, divergent = 0;
  for (size_t place = 0; place < num_threads; warps++) {
    const uint32_t *first = lin_vector(&launch.vectors, lin_launch_thread(&launch, place));
    bool differ = false;
    for (size_t end = lin_launch_end_of_warp(&launch, place); place < end; place++)
      differ = differ || (num_blocks > 0 &&
                          memcmp(lin_vector(&launch.vectors, lin_launch_thread(&launch, place)),
                                 first, num_blocks * sizeof *first) != 0);
    divergent += differ;
  }
  return warps == 0 ? 0 : (double)divergent / (double)warps;
}

// The ways of each branch: way[first[block]] up to way[first[block + 1]].
typedef struct branches {
  uint32_t *first; // [num_blocks + 1]
  uint32_t *way;   // [num_blocks] at most
} branches;

static void find_ways(branches *b, const uint32_t *branch_of, size_t num_blocks) {
  for (size_t block = 0; block < num_blocks; block++)
    if (branch_of[block] != UINT32_MAX)
      b->first[branch_of[block] + 1]++;
  for (size_t block = 0; block < num_blocks; block++)
    b->first[block + 1] += b->first[block];
  for (size_t block = 0; block < num_blocks; block++)
    if (branch_of[block] != UINT32_MAX)
      b->way[b->first[branch_of[block]]++] = (uint32_t)block;
  // Each begins where the one before it ends.
  for (size_t block = num_blocks; block > 0; block--)
    b->first[block] = b->first[block - 1];
  b->first[0] = 0;
}

static bool take_the_same(const uint32_t *a, const uint32_t *b, const uint32_t *way, size_t ways) {
  for (size_t i = 0; i < ways; i++)
    if (a[way[i]] != b[way[i]])
      return false;
  return true;
}

// How often the warp at the places from `begin` parts at a branch with these ways.
static uint64_t partings(const lin_launch *launch, size_t begin, size_t end, const uint32_t *way,
                         size_t ways) {
  const uint32_t *kind[LIN_WARP]; // a thread of each that takes them differently
  size_t kinds = 0;
  uint64_t passes = 0;
  for (size_t place = begin; place < end; place++) {
    const uint32_t *vector = lin_vector(&launch->vectors, lin_launch_thread(launch, place));
    uint64_t sum = 0;
    for (size_t i = 0; i < ways; i++)
      sum += vector[way[i]];
    if (sum == 0) // it never comes there
      continue;
    passes = sum > passes ? sum : passes;
    size_t known = 0;
    while (known < kinds && !take_the_same(kind[known], vector, way, ways))
      known++;
    if (known == kinds)
      kind[kinds++] = vector;
  }
  uint64_t over_ways = 0;
  for (size_t i = 0; i < ways; i++) {
    uint32_t most = 0;
    for (size_t k = 0; k < kinds; k++)
      most = kind[k][way[i]] > most ? kind[k][way[i]] : most;
    over_ways += most;
  }
  uint64_t both = over_ways - passes;
  return kinds > both + 1 ? kinds - 1 : both;
}

double linearize_divergent_branches(const uint32_t *vectors, size_t num_threads, size_t num_blocks,
                                    const uint32_t *branch_of, const uint32_t *order,
                                    size_t threads_per_block) {
  lin_launch launch = {{vectors, num_threads, num_blocks}, NULL, order, threads_per_block};
  bool good = lin_launch_is_good(&launch, false) && (branch_of != NULL || num_blocks == 0);
  for (size_t block = 0; good && block < num_blocks; block++)
    good = branch_of[block] < num_blocks || branch_of[block] == UINT32_MAX;
  if (!good) {
    errno = EINVAL;
    return -1;
  }
  lin_memory memory = {0};
  branches b = {LIN_HAVE(&memory, uint32_t, num_blocks + 1),
                LIN_HAVE(&memory, uint32_t, num_blocks)};
  if (memory.is_out)
    return lin_launch_result(&memory, 0);
  find_ways(&b, branch_of, num_blocks);
  double total = 0;
  for (size_t place = 0, end; place < num_threads; place = end) {
    end = lin_launch_end_of_warp(&launch, place);
    for (size_t block = 0; block < num_blocks; block++) {
      size_t ways = b.first[block + 1] - b.first[block];
      if (ways >= 2)
        total += (double)partings(&launch, place, end, b.way + b.first[block], ways);
    }
  }
  return lin_launch_result(&memory, total);
}
