#include "regroup.h"

#include "linearize/threads.h"

#include <errno.h>

int linearize_regroup(linearize_regrouping how, const uint32_t *vectors, size_t num_threads,
                      size_t num_blocks, const double *latency, size_t group, uint32_t *order) {
  // A larger group than there are threads is one group.
  uint32_t group_size = group < UINT32_MAX ? (uint32_t)group : UINT32_MAX;
  lin_problem problem = {
      {vectors, num_threads, num_blocks}, latency, group_size, LIN_PAIRS, LIN_LEAST};
  if (!lin_vectors_are_good(&problem.vectors) || !lin_latencies_are_good(latency, num_blocks) ||
      group == 0 || group % LIN_WARP != 0 || (order == NULL && num_threads > 0)) {
    errno = EINVAL;
    return -1;
  }
  bool (*algorithm)(const lin_problem *, lin_memory *, uint32_t *) = NULL;
  switch (how) {
  case LINEARIZE_SORTING:
    algorithm = lin_sorting;
    break;
  case LINEARIZE_GREEDY:
    algorithm = lin_greedy;
    break;
  case LINEARIZE_GREEDY_MAX:
    algorithm = lin_greedy_max;
    break;
  }
  if (algorithm == NULL) {
    errno = EINVAL;
    return -1;
  }
  lin_memory memory = {0};
  bool done = num_threads == 0 || algorithm(&problem, &memory, order);
  lin_memory_release(&memory);
  if (!done)
    errno = ENOMEM;
  return done ? 0 : -1;
}
