#include "steps.h"

#include "answers.h"
#include "divergence.h"
#include "edits.h"
#include "sharing.h"
#include "write.h"

#include "choose/estimate.h"

#include <assert.h>
#include <stdio.h>

enum { FIRST_WITH_PROGRESS = 70 }; // sm_70: threads of a warp are scheduled one by one

typedef struct work {
  const lin_ptx_job *job;
  const lin_ptx_draft *draft; // the function as it is
  lin_ptx_function *f;        // as it was read last
  const lin_front *front;     // about that
} work;

// ---- reading

static void read(void *context, lin_code *code) {
  work *w = context;
  lin_arena *arena = w->job->arena;
  if (w->f == NULL || w->f->body->place != &w->draft->place) {
    const lin_ptx_body *body = lin_ptx_body_read(arena, &w->draft->module, &w->draft->place);
    assert(body->refused == NULL && "what was understood is, after changes");
    w->f = lin_ptx_read(arena, body, lin_ptx_summary, w->job->summaries);
    w->front = lin_ptx_answers(arena, w->f);
  }
  *code = (lin_code){.graph = w->f->graph, .front = w->front, .refused_at = LIN_NONE};
}

static void read_uniform(void *context) { lin_ptx_find_uniform(((work *)context)->f); }

static void read_sharing(void *context) {
  work *w = context;
  lin_ptx_read_sharing(w->job->arena, w->f, w->job->has_shared);
}

// ---- changing

static const lin_block *apply(void *context, const lin_result *result, const lin_edits *edits,
                              lin_code *code) {
  work *w = context;
  (void)result;
  lin_ptx_patch patch = {.arena = w->job->arena};
  const lin_ptx_function *before = w->f;
  lin_ptx_edit(before, edits, &patch);
  w->draft = lin_ptx_draft_change(w->job->arena, w->draft, &patch);
  read(context, code);
  return lin_ptx_match(w->job->arena, before, w->f);
}

static void write(void *context, const lin_result *result) {
  work *w = context;
  lin_ptx_patch patch = {.arena = w->job->arena};
  lin_ptx_write(w->f, result, &patch);
  w->draft = lin_ptx_draft_change(w->job->arena, w->draft, &patch);
  w->job->counts->regions += result->num_regions;
  w->job->counts->guards += result->flow->num_guards;
}

// ---- telling

static void tell_over_budget(void *context, const lin_driver *driver, uint64_t needed,
                             uint64_t most) {
  const work *w = context;
  char text[200];
  (void)driver;
  snprintf(text, sizeof text,
           "to find out at which of its branches threads of a warp part takes work of %llu, over "
           "%llu; but for irreducible loops",
           (unsigned long long)needed, (unsigned long long)most);
  lin_ptx_tell_left(&w->job->teller, &w->draft->place, w->draft->place.line, text);
}

static void tell_bad(void *context, lin_status status) {
  const work *w = context;
  lin_ptx_tell_left(&w->job->teller, &w->draft->place, w->draft->place.line, status.reason);
}

static void tell_edits(void *context, const lin_former *former, const lin_edits *edits) {
  const work *w = context;
  (void)former;
  lin_ptx_tell_edits(&w->job->teller, w->f, edits);
}

// What was written isn't read yet: the result is of `f`.
static void tell(void *context, const lin_driver *driver) {
  const work *w = context;
  const lin_result *result = &driver->result;
  if (result->nests != NULL)
    lin_ptx_tell_nests(&w->job->teller, w->f, driver);
  else if (result->analysis->num_unstructured + result->num_regions + result->refusals.count > 0)
    lin_ptx_tell_regions(&w->job->teller, w->f, driver);
}

// ---- all

// What instructions do is read with the blocks, and blocks that nothing reaches may stay in the
// text: no value comes from them. How many registers there are ptxas alone knows.
static lin_front_end front_end(work *w) {
  return (lin_front_end){.context = w,
                         .read = read,
                         .read_uniform = read_uniform,
                         .read_sharing = read_sharing,
                         .apply = apply,
                         .write = write,
                         .tell_over_budget = tell_over_budget,
                         .tell_bad = tell_bad,
                         .tell_edits = tell_edits,
                         .tell = tell};
}

const lin_ptx_draft *lin_ptx_run_steps(const lin_ptx_job *job, const lin_ptx_draft *draft) {
  const lin_ptx_options *options = job->options;
  work w = {.job = job, .draft = draft};
  const lin_ptx_body *body = lin_ptx_body_read(job->arena, &draft->module, &draft->place);
  if (body->refused != NULL) {
    uint32_t line = draft->place.line + lin_ptx_line(draft->module.text, body->refused_at) - 1;
    lin_ptx_tell_left(&job->teller, &draft->place, line, body->refused);
    return NULL;
  }
  w.f = lin_ptx_read(job->arena, body, lin_ptx_summary, job->summaries);
  w.front = lin_ptx_answers(job->arena, w.f);
  lin_asked asked = {.level = options->core.level, .policy = options->core.policy};
  if (!options->is_off)
    asked.mode[asked.num_modes++] = options->core.policy.mode;
  if (options->merges_loops)
    asked.mode[asked.num_modes++] = LIN_MODE_MERGE_LOOPS;
  uint32_t sm = options->sm != 0 ? options->sm : draft->module.sm;
  asked.policy.lock_step = sm != 0 && sm < FIRST_WITH_PROGRESS;
  asked.policy.force = options->force;
  asked.policy.least_gain = LIN_LEAST_GAIN_OF_PTX;
  lin_front_end end = front_end(&w);
  lin_drive(job->arena, &end, &asked);
  return w.draft;
}
