// Some modes change the function a little before they plan what they are after: entries of loops
// are copied (entries.h), loops are stripped (strips.h), arms are cut into stages (stages.h).
#include "steps.h"

#include "choose/divergence.h"
#include "driver/counts.h"
#include "driver/passes.h"
#include "options.h"
#include "profile.h"
#include "llvm/ask/annotations.h"
#include "llvm/ask/numbers.h"
#include "llvm/ask/occupancy.h"
#include "llvm/edit/edits.h"
#include "llvm/edit/stages.h"
#include "llvm/edit/unreachable.h"
#include "llvm/finish/nans.h"
#include "llvm/finish/spill.h"
#include "llvm/finish/undefined.h"
#include "llvm/read/answers.h"
#include "llvm/read/sharing.h"
#include "llvm/tell/report.h"
#include "llvm/write/write.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool has_nest(const lin_loops *loops) {
  for (uint32_t loop = 0; loop < loops->num_loops; loop++)
    if (loops->tree->depth[loop] > 1)
      return true;
  return false;
}

// Divergence, and what is called, cost more to find out than all the rest, and most functions need
// neither.
static bool has_anything(lin_arena *arena, const lin_graph *graph, const linearize_options *options,
                         lin_mode mode) {
  if ((mode == LIN_MODE_ALL && options->only == NULL) || mode == LIN_MODE_INTERLEAVE ||
      mode == LIN_MODE_LIMIT_DEPTH)
    return true;
  lin_order *order = lin_order_build(arena, lin_graph_unite_returns(arena, graph));
  if (mode == LIN_MODE_MERGE_LOOPS)
    return has_nest(order->loops);
  return lin_analysis_build(arena, order->graph, order->loops)->num_unstructured > 0;
}

// A function that is left as it is, and what has to be said of it. Returns true if it is one.
static bool is_left(linearize_report *report, const lin_ir_run *done) {
  bool anything = done->result->num_regions > 0 || done->result->refusals.count > 0;
  bool unwanted = lin_ir_is_annotated(done->function->function, "no-linearize");
  const char *refused = done->function->refused;
  if (!anything || (!unwanted && refused == NULL))
    return false;
  if (unwanted)
    lin_ir_report_left_alone(report, done);
  else if (!done->quiet)
    lin_ir_report(report, done->function, LINEARIZE_MISSED, "NotLinearized",
                  done->function->refused_at, refused);
  return true;
}

// Says, in the arena, why the profile is ignored, or returns NULL.
static const char *look_up(const lin_ir_job *job, lin_counts *counts, lin_graph *graph) {
  const linearize_profile *profile = job->options->profile;
  const char *reason =
      lin_counts_look_up(job->arena, counts, profile == NULL ? NULL : profile->blocks, graph);
  if (reason == NULL)
    return NULL;
  static const char form[] = "the profile is of other code, and ignored: %s";
  size_t size = sizeof form + strlen(reason);
  char *text = lin_arena_bytes(job->arena, size);
  snprintf(text, size, form, reason);
  return text;
}

static void report_step(const lin_ir_job *job, const lin_ir_run *done, const char *ignored) {
  const lin_result *result = done->result;
  assert(result->analysis != NULL);
  if (result->nests != NULL) {
    lin_ir_report_nests(job->report, done);
  } else if (result->depths != NULL) {
    lin_ir_report_depths(job->report, done);
  } else if (result->analysis->num_unstructured > 0 || result->regions->num_regions > 0) {
    if (ignored != NULL && !job->options->quiet && !done->again)
      lin_ir_report(job->report, done->function, LINEARIZE_MISSED, "ProfileIgnored", LIN_NONE,
                    ignored);
    lin_ir_report_regions(job->report, done); // with instructions that are still there
  }
}

// What a step works on.
typedef struct step {
  lin_mode mode;
  bool over_budget; // where its threads part is too dear to find out
  lin_ir_function *function;
  lin_options core;
  lin_result result;
  lin_counts *counts;    // of the function as it was read last
  const char *ignored;   // why the profile is, or NULL
  const uint32_t *names; // of regions, for those who know them as they were; NULL: their own
  bool again;            // a round before it has changed the function
} step;

