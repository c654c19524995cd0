#include "estimate.h"

#include "common/command_line.h"
#include "linearize/threads.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { WARP = 32 };

typedef struct work {
  lin_memory *memory;
  const char *file;
  const lin_counts_launch *launch;
  uint32_t *vectors; // [num_threads * num_blocks]
  size_t num_threads, threads_per_block;
  double *latency;              // [num_blocks], and so are:
  uint32_t *around;             // linearize_bbv_passes
  double *mean, *most, *passes; // the same
  double *correction;           // linearize_bbv_correction; 0 where nothing is counted
} work;

static _Noreturn void die_of(const work *w) {
  tool_die(1, "%s: kernel '%s': %s", w->file, w->launch->kernel, strerror(errno));
}

static void *have(const work *w, size_t count, size_t size) {
  void *array = lin_memory_array(w->memory, count, size);
  if (w->memory->is_out) {
    errno = ENOMEM;
    die_of(w);
  }
  return array;
}

// ---- the threads of which something is known

// How many threads find_vectors() has at once, at most.
static size_t most_known(const work *w) {
  size_t most = 1;
  for (uint32_t i = 0; i < w->launch->num_runs; i++)
    if (w->launch->run[i].vector != LIN_COUNTS_UNKNOWN)
      most += w->launch->run[i].num_threads + 2 * w->threads_per_block;
  return most + w->threads_per_block;
}

// Of each thread. Those of thread blocks of which nothing is known are left out.
static uint32_t *find_vectors(work *w) {
  const size_t size = w->threads_per_block;
  uint32_t *vector = have(w, most_known(w), sizeof *vector);
  bool is_known = false;
  for (uint32_t i = 0; i < w->launch->num_runs; i++) {
    const lin_counts_run *run = &w->launch->run[i];
    for (size_t left = run->num_threads; left > 0;) {
      const size_t here = w->num_threads % size;
      if (here == 0 && left >= size && run->vector == LIN_COUNTS_UNKNOWN) {
        left %= size;
        continue;
      }
      const size_t taken = left < size - here ? left : size - here;
      for (size_t j = 0; j < taken; j++)
        vector[w->num_threads++] = run->vector;
      left -= taken;
      is_known |= run->vector != LIN_COUNTS_UNKNOWN;
      if (w->num_threads % size != 0)
        continue;
      w->num_threads -= is_known ? 0 : size;
      is_known = false;
    }
  }
  return vector;
}

static void make_vectors(work *w) {
  const lin_counts_launch *l = w->launch;
  const uint32_t *vector = find_vectors(w);
  w->vectors = have(w, w->num_threads * l->num_blocks + 1, sizeof *w->vectors);
  for (size_t thread = 0; thread < w->num_threads; thread++) {
    if (vector[thread] == LIN_COUNTS_UNKNOWN)
      continue;
    const uint64_t *count = l->vector + (size_t)vector[thread] * l->num_blocks;
    uint32_t *row = w->vectors + thread * l->num_blocks;
    for (uint32_t b = 0; b < l->num_blocks; b++)
      row[b] = count[b] < UINT32_MAX ? (uint32_t)count[b] : UINT32_MAX;
  }
}

// ---- warps as they are

static void count_passes(work *w, const uint32_t *order) {
  if (linearize_bbv_passes(w->vectors, w->num_threads, w->launch->num_blocks, w->around,
                           w->correction, order, w->threads_per_block, w->mean, w->most,
                           w->passes) != 0)
    die_of(w);
}

// A row of another launch, or of other code, has warps do less than their threads did.
static void require_fit(const profile_passes *passes, const work *w, const profile_block *block,
                        uint32_t b, const profile_row *row) {
  const lin_counts_block *name = &w->launch->blocks[b];
  if (row == NULL) {
    if (block->threads > 0)
      tool_die(1, "%s: no row of function '%s', block '%s', which %.0f threads entered in %s",
               passes->file, name->function, name->name, block->threads, w->file);
  } else if (row->entries < w->most[b] || row->threads < block->threads ||
             row->again > row->entries) {
    tool_die(1,
             "%s:%zu: function '%s', block '%s': %.0f entries by warps don't fit %.0f by threads "
             "in %s: it is another launch, or another build",
             passes->file, row->line, name->function, name->name, row->entries, block->threads,
             w->file);
  }
}

