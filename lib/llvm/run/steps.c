// The front end of LLVM: what driver/front_end.h wants, for one function. What it is read as, and
// what its options say.
#include "steps.h"

#include "driver/driver.h"
#include "options.h"
#include "llvm/ask/annotations.h"
#include "llvm/ask/kernels.h"
#include "llvm/ask/numbers.h"
#include "llvm/ask/occupancy.h"
#include "llvm/edit/edits.h"
#include "llvm/edit/unreachable.h"
#include "llvm/finish/nans.h"
#include "llvm/finish/spill.h"
#include "llvm/finish/undefined.h"
#include "llvm/meld/meld.h"
#include "llvm/permute/permute.h"
#include "llvm/read/answers.h"
#include "llvm/read/live.h"
#include "llvm/read/sharing.h"
#include "llvm/regroup/points.h"
#include "llvm/tell/report.h"
#include "llvm/write/write.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// What the functions of the front end have as their context.
typedef struct work {
  const lin_ir_job *job;
  lin_ir_function *function; // as it was read last
  const lin_front *front;    // about that
  bool is_regrouped;         // the profile is of the kernel before that, which isn't told yet
} work;

// ---- reading

static void keep(work *w, lin_ir_function *f, lin_code *code) {
  w->function = f;
  w->front = lin_ir_answers(w->job->arena, f);
  *code =
      (lin_code){.graph = f->graph,
                 .front = w->front,
                 .refused = f->refused,
                 .refused_at = f->refused_at,
                 .is_unwanted = lin_ir_unwanted(w->job->function, w->job->options->except) != NULL};
}

static lin_ir_function *read_function(const lin_ir_job *job) {
  lin_ir_read_options options = {.force = job->options->force};
  return lin_ir_read(job->arena, job->function, &options);
}

static lin_ir_function *without_unreachable(const lin_ir_job *job, lin_ir_function *f) {
  lin_ir_read_options options = {.force = job->options->force};
  return lin_ir_drop_unreachable(job->arena, f, &options);
}

static void read(void *context, lin_code *code) {
  work *w = context;
  keep(w, read_function(w->job), code);
}

static void read_effects(void *context) {
  work *w = context;
  lin_ir_read_effects(w->function, w->job->summaries != NULL ? w->job->summaries
                                                             : lin_ir_summaries_new(w->job->arena));
}

static void read_uniform(void *context) {
  work *w = context;
  lin_ir_read_uniform(w->function, w->job->options->is_uniform, w->job->options->context);
}

static void read_sharing(void *context) {
  work *w = context;
  lin_ir_read_sharing(w->job->arena, w->function);
}

static void read_trips(void *context) {
  work *w = context;
  lin_ir_read_trips(w->function, w->job->options->most_trips, w->job->options->context);
}

static bool has_many_registers(void *context) {
  work *w = context;
  return lin_ir_has_many_registers(w->function);
}

// ---- changing

// What remarks point to may go.
static void changing(void *context) {
  const lin_ir_job *job = ((work *)context)->job;
  if (job->options->changing != NULL)
    job->options->changing(job->options->context);
  for (size_t i = job->first_remark; i < job->report->num_remarks; i++)
    job->report->remarks[i].instruction = NULL;
}

static bool drop_unreachable(void *context, lin_code *code) {
  work *w = context;
  if (!lin_ir_has_unreachable(w->job->arena, w->function))
    return false;
  changing(context);
  keep(w, without_unreachable(w->job, w->function), code);
  return true;
}

// The function once it has been changed. What a change leaves behind that nothing reaches goes.
static void read_again(work *w, lin_code *code) {
  lin_ir_function *f = read_function(w->job);
  keep(w, lin_ir_has_unreachable(w->job->arena, f) ? without_unreachable(w->job, f) : f, code);
}