static uint64_t divergence_work(const lin_graph *graph) {
  lin_arena scratch = {0};
  const lin_order *order = lin_order_build(&scratch, lin_graph_unite_returns(&scratch, graph));
  const lin_analysis *a = lin_analysis_build(&scratch, order->graph, order->loops);
  uint64_t work = lin_divergence_work(&scratch, a);
  lin_arena_release(&scratch);
  return work;
}

// Who allows regions less work than usual still wants to know where threads part.
static uint64_t most_divergence_work(const linearize_options *options) {
  return options->max_work > LIN_MOST_WORK ? options->max_work : LIN_MOST_WORK;
}

// Whether the analysis of divergence is over budget; asked before it is run.
static bool is_over_budget(const lin_ir_job *job, const lin_graph *graph, uint64_t *work) {
  uint64_t most = most_divergence_work(job->options);
  if (lin_divergence_most_work(graph->num_blocks) <= most)
    return false;
  *work = divergence_work(graph);
  return *work > most;
}

static void report_over_budget(const lin_ir_job *job, const step *s, uint64_t work) {
  char text[200];
  snprintf(text, sizeof text,
           "over budget: to find out at which of its branches threads of a warp part takes work of "
           "%llu, max-work is %llu; %s",
           (unsigned long long)work, (unsigned long long)most_divergence_work(job->options),
           s->mode < LIN_MODE_MERGE_LOOPS ? "of all else only irreducible loops are linearized"
                                          : "left alone");
  lin_ir_report(job->report, s->function, LINEARIZE_MISSED, "OverBudget", LIN_NONE, text);
}

// Finds out which branches threads take together, if that isn't too dear.
static void read_divergence(const lin_ir_job *job, step *s) {
  uint64_t work = 0;
  bool was = s->over_budget;
  s->over_budget = is_over_budget(job, s->function->graph, &work);
  if (!s->over_budget)
    lin_ir_read_uniform(s->function, job->options->is_uniform, job->options->context);
  else if (!was && s->mode != LIN_MODE_PAPER && s->mode != LIN_MODE_ALL && !job->options->quiet)
    report_over_budget(job, s, work);
}

// Plans what the step does to `s->function`. Returns false if there is nothing to plan.
static bool plan_step(const lin_ir_job *job, step *s) {
  lin_arena *arena = job->arena;
  lin_ir_function *f = s->function;
  lin_ir_read_effects(f, job->summaries != NULL ? job->summaries : lin_ir_summaries_new(arena));
  if (lin_ir_uses_divergence(f, job->options, s->mode))
    read_divergence(job, s);
  if (s->over_budget && s->mode >= LIN_MODE_MERGE_LOOPS)
    return false;
  if (s->over_budget && s->mode == LIN_MODE_NEEDED)
    s->mode = LIN_MODE_IRREDUCIBLE;
  lin_mode mode = s->mode;
  if ((mode == LIN_MODE_MERGE_LOOPS || mode == LIN_MODE_INTERLEAVE) && !job->options->force)
    lin_ir_read_sharing(arena, f);
  if (mode == LIN_MODE_MERGE_LOOPS && job->options->most_turns != NULL)
    lin_ir_read_turns(f, job->options->most_turns, job->options->context);
  const char *ignored = look_up(job, s->counts, f->graph);
  s->ignored = ignored == NULL ? s->ignored : ignored;
  s->core = lin_ir_core_options(arena, f, job->options, mode);
  s->core.policy.divergence_known &= !s->over_budget;
  lin_status status = lin_linearize(arena, f->graph, &s->core, &s->result);
  if (!lin_ok(status)) // LLVM's verifier would have refused it
    lin_ir_report(job->report, f, LINEARIZE_MISSED, "NotLinearized", status.block, status.reason);
  return lin_ok(status);
}

// What remarks point to may go.
static void announce_change(const lin_ir_job *job) {
  if (job->options->changing != NULL)
    job->options->changing(job->options->context);
  for (size_t i = job->first_remark; i < job->report->num_remarks; i++)
    job->report->remarks[i].instruction = NULL;
}

static void write(const lin_ir_job *job, const step *s) {
  announce_change(job);
  lin_counts_forget(s->counts);
  lin_ir_write(job->arena, s->function, &s->result, job->options->level);
}

