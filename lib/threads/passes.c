// How often warps enter blocks: at least, corrected, and without divergence.
#include "chance.h"
#include "launch.h"
#include "linearize/threads.h"

#include <errno.h>
#include <math.h>
#include <string.h>

// Ends a call: 0, or -1 and errno.
static int end(lin_memory *memory, bool is_good) {
  int error = memory->is_out ? ENOMEM : is_good ? 0 : EINVAL;
  lin_memory_release(memory);
  if (error == 0)
    return 0;
  errno = error;
  return -1;
}

static lin_passes have_passes(lin_memory *memory, size_t num_blocks) {
  return (lin_passes){LIN_HAVE(memory, double, num_blocks), LIN_HAVE(memory, double, num_blocks),
                      LIN_HAVE(memory, double, num_blocks), LIN_HAVE(memory, double, num_blocks)};
}

static void add(double *sum, const double *more, size_t count) {
  for (size_t i = 0; i < count; i++)
    sum[i] += more[i];
}

// Adds up all warps' in `sum`; `one` has room for one.
static void add_warps(const lin_launch *launch, const lin_chance *chance, const lin_passes *one,
                      const lin_passes *sum) {
  const size_t num_blocks = launch->vectors.num_blocks;
  for (size_t place = 0, end; num_blocks > 0 && place < launch->vectors.num_threads; place = end) {
    const uint32_t *thread[LIN_WARP];
    end = lin_launch_end_of_warp(launch, place);
    for (size_t i = place; i < end; i++)
      thread[i - place] = lin_vector(&launch->vectors, lin_launch_thread(launch, i));
    lin_chance_warp(chance, thread, end - place, one);
    add(sum->mean, one->mean, num_blocks);
    add(sum->most, one->most, num_blocks);
    add(sum->passes, one->passes, num_blocks);
    if (one->chance != NULL)
      add(sum->chance, one->chance, num_blocks);
  }
}

static bool are_counts(const double *number, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(number[i]) || number[i] < 0)
      return false;
  return true;
}

int linearize_bbv_passes(const uint32_t *vectors, size_t num_threads, size_t num_blocks,
                         const uint32_t *around, const double *correction, const uint32_t *order,
                         size_t threads_per_block, double *mean, double *most, double *passes) {
  lin_launch launch = {{vectors, num_threads, num_blocks}, NULL, order, threads_per_block};
  bool has_room = num_blocks == 0 || (mean != NULL && most != NULL && passes != NULL);
  lin_memory memory = {0};
  lin_chance chance;
  if (!has_room || !lin_launch_is_good(&launch, false) ||
      (correction != NULL && !are_counts(correction, num_blocks)) ||
      !lin_chance_start(&chance, &memory, num_blocks, around, correction))
    return end(&memory, false);
  lin_passes one = have_passes(&memory, num_blocks);
  if (memory.is_out)
    return end(&memory, false);
  one.chance = NULL;
  lin_passes sum = {mean, most, passes, NULL};
  for (size_t block = 0; block < num_blocks; block++)
    mean[block] = most[block] = passes[block] = 0;
  add_warps(&launch, &chance, &one, &sum);
  return end(&memory, true);
}

// ---- the correction

// A block that no thread enters may have been counted: warps come by where its instructions are
// predicated.
static double correction_of(double counted, double most, double chance) {
  if (counted <= most || chance == 0)
    return 0;
  return counted <= chance ? (counted - most) / (chance - most) : counted / chance;
}

static uint32_t deepest(const lin_chance *chance) {
  return chance->num_blocks == 0 ? 0 : chance->depth[chance->sequence[chance->num_blocks - 1]];
}

// What is around others first: how often the warp is there has to be known.
static void learn(const lin_launch *launch, lin_chance *chance, const lin_passes *one,
                  const lin_passes *sum, const double *counted, double *correction) {
  const size_t num_blocks = launch->vectors.num_blocks;
  for (uint32_t depth = 0; depth <= deepest(chance); depth++) {
    for (size_t block = 0; block < num_blocks; block++)
      sum->mean[block] = sum->most[block] = sum->passes[block] = sum->chance[block] = 0;
    chance->deepest = depth;
    add_warps(launch, chance, one, sum);
    for (size_t block = 0; block < num_blocks; block++)
      if (chance->depth[block] == depth)
        correction[block] = correction_of(counted[block], sum->most[block], sum->chance[block]);
  }
}

int linearize_bbv_correction(const uint32_t *vectors, size_t num_threads, size_t num_blocks,
                             const uint32_t *around, const double *counted, const uint32_t *order,
                             size_t threads_per_block, double *correction) {
  lin_launch launch = {{vectors, num_threads, num_blocks}, NULL, order, threads_per_block};
  bool has_room = num_blocks == 0 || (counted != NULL && correction != NULL);
  lin_memory memory = {0};
  lin_chance chance;
  if (!has_room || !lin_launch_is_good(&launch, false) || !are_counts(counted, num_blocks) ||
      !lin_chance_start(&chance, &memory, num_blocks, around, NULL))
    return end(&memory, false);
  double *learned = LIN_HAVE(&memory, double, num_blocks);
  lin_passes one = have_passes(&memory, num_blocks), sum = have_passes(&memory, num_blocks);
  if (memory.is_out)
    return end(&memory, false);
  chance.correction = learned;
  learn(&launch, &chance, &one, &sum, counted, learned);
  for (size_t block = 0; block < num_blocks; block++)
    correction[block] = learned[block];
  return end(&memory, true);
}