static const lin_block *apply(void *context, const lin_result *result, const lin_edits *edits,
                              lin_code *code) {
  work *w = context;
  uint32_t count = w->function->graph->num_blocks;
  for (uint32_t i = 0; i < edits->count; i++)
    count += lin_edit_adds(&edits->edit[i]);
  const LLVMValueRef *end = lin_ir_apply(w->job->arena, w->function, w->front, result, edits);
  read_again(w, code);
  return lin_ir_match(w->job->arena, w->function, end, count);
}

static void write(void *context, const lin_result *result) {
  work *w = context;
  lin_ir_write(w->job->arena, w->function, result, w->job->options->level);
}

// Where remarks point to: not to phis, which may go.
static LLVMValueRef **hold_remarks(const lin_ir_job *job, size_t count) {
  LLVMValueRef **held = LIN_ARRAY(job->arena, LLVMValueRef *, count);
  for (size_t i = 0; i < count; i++) {
    held[i] = &job->report->remarks[job->first_remark + i].instruction;
    while (*held[i] != NULL && LLVMIsAPHINode(*held[i]))
      *held[i] = LLVMGetNextInstruction(*held[i]);
  }
  return held;
}

// For llc and ptxas. Comparisons may go; remarks must not point to them.
static void finish(void *context) {
  const lin_ir_job *job = ((work *)context)->job;
  const size_t count = job->report->num_remarks - job->first_remark;
  LLVMValueRef **held = hold_remarks(job, count);
  if (lin_ir_is_gpu(job->function) && lin_ir_has_calls(job->function))
    lin_ir_spill_conditions(job->arena, read_function(job));
  lin_ir_define_phis(job->arena, job->function);
  lin_ir_compare_nans(job->arena, job->function, held, count);
  job->report->functions_changed++;
}

// ---- telling

static lin_ir_run run_of(const work *w, const lin_driver *driver) {
  return (lin_ir_run){.arena = w->job->arena,
                      .function = w->function,
                      .result = &driver->result,
                      .policy = &driver->options.policy,
                      .quiet = w->job->options->quiet,
                      .again = driver->again,
                      .names = driver->names};
}

static void tell_left(void *context, const lin_driver *driver) {
  work *w = context;
  lin_ir_run run = run_of(w, driver);
  if (driver->code.is_unwanted)
    lin_ir_report_left_alone(w->job->report, &run,
                             lin_ir_unwanted(w->job->function, w->job->options->except));
  else if (!run.quiet)
    lin_ir_report(w->job->report, w->function, LINEARIZE_MISSED, "NotLinearized",
                  driver->code.refused_at, driver->code.refused);
}

static void tell_over_budget(void *context, const lin_driver *driver, uint64_t needed,
                             uint64_t most) {
  work *w = context;
  char text[200];
  if (w->job->options->quiet)
    return;
  snprintf(text, sizeof text,
           "over budget: to find out at which of its branches threads of a warp part takes work of "
           "%llu, max-work is %llu; %s",
           (unsigned long long)needed, (unsigned long long)most,
           lin_mode_has_own_regions(driver->options.policy.mode)
               ? "left alone"
               : "of all else only irreducible loops are linearized");
  lin_ir_report(w->job->report, w->function, LINEARIZE_MISSED, "OverBudget", LIN_NONE, text);
}

// LLVM's verifier would have refused it.
static void tell_bad(void *context, lin_status status) {
  work *w = context;
  lin_ir_report(w->job->report, w->function, LINEARIZE_MISSED, "NotLinearized", status.block,
                status.reason);
}

static void tell_before(void *context, const lin_driver *driver) {
  lin_ir_count_before(((work *)context)->job->report, &driver->result);
}

static void tell_hidden(void *context, const lin_edits *edits) {
  work *w = context;
  uint32_t asked = w->job->options->warps, most = lin_ir_warps(w->job->function);
  bool known = asked > 0 || most < LIN_MOST_WARPS;
  if (!w->job->options->quiet)
    lin_ir_report_hidden(w->job->report, w->function, edits, asked > 0 ? asked : most, known);
}