static lin_ir_function *read_function(const lin_ir_job *job) {
  lin_ir_read_options options = {.force = job->options->force};
  return lin_ir_read(job->arena, job->function, &options);
}

static lin_ir_function *drop_unreachable(const lin_ir_job *job, const lin_ir_function *f) {
  lin_ir_read_options options = {.force = job->options->force};
  return lin_ir_drop_unreachable(job->arena, f, &options);
}

// The function as it is now, once it has been changed. What a step leaves behind that nothing
// reaches goes.
static lin_ir_function *read_again(const lin_ir_job *job) {
  lin_ir_function *f = read_function(job);
  return lin_ir_has_unreachable(job->arena, f) ? drop_unreachable(job, f) : f;
}

static void mark(const lin_ir_job *job, step *s, const LLVMBasicBlockRef *blocks, uint32_t count,
                 uint32_t flag) {
  const lin_ir_function *f = s->function;
  lin_numbers marked = {0};
  for (uint32_t i = 0; i < count; i++)
    lin_numbers_add(job->arena, &marked, blocks[i], i);
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    if (lin_numbers_find(&marked, f->block[block]) != LIN_NONE)
      f->graph->flags[block] |= flag;
}

// Regions keep the numbers that they had before blocks were added behind the others.
static void keep_numbers(const lin_ir_job *job, step *s, const lin_ir_former *former,
                         const lin_edits *edits) {
  const lin_minimal *minimal = lin_minimal_build(job->arena, s->result.analysis);
  uint32_t count = s->result.analysis->graph->num_blocks;
  lin_block *was = LIN_ARRAY(job->arena, lin_block, count);
  for (lin_block block = 0; block < count; block++) {
    lin_block origin = s->result.order->origin[block];
    was[block] = origin < former->num_blocks ? former->order->number[origin] : LIN_NONE;
  }
  s->names = lin_minimal_names(job->arena, former->minimal, minimal, was, count);
  if (!job->options->quiet)
    lin_ir_report_settled(job->arena, job->report, s->function, former, edits, s->names,
                          minimal->regions->num_regions);
}

// The headers of loops that have become strips of the loops around them.
static void mark_strips(const lin_ir_job *job, step *s, const lin_ir_function *former,
                        const lin_edits *edits) {
  LLVMBasicBlockRef *strips = LIN_ARRAY(job->arena, LLVMBasicBlockRef, edits->count);
  for (uint32_t i = 0; i < edits->count; i++)
    strips[i] = former->block[edits->edit[i].block];
  mark(job, s, strips, edits->count, LIN_STRIP);
}

// Makes the edits and plans again. Blocks that copies were made of keep their place in the
// function, so what is planned then can be told by the numbers of before.
static void apply(const lin_ir_job *job, step *s, const lin_edits *edits) {
  bool adds_behind = edits->edit[0].kind == LIN_EDIT_COPY && edits->edit[0].to == LIN_NONE;
  lin_ir_former former = {
      .order = s->result.order, .num_blocks = s->function->graph->num_blocks, .again = s->again};
  const lin_ir_function *before = s->function;
  uint32_t count = before->graph->num_blocks;
  for (uint32_t i = 0; i < edits->count; i++)
    count += lin_edit_adds(&edits->edit[i]);
  if (adds_behind)
    former.minimal = lin_minimal_build(job->arena, s->result.analysis);
  if (!job->options->quiet)
    lin_ir_report_edits(job->report, s->function, &former, edits);
  announce_change(job);
  const LLVMValueRef *end = lin_ir_apply(job->arena, s->function, &s->result, edits);
  s->function = read_again(job);
  if (s->counts->graph != NULL)
    lin_counts_move(job->arena, s->counts, edits, s->function->graph,
                    lin_ir_match(job->arena, s->function, end, count));
  if (edits->edit[0].kind == LIN_EDIT_STRIP) // all are of one kind
    mark_strips(job, s, before, edits);
  if (!plan_step(job, s))
    s->result.num_regions = 0;
  else if (adds_behind)
    keep_numbers(job, s, &former, edits);
}

