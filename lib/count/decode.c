#include "decode.h"

#include "threads/gather.h"

static uint64_t count_thread_blocks(const lin_counts_launch *l) {
  return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
}

static uint64_t threads_of_block(const lin_counts_launch *l) {
  return (uint64_t)l->block[0] * l->block[1] * l->block[2];
}

uint64_t lin_count_slots(const lin_counts_launch *l) {
  return (count_thread_blocks(l) + l->sample - 1) / l->sample * threads_of_block(l);
}

lin_counts_block *lin_count_blocks(lin_memory *memory, const lin_count_description *d) {
  lin_counts_block *blocks = LIN_HAVE(memory, lin_counts_block, d->num_blocks);
  uint32_t next = 0;
  for (uint32_t i = 0; blocks != NULL && i < d->num_functions; i++) {
    const lin_counted_function *f = &d->function[i];
    for (lin_block b = 0; b < f->graph->num_blocks; b++)
      blocks[next++] =
          (lin_counts_block){f->graph->title, f->graph->name[b], f->latency[b], f->source[b]};
  }
  return blocks;
}

// The vector of the thread in `slot`. False if it has not written its counters: who has has entered the
// kernel once.
static bool solve_thread(lin_count_solver *const *solver, const lin_count_description *d,
                         const uint32_t *counters, uint64_t capacity, uint64_t slot,
                         uint64_t *vector) {
  uint64_t *next = vector;
  for (uint32_t i = 0; i < d->num_functions; i++) {
    lin_count_solve(solver[i], counters + slot, capacity, next);
    next += d->function[i].graph->num_blocks;
  }
  return vector[0] == 1;
}

bool lin_count_decode(lin_arena *arena, lin_memory *memory, const lin_count_description *d,
                      const uint32_t *counters, uint64_t capacity, const lin_counts_launch *before,
                      lin_counts_launch *launch) {
  lin_count_solver **solver = LIN_ARRAY(arena, lin_count_solver *, d->num_functions);
  for (uint32_t i = 0; i < d->num_functions; i++)
    solver[i] = lin_count_solver_new(arena, d->function[i].graph, d->function[i].counters);
  uint64_t *vector = LIN_ARRAY(arena, uint64_t, d->num_blocks);
  lin_gather *gather = lin_gather_new(memory, d->num_blocks, before);
  launch->hash = d->hash;
  launch->blocks = lin_count_blocks(memory, d);
  if (gather == NULL || launch->blocks == NULL)
    return false;

  uint64_t slot = 0, size = threads_of_block(launch);
  for (uint64_t block = 0; block < count_thread_blocks(launch); block++) {
    bool is_counted = block % launch->sample == 0;
    for (uint64_t thread = 0; thread < size; thread++) {
      bool is_known = is_counted && counters != NULL && slot < capacity;
      if (is_known)
        is_known = solve_thread(solver, d, counters, capacity, slot, vector);
      slot += is_counted;
      if (!lin_gather_thread(gather, is_known ? vector : NULL))
        return false;
    }
  }
  lin_gather_end(gather, launch);
  return true;
}