static void tell_edits(void *context, const lin_former *former, const lin_edits *edits) {
  work *w = context;
  if (!w->job->options->quiet)
    lin_ir_report_edits(w->job->report, w->function, former, edits);
}

static void tell_settled(void *context, const lin_former *former, const lin_edits *edits,
                         const uint32_t *names, uint32_t num_names) {
  work *w = context;
  if (!w->job->options->quiet)
    lin_ir_report_settled(w->job->arena, w->job->report, w->function, former, edits, names,
                          num_names);
}

// `reason`: why the profile is of other code, or NULL.
static void tell_ignored(work *w, const char *reason) {
  static const char form[] = "the profile is of other code, and ignored: %s";
  const char *text = "the profile is of the kernel before its threads were regrouped: what follows "
                     "is decided without it";
  if (reason == NULL && !w->is_regrouped)
    return;
  if (reason != NULL) {
    size_t size = sizeof form + strlen(reason);
    char *all = lin_arena_bytes(w->job->arena, size);
    snprintf(all, size, form, reason);
    text = all;
  }
  w->is_regrouped = false; // once
  lin_ir_report(w->job->report, w->function, LINEARIZE_MISSED, "ProfileIgnored", LIN_NONE, text);
}

static void tell(void *context, const lin_driver *driver) {
  work *w = context;
  const lin_result *result = &driver->result;
  linearize_report *report = w->job->report;
  lin_ir_run run = run_of(w, driver);
  assert(result->shape.analysis != NULL);
  switch (lin_policy_basis(&driver->options.policy)) {
  case LIN_OF_NESTS:
    if (!run.quiet && !run.again)
      tell_ignored(w, driver->ignored);
    lin_ir_report_nests(report, &run);
    break;
  case LIN_OF_SCOPES:
    lin_ir_report_depths(report, &run);
    break;
  case LIN_OF_ARMS:
    lin_ir_report_sides(report, &run);
    break;
  case LIN_OF_EDGES:
  case LIN_OF_FUNCTION:
    if (result->shape.analysis->num_unstructured == 0 && result->regions->num_regions == 0)
      break;
    if (!run.quiet && !run.again)
      tell_ignored(w, driver->ignored);
    lin_ir_report_regions(report, &run); // with instructions that are still there
  }
}

// ---- all

static lin_front_end front_end(work *w) {
  const linearize_options *options = w->job->options;
  return (lin_front_end){.context = w,
                         .read = read,
                         .read_effects = read_effects,
                         .read_uniform = options->is_uniform == NULL ? NULL : read_uniform,
                         .read_sharing = read_sharing,
                         .read_trips = options->most_trips == NULL ? NULL : read_trips,
                         .has_many_registers = has_many_registers,
                         .changing = changing,
                         .drop_unreachable = drop_unreachable,
                         .apply = apply,
                         .write = write,
                         .finish = finish,
                         .tell_left = tell_left,
                         .tell_over_budget = tell_over_budget,
                         .tell_bad = tell_bad,
                         .tell_before = tell_before,
                         .tell_hidden = tell_hidden,
                         .tell_edits = tell_edits,
                         .tell_settled = tell_settled,
                         .tell = tell};
}

// Before anything is linearized, of which the conditions are no longer those of the source.
static bool regroup(work *w) {
  const lin_ir_job *job = w->job;
  lin_ir_permute_job permute = {.arena = job->arena,
                                .kernel = job->function,
                                .options = job->options,
                                .changing = changing,
                                .context = w,
                                .report = job->report};
  return job->options->regroup && lin_ir_is_gpu(job->function) && lin_ir_permute(&permute);
}