// The passes of driver/passes.h. Returns whether there was anything to edit.
static bool run_passes(const lin_ir_job *job, step *s) {
  bool changed = false;
  if (s->function->refused != NULL || lin_ir_is_annotated(job->function, "no-linearize"))
    return false;
  for (uint32_t i = 0; i < LIN_NUM_PASSES; i++) {
    const lin_pass *pass = &lin_passes[i];
    for (uint32_t times = 0; times < pass->most && pass->is_wanted(&s->core.policy); times++) {
      const lin_front *front = lin_ir_answers(job->arena, s->function);
      const lin_edits *edits = pass->propose(job->arena, front, &s->result, &s->core.policy);
      if (edits->count == 0)
        break;
      apply(job, s, edits);
      changed = true;
    }
  }
  return changed;
}

// `is_first`: of the rounds, before anything has moved.
static lin_ir_stages *find_stages(const lin_ir_job *job, const step *s, bool is_first) {
  lin_ir_occupancy occupancy = {.warps = job->options->warps,
                                .regardless = job->options->regardless};
  uint32_t most = lin_ir_warps(job->function);
  bool known = job->options->warps > 0 || most < LIN_MOST_WARPS;
  if (occupancy.warps == 0)
    occupancy.warps = most;
  occupancy.registers = lin_ir_registers(job->function, occupancy.warps);
  lin_two_sided *branches;
  uint32_t count = lin_interleave_find(job->arena, s->result.analysis,
                                       s->core.policy.divergence_known, &branches);
  lin_ir_stages *stages = lin_ir_find_stages(job->arena, s->function, s->result.order,
                                             s->result.analysis, branches, count, &occupancy);
  if (is_first && !job->options->quiet)
    lin_ir_report_hidden(job->report, s->function, stages, occupancy.warps, known);
  return stages;
}

enum { MOST_ROUNDS = 4 }; // of branches inside of others

// Inner branches first: what they become is part of an arm of those around them. Returns true if
// the function was changed.
static bool interleave(const lin_ir_job *job, step *s) {
  if (s->function->refused != NULL || lin_ir_is_annotated(job->function, "no-linearize"))
    return false;
  bool changed = false;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    lin_ir_stages *stages = find_stages(job, s, round == 0);
    if (stages->num_branches == 0)
      return changed;
    announce_change(job);
    lin_counts_forget(s->counts);
    lin_ir_cut_arms(job->arena, stages);
    changed = true;
    s->function = read_again(job);
    mark(job, s, stages->branch, stages->num_branches, LIN_TWO_SIDED);
    mark(job, s, stages->stage, stages->num_stages, LIN_STAGE);
    if (!plan_step(job, s))
      return true;
    if (s->result.num_regions > 0)
      write(job, s);
    lin_ir_run done = {.arena = job->arena,
                       .function = s->function,
                       .result = &s->result,
                       .policy = &s->core.policy,
                       .quiet = job->options->quiet};
    lin_ir_report_sides(job->report, &done);
    s->function = read_again(job);
    if (!plan_step(job, s))
      return true;
  }
  return changed;
}

// Takes blocks that nothing reaches out of what is worked on. Returns whether there are any.
static bool prepare(const lin_ir_job *job, step *s) {
  if (s->function->refused != NULL || lin_ir_is_annotated(job->function, "no-linearize") ||
      !lin_ir_has_unreachable(job->arena, s->function))
    return false;
  announce_change(job);
  s->function = drop_unreachable(job, s->function);
  return true;
}

// What a mode does to the function as it is now. Returns true if it was changed.
static bool run_round(const lin_ir_job *job, step *s) {
  lin_ir_run done = {.arena = job->arena,
                     .function = s->function,
                     .result = &s->result,
                     .policy = &s->core.policy,
                     .quiet = job->options->quiet,
                     .again = s->again};
  if (is_left(job->report, &done))
    return false;
  bool edited = run_passes(job, s);
  done.function = s->function;
  done.names = s->names;
  if (s->result.num_regions > 0)
    write(job, s);
  report_step(job, &done, s->ignored);
  return s->result.num_regions > 0 || edited;
}

// What was done to one region may make another one worth it, or a loop one that threads may leave
// by themselves.
static bool may_go_on(const step *s) {
  bool settles =
      s->mode == LIN_MODE_NEEDED || s->mode == LIN_MODE_IRREDUCIBLE || s->mode == LIN_MODE_PAPER;
  return settles && s->core.policy.num_only == 0 && // numbers of what was there before
         !s->counts->is_forgotten;                  // by which it was decided so far
}

