// Thread blocks run one behind the other, their warps in turn until all of them wait: for a
// barrier, that then either is complete or never will be.
#include "grid.h"

#include <stdlib.h>
#include <string.h>

enum { TURN = 20000 }; // instructions of a warp before it is the next one's turn

simt_machine *simt_machine_new(lin_arena *arena, const simt_program *program,
                               const simt_launch *launch) {
  simt_machine *m = LIN_NEW(arena, simt_machine);
  m->arena = arena;
  m->program = program;
  m->launch = *launch;
  m->metrics = simt_metrics_new(arena, program, launch->model == SIMT_VOLTA);
  for (uint32_t i = 0; i < program->num_globals; i++) {
    const simt_global *global = &program->global[i];
    const simt_variable *v = &global->variable;
    simt_object *object = simt_memory_add(arena, &m->global, v->name, v->address, v->size);
    object->is_constant = global->is_constant;
    memcpy(object->bytes, global->bytes, v->size);
    memcpy(object->written, global->written, v->size);
  }
  for (uint32_t i = 0; i < program->num_shared; i++)
    simt_memory_add(arena, &m->shared, program->shared[i].name, program->shared[i].address,
                    program->shared[i].size);
  if (program->has_dynamic_shared)
    simt_memory_add(arena, &m->shared, "dynamic shared memory", SIMT_DYNAMIC_SHARED,
                    launch->shared_bytes);
  return m;
}

simt_object *simt_machine_buffer(simt_machine *m, const char *name, uint64_t size) {
  static const uint64_t first = (uint64_t)1 << 40, alignment = 4096;
  uint64_t end = first;
  if (m->global.count > 0) {
    const simt_object *last = &m->global.object[m->global.count - 1];
    uint64_t behind = (last->address + last->size) / alignment * alignment + 2 * alignment;
    end = behind > end ? behind : end;
  }
  return simt_memory_add(m->arena, &m->global, name, end, size);
}

uint64_t simt_machine_shared(simt_machine *m, const char *name, uint64_t size) {
  static const uint64_t alignment = 256;
  uint64_t at = SIMT_DYNAMIC_SHARED;
  if (m->shared.count > 0) {
    const simt_object *last = &m->shared.object[m->shared.count - 1];
    uint64_t behind = (last->address + last->size) / alignment * alignment + 2 * alignment;
    at = behind > at ? behind : at;
  }
  return simt_memory_add(m->arena, &m->shared, name, at, size)->address;
}

// ---- warps of a block --------------------------------------------------------------------------

static void *allocate(size_t count, size_t size) {
  void *bytes = calloc(count + 1, size);
  if (bytes == NULL)
    abort();
  return bytes;
}

static void make_warps(simt_machine *m) {
  const simt_program *p = m->program;
  m->num_threads = m->launch.block[0] * m->launch.block[1] * m->launch.block[2];
  m->num_warps = (m->num_threads + SIMT_LANES - 1) / SIMT_LANES;
  m->warp = LIN_ARRAY(m->arena, simt_warp, m->num_warps);
  uint32_t max_copies = 0;
  for (uint32_t i = 0; i < p->num_functions; i++)
    if (p->function[i].max_copies > max_copies)
      max_copies = p->function[i].max_copies;
  for (uint32_t i = 0; i < m->num_warps; i++) {
    simt_warp *warp = &m->warp[i];
    warp->machine = m;
    warp->number = i;
    warp->free_frame = LIN_ARRAY(m->arena, simt_frame *, p->num_functions);
    warp->copies = LIN_ARRAY(m->arena, uint64_t, max_copies + 1);
    warp->local_capacity = m->by_value_end;
    for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
      warp->local[lane] = allocate(m->by_value_end, 1);
      warp->local_written[lane] = allocate(m->by_value_end, 1);
      uint32_t thread = i * SIMT_LANES + lane;
      warp->thread_id[0][lane] = thread % m->launch.block[0];
      warp->thread_id[1][lane] = thread / m->launch.block[0] % m->launch.block[1];
      warp->thread_id[2][lane] = thread / m->launch.block[0] / m->launch.block[1];
    }
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

// Local memory of the launch holds the byval parameters, before that of the first frame.
static void lay_out_by_value(simt_machine *m, const uint8_t *const *bytes) {
  const simt_program *p = m->program;
  m->by_value = LIN_ARRAY(m->arena, simt_variable, p->num_parameters);
  m->by_value_bytes = LIN_ARRAY(m->arena, const uint8_t *, p->num_parameters);
  uint64_t *argument = LIN_ARRAY(m->arena, uint64_t, p->function[0].num_parameters + 1);
  memcpy(argument, m->argument, p->function[0].num_parameters * sizeof *argument);
  m->argument = argument;
  for (uint32_t i = 0, at = 0; i < p->num_parameters; at += p->parameter[i++].num_registers) {
    if (p->parameter[i].by_value_size == 0)
      continue;
    m->by_value_bytes[m->num_by_value] = bytes[i];
    m->by_value[m->num_by_value++] =
        (simt_variable){"parameter", m->by_value_end, p->parameter[i].by_value_size};
    argument[at] = SIMT_LOCAL_WINDOW + m->by_value_end;
    m->by_value_end += (uint32_t)(p->parameter[i].by_value_size + 31) / 16 * 16;
  }
}

static bool run_warps_in_turn(simt_machine *m) {
  bool did = false;
  for (uint32_t i = 0; i < m->num_warps && m->fault == NULL; i++)
    did |= simt_warp_run(&m->warp[i], TURN);
  return did;
}

static bool has_live_warp(const simt_machine *m) {
  for (uint32_t i = 0; i < m->num_warps; i++)
    if (m->warp[i].live != 0)
      return true;
  return false;
}

static void clear_shared(simt_machine *m) {
  for (uint32_t i = 0; i < m->shared.count; i++) {
    memset(m->shared.object[i].bytes, 0, m->shared.object[i].size);
    memset(m->shared.object[i].written, 0, m->shared.object[i].size);
  }
}

static void run_block(simt_machine *m) {
  clear_shared(m);
  memset(m->barrier, 0, sizeof m->barrier);
  m->ended = 0;
  for (uint32_t i = 0; i < m->num_warps; i++)
    begin_warp(&m->warp[i]);
  while (m->fault == NULL && has_live_warp(m)) {
    bool did = run_warps_in_turn(m);
    simt_barrier_release(m);
    if (!did && m->fault == NULL && has_live_warp(m)) {
      // A barrier that was complete lets some warp go on in the next turn.
      did = run_warps_in_turn(m);
      simt_barrier_release(m);
      if (!did)
        simt_fail_deadlock(m);
    }
  }
}

bool simt_machine_run(simt_machine *m, const uint64_t *argument, const uint8_t *const *by_value) {
  m->argument = argument;
  lay_out_by_value(m, by_value);
  make_warps(m);
  const uint32_t *grid = m->launch.grid;
  for (uint64_t i = 0; i < (uint64_t)grid[0] * grid[1] * grid[2] && m->fault == NULL; i++) {
    m->block_id[0] = (uint32_t)(i % grid[0]);
    m->block_id[1] = (uint32_t)(i / grid[0] % grid[1]);
    m->block_id[2] = (uint32_t)(i / grid[0] / grid[1]);
    run_block(m);
  }
  return m->fault == NULL;
}

void simt_machine_release(simt_machine *m) {
  for (uint32_t i = 0; i < m->num_warps; i++) {
    simt_seen_release(&m->warp[i].seen);
    for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
      free(m->warp[i].local[lane]);
      free(m->warp[i].local_written[lane]);
    }
  }
  m->num_warps = 0;
}
