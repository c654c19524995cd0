// BBV-weighted.
#include "launch.h"
#include "linearize/threads.h"

#include <errno.h>

double linearize_bbv_weighted(const uint32_t *vectors, size_t num_threads, size_t num_blocks,
                              const double *latency, const uint32_t *order,
                              size_t threads_per_block, unsigned num_sms) {
  lin_launch launch = {{vectors, num_threads, num_blocks}, latency, order, threads_per_block};
  if (!lin_launch_is_good(&launch, true) || num_sms == 0) {
    errno = EINVAL;
    return -1;
  }
  lin_memory memory = {0};
  uint32_t *most = LIN_HAVE(&memory, uint32_t, num_blocks);
  if (memory.is_out)
    return lin_launch_result(&memory, 0);
  double cycles = 0;
  size_t num_thread_blocks = lin_launch_num_thread_blocks(&launch);
  for (size_t block = 0; block < num_thread_blocks; block++)
    cycles += lin_launch_cycles(&launch, block, most);
  return lin_launch_result(&memory, cycles / num_sms);
}
