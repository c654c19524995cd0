#include "jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

// ---- programs whose blocks don't see each other ------------------------------------------------

static bool may_reach_global(const simt_instruction *in) {
  return in->from == SIMT_GENERIC || (in->opcode == SIMT_MEMCPY && in->offset == SIMT_GENERIC);
}

static bool shows_order(const simt_instruction *in) {
  if (in->opcode == SIMT_PRINTF)
    return true;
  bool is_memory = in->opcode >= SIMT_FIRST_MEMORY && in->opcode <= SIMT_LAST_MEMORY;
  return is_memory && (in->flags & SIMT_POLLS) != 0 && may_reach_global(in);
}

bool simt_jobs_may_overlap(const simt_program *program) {
  for (uint32_t i = 0; i < program->num_functions; i++) {
    const simt_function *f = &program->function[i];
    for (uint32_t pc = 0; pc < f->num_code; pc++)
      if (shows_order(&f->code[pc]))
        return false;
  }
  return true;
}

// ---- workers -----------------------------------------------------------------------------------

// Blocks are given out in rising order, so that all blocks before one that faults were given out,
// and are run to their end.
typedef struct block_queue {
  const simt_machine *machine;
  atomic_uint_fast64_t next;
  uint64_t end;
} block_queue;

typedef struct job {
  block_queue *queue;
  bool is_first;
  pthread_t thread;
  simt_worker worker;
} job;

static void *run_job(void *argument) {
  job *j = argument;
  block_queue *queue = j->queue;
  simt_worker_begin(&j->worker, queue->machine);
  j->worker.reports = j->is_first;
  while (j->worker.fault == NULL) {
    uint64_t block = atomic_fetch_add(&queue->next, 1);
    if (block >= queue->end)
      return NULL;
    simt_worker_run(&j->worker, block);
  }
  atomic_store(&queue->next, queue->end);
  return NULL;
}

static uint32_t count_jobs(const simt_machine *m, uint64_t num_blocks) {
  uint32_t wanted = m->launch.jobs;
  bool in_order = m->launch.counted != NULL || m->launch.warps != NULL ||
                  m->launch.inputs != NULL || m->launch.lanes != NULL || m->launch.races;
  if (wanted < 2 || in_order || !simt_jobs_may_overlap(m->program))
    return 1;
  return wanted < num_blocks ? wanted : (uint32_t)num_blocks;
}

// The first one runs on the caller's thread. Returns how many there are: fewer, if the system gives
// no more threads.
static uint32_t run_jobs(job *jobs, uint32_t count) {
  uint32_t begun = 1;
  jobs[0].is_first = true;
  while (begun < count && pthread_create(&jobs[begun].thread, NULL, run_job, &jobs[begun]) == 0)
    begun++;
  run_job(&jobs[0]);
  for (uint32_t i = 1; i < begun; i++)
    pthread_join(jobs[i].thread, NULL);
  return begun;
}

static void keep_fault(simt_machine *m, const job *jobs, uint32_t count) {
  const simt_worker *first = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const simt_worker *worker = &jobs[i].worker;
    if (worker->fault != NULL && (first == NULL || worker->block < first->block))
      first = worker;
  }
  if (first != NULL)
    m->fault = lin_arena_text(m->arena, first->fault, strlen(first->fault));
}

void simt_jobs_run(simt_machine *m) {
  const simt_launch *l = &m->launch;
  const uint64_t all = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
  const uint64_t rest = all > l->first_block ? all - l->first_block : 0;
  const uint64_t num_blocks = l->num_blocks == 0 || l->num_blocks > rest ? rest : l->num_blocks;
  block_queue queue = {.machine = m, .next = l->first_block, .end = l->first_block + num_blocks};
  uint32_t count = count_jobs(m, num_blocks);
  job *jobs = LIN_ARRAY(m->arena, job, count);
  for (uint32_t i = 0; i < count; i++)
    jobs[i].queue = &queue;
  count = run_jobs(jobs, count);
  keep_fault(m, jobs, count);
  for (uint32_t i = 0; i < count; i++) {
    simt_metrics_add(m->metrics, jobs[i].worker.metrics, m->program);
    simt_worker_release(&jobs[i].worker);
  }
}