// Registers of a function that is called count where nobody sees them. Threads that were regrouped
// go the same way.
static bool melds_by_itself(const lin_ir_job *job) {
  const linearize_options *o = job->options;
  return o->mode == LINEARIZE_NEEDED && !o->no_meld && !o->regroup && o->only == NULL &&
         !lin_ir_is_regrouped(job->function) && lin_ir_is_kernel(job->function) &&
         lin_ir_is_gpu(job->function);
}

// Before anything is linearized, which would hide what arms have in common.
static bool meld(work *w, bool lock_step) {
  const lin_ir_job *job = w->job;
  lin_ir_meld_job meld = {.arena = job->arena,
                          .function = job->function,
                          .options = job->options,
                          .summaries = job->summaries != NULL ? job->summaries
                                                              : lin_ir_summaries_new(job->arena),
                          .lock_step = lock_step,
                          .sure = !job->options->meld && melds_by_itself(job),
                          .changing = changing,
                          .context = w,
                          .report = job->report};
  return (meld.options->meld || meld.sure) && lin_ir_meld(&meld);
}

// A profile doesn't know the blocks of a kernel whose threads have been regrouped by it, or whose
// arms have been melded.
static void end_counts(work *w, lin_asked *asked, bool melded) {
  w->is_regrouped = asked->profile != NULL && lin_ir_is_regrouped(w->job->function);
  if (!w->is_regrouped && !(melded && asked->profile != NULL))
    return;
  asked->profile = NULL;
  asked->policy.counts_ended = true;
}

bool lin_ir_run_steps(const lin_ir_job *job) {
  work w = {.job = job};
  lin_front_end end = front_end(&w);
  lin_asked asked = lin_ir_asked(job->arena, job->function, job->options);
  linearize_report *report = job->report;
  report->functions++;
  report->divergence_known = job->options->is_uniform != NULL;
  report->blocks_before += asked.num_modes == 0 ? 0 : LLVMCountBasicBlocks(job->function);
  bool melded = meld(&w, asked.policy.lock_step), regrouped = regroup(&w) || melded;
  end_counts(&w, &asked, melded);
  if (melded && job->options->mode == LINEARIZE_IRREDUCIBLE) // threads have to meet where arms do
    asked.mode[0] = LIN_MODE_NEEDED;
  report->functions_changed += regrouped;
  bool changed = lin_drive(job->arena, &end, &asked);
  if (melded && !changed) { // else the driver has
    finish(&w);
  } else if (!changed && lin_ir_is_regrouped(job->function)) {
    (void)hold_remarks(job, report->num_remarks - job->first_remark);
    lin_ir_define_phis(job->arena, job->function);
  }
  report->functions_changed -= regrouped && (changed || melded); // once
  report->blocks_after += asked.num_modes == 0 ? 0 : LLVMCountBasicBlocks(job->function);
  return regrouped || changed;
}

size_t lin_ir_find_nests(const lin_ir_job *job,
                         void (*found)(LLVMBasicBlockRef header, void *context), void *context) {
  work w = {.job = job};
  lin_front_end end = front_end(&w);
  lin_asked asked = lin_ir_asked(job->arena, job->function, job->options);
  end_counts(&w, &asked, false);
  asked.mode[0] = LIN_MODE_MERGE_LOOPS;
  lin_driver driver;
  if (!lin_drive_plan(&driver, job->arena, &end, &asked))
    return 0;
  const lin_result *result = &driver.result;
  const lin_loops *loops = result->shape.analysis->loops;
  bool *has_merged = LIN_ARRAY(job->arena, bool, loops->num_loops);
  for (uint32_t loop = 1; loop < loops->num_loops; loop++)
    if (result->nests->merged[loop])
      has_merged[loops->tree->parent[loop]] = true;
  size_t count = 0;
  for (uint32_t loop = 1; loop < loops->num_loops; loop++)
    if (has_merged[loop]) {
      found(w.function->block[result->shape.order->origin[loops->header[loop]]], context);
      count++;
    }
  return count;
}
