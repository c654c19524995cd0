// A launch: its memory and arguments.
#include "grid.h"

#include "jobs.h"

#include <string.h>

static void add_shared(simt_machine *m, simt_variable variable) {
  m->shared = LIN_ROOM(m->arena, m->shared, m->num_shared, &m->capacity_shared);
  m->shared[m->num_shared++] = variable;
}

simt_machine *simt_machine_new(lin_arena *arena, const simt_program *program,
                               const simt_launch *launch) {
  simt_machine *m = LIN_NEW(arena, simt_machine);
  m->arena = arena;
  m->program = program;
  m->launch = *launch;
  m->metrics = simt_metrics_new(arena, program, launch->model == SIMT_VOLTA);
  m->num_threads = launch->block[0] * launch->block[1] * launch->block[2];
  m->num_warps = (m->num_threads + SIMT_LANES - 1) / SIMT_LANES;
  for (uint32_t i = 0; i < program->num_globals; i++) {
    const simt_global *global = &program->global[i];
    const simt_variable *v = &global->variable;
    simt_object *object = simt_memory_add(arena, &m->global, v->name, v->address, v->size);
    object->is_constant = global->is_constant;
    memcpy(object->bytes, global->bytes, v->size);
    memcpy(object->written, global->written, v->size);
  }
  for (uint32_t i = 0; i < program->num_shared; i++)
    add_shared(m, program->shared[i]);
  if (program->has_dynamic_shared)
    add_shared(m,
               (simt_variable){"dynamic shared memory", SIMT_DYNAMIC_SHARED, launch->shared_bytes});
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
  if (m->num_shared > 0) {
    const simt_variable *last = &m->shared[m->num_shared - 1];
    uint64_t behind = (last->address + last->size) / alignment * alignment + 2 * alignment;
    at = behind > at ? behind : at;
  }
  add_shared(m, (simt_variable){name, at, size});
  return at;
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

bool simt_machine_run(simt_machine *m, const uint64_t *argument, const uint8_t *const *by_value) {
  m->argument = argument;
  lay_out_by_value(m, by_value);
  simt_jobs_run(m);
  return m->fault == NULL;
}