enum { MOST_REPEATS = 16 };

// Until nothing changes, so that the pass has nothing to do where it has been.
static bool run_rounds(const lin_ir_job *job, step *s) {
  if (!run_round(job, s))
    return false;
  s->again = true;
  for (int round = 0; round < MOST_REPEATS && may_go_on(s); round++) {
    s->function = read_again(job);
    s->result = (lin_result){0};
    s->names = NULL;
    if (!has_anything(job->arena, s->function->graph, job->options, s->mode) ||
        !plan_step(job, s) || !run_round(job, s))
      break;
  }
  return true;
}

// Returns true if the function was changed, but for blocks that nothing reaches: `*dropped` is set
// if such went.
static bool run_step(const lin_ir_job *job, lin_mode mode, lin_counts *counts, bool is_first,
                     bool *dropped) {
  linearize_report *report = job->report;
  step s = {.mode = mode, .counts = counts};
  s.function = read_function(job);
  uint32_t blocks = s.function->graph->num_blocks;
  if (is_first) {
    report->blocks_before += blocks;
    report->blocks_after += blocks;
  }
  if (!has_anything(job->arena, s.function->graph, job->options, mode))
    return false;
  *dropped |= prepare(job, &s);
  if (!plan_step(job, &s))
    return false;
  if (is_first)
    lin_ir_count_before(report, &s.result);
  bool changed = mode == LIN_MODE_INTERLEAVE ? interleave(job, &s) : run_rounds(job, &s);
  report->blocks_after += LLVMCountBasicBlocks(job->function) - blocks;
  return changed;
}

// For llc and ptxas. Phis of conditions may go, and comparisons; remarks must not point to them.
static void finish(const lin_ir_job *job) {
  size_t first = job->first_remark, count = job->report->num_remarks - first;
  LLVMValueRef **held = LIN_ARRAY(job->arena, LLVMValueRef *, count);
  for (size_t i = 0; i < count; i++) {
    held[i] = &job->report->remarks[first + i].instruction;
    while (*held[i] != NULL && LLVMIsAPHINode(*held[i]))
      *held[i] = LLVMGetNextInstruction(*held[i]);
  }
  if (lin_ir_is_gpu(job->function) && lin_ir_has_calls(job->function))
    lin_ir_spill_conditions(job->arena, read_function(job));
  lin_ir_define_phis(job->arena, job->function);
  lin_ir_compare_nans(job->arena, job->function, held, count);
}

bool lin_ir_run_steps(const lin_ir_job *job) {
  lin_mode steps[LIN_MOST_STEPS];
  uint32_t count = lin_ir_steps(job->options, steps);
  bool changed = false, dropped = false;
  lin_counts counts = {0};
  job->report->functions++;
  job->report->divergence_known = job->options->is_uniform != NULL;
  for (uint32_t i = 0; i < count; i++)
    changed |= run_step(job, steps[i], &counts, i == 0, &dropped);
  if (changed)
    finish(job);
  job->report->functions_changed += changed;
  return changed || dropped;
}

size_t lin_ir_find_nests(const lin_ir_job *job,
                         void (*found)(LLVMBasicBlockRef header, void *context), void *context) {
  lin_counts counts = {0};
  step s = {.mode = LIN_MODE_MERGE_LOOPS, .counts = &counts};
  s.function = read_function(job);
  if (s.function->refused != NULL || lin_ir_is_annotated(job->function, "no-linearize") ||
      !has_anything(job->arena, s.function->graph, job->options, s.mode) || !plan_step(job, &s) ||
      s.result.num_regions == 0)
    return 0;
  const lin_loops *loops = s.result.analysis->loops;
  bool *has_merged = LIN_ARRAY(job->arena, bool, loops->num_loops);
  for (uint32_t loop = 1; loop < loops->num_loops; loop++)
    if (s.result.nests->merged[loop])
      has_merged[loops->tree->parent[loop]] = true;
  size_t count = 0;
  for (uint32_t loop = 1; loop < loops->num_loops; loop++)
    if (has_merged[loop]) {
      found(s.function->block[s.result.order->origin[loops->header[loop]]], context);
      count++;
    }
  return count;
}