static void count_blocks(work *w, profile_estimate *e, const profile_passes *passes,
                         const profile_row **row) {
  double *counted = have(w, w->launch->num_blocks, sizeof *counted);
  for (uint32_t b = 0; b < w->launch->num_blocks; b++) {
    profile_block *block = &e->block[b];
    for (size_t thread = 0; thread < w->num_threads; thread++)
      block->threads += w->vectors[thread * w->launch->num_blocks + b];
    if (passes != NULL && row != NULL)
      require_fit(passes, w, block, b, row[b]);
    bool is_counted = row != NULL && row[b] != NULL;
    // a thread of which nothing is known may have been the first of others
    counted[b] = is_counted ? fmax(row[b]->entries, w->most[b]) : w->most[b];
    block->now = counted[b];
    block->none = w->mean[b];
    block->cost = w->latency[b] * (block->now - block->none);
    block->again = is_counted ? row[b]->again : 0;
    block->parted = is_counted ? row[b]->divergent : NAN;
    e->now += w->latency[b] * block->now;
    e->none += w->latency[b] * block->none;
  }
  if (row != NULL &&
      linearize_bbv_correction(w->vectors, w->num_threads, w->launch->num_blocks, w->around,
                               counted, NULL, w->threads_per_block, w->correction) != 0)
    die_of(w);
  e->cycles[PROFILE_NOTHING] = e->now;
}

// ---- threads in another order

static double cycles_in_order(work *w, const uint32_t *order) {
  count_passes(w, order);
  double cycles = 0;
  for (uint32_t b = 0; b < w->launch->num_blocks; b++)
    cycles += w->latency[b] * w->passes[b];
  return cycles;
}

static void regroup(work *w, linearize_regrouping how, size_t first, size_t count,
                    uint32_t *order) {
  if (linearize_regroup(how, w->vectors + first * w->launch->num_blocks, count,
                        w->launch->num_blocks, w->latency, WARP, order + first) != 0)
    die_of(w);
  for (size_t i = first; i < first + count; i++)
    order[i] += (uint32_t)first;
}

static void try_orders(work *w, profile_estimate *e) {
  uint32_t *order = have(w, w->num_threads + 1, sizeof *order);
  for (size_t first = 0; first < w->num_threads; first += w->threads_per_block)
    regroup(w, LINEARIZE_GREEDY, first, w->threads_per_block, order);
  e->cycles[PROFILE_IN_BLOCK] = cycles_in_order(w, order);
  static const linearize_regrouping how[] = {LINEARIZE_SORTING, LINEARIZE_GREEDY,
                                             LINEARIZE_GREEDY_MAX};
  for (int i = 0; i < 3; i++) {
    regroup(w, how[i], 0, w->num_threads, order);
    e->cycles[PROFILE_SORTING + i] = cycles_in_order(w, order);
  }
}

static void refill(work *w, profile_estimate *e) {
  double *warps = have(w, w->launch->num_blocks, sizeof *warps);
  for (uint32_t b = 0; b < w->launch->num_blocks; b++)
    warps[b] = e->block[b].now;
  e->refill = profile_refill_launch(w->memory, w->launch, warps);
  if (e->refill.header != UINT32_MAX)
    e->cycles[PROFILE_REFILLING] = e->now / e->refill.predicted.gain;
}

profile_estimate profile_estimate_launch(lin_memory *memory, const char *file,
                                         const lin_counts_launch *launch,
                                         const profile_passes *passes) {
  uint32_t num_blocks = launch->num_blocks;
  work w = {.memory = memory, .file = file, .launch = launch};
  w.threads_per_block = (size_t)lin_counts_block_threads(launch);
  make_vectors(&w);
  w.latency = have(&w, num_blocks, sizeof *w.latency);
  w.mean = have(&w, num_blocks, sizeof *w.mean);
  w.most = have(&w, num_blocks, sizeof *w.most);
  w.passes = have(&w, num_blocks, sizeof *w.passes);
  w.correction = have(&w, num_blocks, sizeof *w.correction);
  w.around = have(&w, num_blocks, sizeof *w.around);
  for (uint32_t b = 0; b < num_blocks; b++) {
    w.latency[b] = launch->blocks[b].latency;
    w.around[b] = launch->blocks[b].around;
  }
  profile_estimate e = {
      .launch = launch, .num_threads = w.num_threads, .vectors = w.vectors, .measured = NAN};
  e.block = have(&w, num_blocks, sizeof *e.block);
  count_passes(&w, NULL);
  const profile_row **row = passes == NULL ? profile_passes_of(memory, launch)
                                           : profile_passes_find(memory, passes, launch);
  e.has_passes = row != NULL;
  count_blocks(&w, &e, passes, row);
  for (int i = PROFILE_IN_BLOCK; i < PROFILE_NUM_REMEDIES; i++)
    e.cycles[i] = NAN;
  if (e.has_passes)
    try_orders(&w, &e);
  refill(&w, &e);
  e.causes = profile_find_causes(memory, &e);
  return e;
}
