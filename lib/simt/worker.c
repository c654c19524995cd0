// The warps of a block run in turn until all of them wait: for a barrier, that then either is
// complete or never will be.
#include "races.h"

#include <stdlib.h>
#include <string.h>

enum { TURN = 20000 }; // instructions of a warp before it is the next one's turn

// ---- workers -----------------------------------------------------------------------------------

static void *allocate(size_t count) {
  void *bytes = calloc(count + 1, 1);
  if (bytes == NULL)
    abort();
  return bytes;
}

static void make_shared(simt_worker *worker) {
  const simt_machine *m = worker->machine;
  for (uint32_t i = 0; i < m->num_shared; i++)
    simt_memory_add(&worker->arena, &worker->shared, m->shared[i].name, m->shared[i].address,
                    m->shared[i].size);
}

static void make_warp(simt_worker *worker, uint32_t number, uint32_t max_copies) {
  const simt_machine *m = worker->machine;
  simt_warp *warp = &worker->warp[number];
  warp->machine = m;
  warp->worker = worker;
  warp->number = number;
  warp->free_frame = LIN_ARRAY(&worker->arena, simt_frame *, m->program->num_functions);
  warp->copies = LIN_ARRAY(&worker->arena, uint64_t, max_copies + 1);
  warp->local_capacity = m->by_value_end;
  for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
    warp->local[lane] = allocate(m->by_value_end);
    warp->local_written[lane] = allocate(m->by_value_end);
    uint32_t thread = number * SIMT_LANES + lane;
    warp->thread_id[0][lane] = thread % m->launch.block[0];
    warp->thread_id[1][lane] = thread / m->launch.block[0] % m->launch.block[1];
    warp->thread_id[2][lane] = thread / m->launch.block[0] / m->launch.block[1];
  }
}

void simt_worker_begin(simt_worker *worker, const simt_machine *m) {
  const simt_program *p = m->program;
  *worker = (simt_worker){.machine = m};
  worker->metrics = simt_metrics_new(&worker->arena, p, m->launch.model == SIMT_VOLTA);
  make_shared(worker);
  if (m->launch.counted != NULL)
    worker->vectors = simt_vectors_new(&worker->arena, p, m->num_threads);
  if (m->launch.warps != NULL)
    worker->warps = simt_vectors_new(&worker->arena, p, m->num_warps);
  if (m->launch.inputs != NULL)
    worker->inputs = simt_inputs_new(&worker->arena, &p->function[0], m->num_threads);
  if (m->launch.races)
    worker->races = simt_races_new(worker);
  worker->warp = LIN_ARRAY(&worker->arena, simt_warp, m->num_warps);
  uint32_t max_copies = 0;
  for (uint32_t i = 0; i < p->num_functions; i++)
    if (p->function[i].max_copies > max_copies)
      max_copies = p->function[i].max_copies;
  for (uint32_t i = 0; i < m->num_warps; i++)
    make_warp(worker, i, max_copies);
}

static void release_warp(simt_warp *warp) {
  simt_seen_release(&warp->seen);
  for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
    free(warp->local[lane]);
    free(warp->local_written[lane]);
  }
}

void simt_worker_release(simt_worker *worker) {
  for (uint32_t i = 0; i < worker->machine->num_warps; i++)
    release_warp(&worker->warp[i]);
  lin_arena_release(&worker->arena);
}

// ---- blocks ------------------------------------------------------------------------------------

static void clear_shared(simt_worker *worker) {
  for (uint32_t i = 0; i < worker->shared.count; i++) {
    memset(worker->shared.object[i].bytes, 0, worker->shared.object[i].size);
    memset(worker->shared.object[i].written, 0, worker->shared.object[i].size);
  }
}

static void copy_by_value(simt_warp *warp) {
  const simt_machine *m = warp->machine;
  for (unsigned lane = 0; lane < SIMT_LANES; lane++)
    for (uint32_t i = 0; i < m->num_by_value; i++) {
      const simt_variable *v = &m->by_value[i];
      memcpy(warp->local[lane] + v->address, m->by_value_bytes[i], v->size);
      memset(warp->local_written[lane] + v->address, 1, v->size);
    }
}

static void begin_warp(simt_warp *warp) {
  const simt_machine *m = warp->machine;
  uint32_t first = warp->number * SIMT_LANES, left = m->num_threads - first;
  warp->live = left >= SIMT_LANES ? SIMT_ALL_LANES : (UINT32_C(1) << left) - 1;
  warp->instructions = 0;
  copy_by_value(warp);
  simt_frame *frame = simt_frame_new(warp, 0, NULL, warp->live);
  for (uint32_t i = 0; i < frame->function->num_parameters; i++)
    for (unsigned lane = 0; lane < SIMT_LANES; lane++)
      frame->registers[frame->function->first_parameter + i][lane] = m->argument[i];
  simt_passes_begin(frame->passes, NULL, NULL, 0, 0, warp->live);
  simt_model_begin(warp, frame, warp->live);
}

static void begin_block(simt_worker *worker, uint64_t block) {
  const uint32_t *grid = worker->machine->launch.grid;
  worker->block = block;
  worker->block_id[0] = (uint32_t)(block % grid[0]);
  worker->block_id[1] = (uint32_t)(block / grid[0] % grid[1]);
  worker->block_id[2] = (uint32_t)(block / grid[0] / grid[1]);
  clear_shared(worker);
  if (worker->races != NULL)
    simt_races_begin_block(worker);
  memset(worker->barrier, 0, sizeof worker->barrier);
  worker->ended = 0;
  for (uint32_t i = 0; i < worker->machine->num_warps; i++)
    begin_warp(&worker->warp[i]);
}

static bool run_warps_in_turn(simt_worker *worker) {
  bool did = false;
  for (uint32_t i = 0; i < worker->machine->num_warps && worker->fault == NULL; i++)
    did |= simt_warp_run(&worker->warp[i], TURN);
  return did;
}

static bool has_live_warp(const simt_worker *worker) {
  for (uint32_t i = 0; i < worker->machine->num_warps; i++)
    if (worker->warp[i].live != 0)
      return true;
  return false;
}

static void report(const simt_worker *worker) {
  const simt_launch *launch = &worker->machine->launch;
  if (worker->reports && launch->progress != NULL)
    launch->progress(launch->progress_context, worker->block,
                     (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2]);
}

void simt_worker_run(simt_worker *worker, uint64_t block) {
  begin_block(worker, block);
  worker->first_warp = block * worker->machine->num_warps;
  while (worker->fault == NULL && has_live_warp(worker)) {
    report(worker);
    bool did = run_warps_in_turn(worker);
    simt_barrier_release(worker);
    if (!did && worker->fault == NULL && has_live_warp(worker)) {
      // A barrier that was complete lets some warp go on in the next turn.
      did = run_warps_in_turn(worker);
      simt_barrier_release(worker);
      if (!did)
        simt_fail_deadlock(worker);
    }
  }
  const simt_machine *m = worker->machine;
  if (worker->vectors != NULL) {
    m->launch.counted(m->launch.counted_context, worker->vectors, block * m->num_threads);
    simt_vectors_clear(worker->vectors);
  }
  if (worker->inputs != NULL)
    simt_inputs_write(worker->inputs, m->launch.inputs, block * m->num_threads);
  if (worker->warps != NULL) {
    simt_vectors_write(worker->warps, m->launch.warps, block * m->num_warps);
    simt_vectors_clear(worker->warps);
  }
}
