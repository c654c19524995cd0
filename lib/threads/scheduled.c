// BBV-weighted-scheduled: each thread block goes to the slot that is free first.
//
//     slot 0  |0-----|3--|5------|       time is what the last slot needs
//     slot 1  |1-|2-----|4-|
#include "launch.h"
#include "linearize/threads.h"

#include <errno.h>

// The slot at the heap's top, which is free first, is busy until `until`.
static void occupy(double *free_at, size_t num_slots, double until) {
  size_t at = 0;
  for (;;) {
    size_t child = 2 * at + 1;
    if (child + 1 < num_slots && free_at[child + 1] < free_at[child])
      child++;
    if (child >= num_slots || free_at[child] >= until)
      break;
    free_at[at] = free_at[child];
    at = child;
  }
  free_at[at] = until;
}

double linearize_bbv_weighted_scheduled(const uint32_t *vectors, size_t num_threads,
                                        size_t num_blocks, const double *latency,
                                        const uint32_t *order, size_t threads_per_block,
                                        unsigned num_sms, unsigned blocks_per_sm) {
  lin_launch launch = {{vectors, num_threads, num_blocks}, latency, order, threads_per_block};
  if (!lin_launch_is_good(&launch, true) || num_sms == 0 || blocks_per_sm == 0) {
    errno = EINVAL;
    return -1;
  }
  // Slots that get nothing make no difference.
  size_t num_thread_blocks = lin_launch_num_thread_blocks(&launch);
  size_t num_slots =
      num_sms > SIZE_MAX / blocks_per_sm ? SIZE_MAX : (size_t)num_sms * blocks_per_sm;
  num_slots = num_slots < num_thread_blocks ? num_slots : num_thread_blocks;
  lin_memory memory = {0};
  uint32_t *most = LIN_HAVE(&memory, uint32_t, num_blocks);
  double *free_at = LIN_HAVE(&memory, double, num_slots);
  if (memory.is_out)
    return lin_launch_result(&memory, 0);
  double cycles = 0;
  for (size_t block = 0; block < num_thread_blocks; block++) {
    double until = free_at[0] + lin_launch_cycles(&launch, block, most);
    occupy(free_at, num_slots, until);
    cycles = until > cycles ? until : cycles;
  }
  return lin_launch_result(&memory, cycles);
}
