// Some modes change the function a little before they plan what they are after: entries of loops
// are copied (split.h), loops are stripped (strip.h), arms are cut into stages (stages.h).
#include "steps.h"

#include "annotations.h"
#include "exits.h"
#include "fold.h"
#include "numbers.h"
#include "occupancy.h"
#include "options.h"
#include "profile.h"
#include "report.h"
#include "spill.h"
#include "split.h"
#include "stages.h"
#include "strip.h"
#include "undefined.h"
#include "write.h"

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
static const char *apply_profile(lin_arena *arena, const linearize_options *options,
                                 lin_graph *graph) {
  const char *reason = NULL;
  if (options->profile == NULL ||
      lin_profile_apply(arena, options->profile->blocks, graph, &reason) != LIN_PROFILE_FOREIGN)
    return NULL;
  static const char form[] = "the profile is of other code, and ignored: %s";
  size_t size = sizeof form + strlen(reason);
  char *text = lin_arena_bytes(arena, size);
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
    if (ignored != NULL && !job->options->quiet)
      lin_ir_report(job->report, done->function, LINEARIZE_MISSED, "ProfileIgnored", LIN_NONE,
                    ignored);
    lin_ir_report_regions(job->report, done); // with instructions that are still there
  }
}

// What a step works on.
typedef struct step {
  lin_mode mode;
  lin_ir_function *function;
  lin_options core;
  lin_result result;
  const char *ignored;   // why the profile is, or NULL
  const uint32_t *names; // of regions, for those who know them as they were; NULL: their own
} step;

// Plans what the step does to `s->function`. Returns false if there is nothing to plan.
static bool plan_step(const lin_ir_job *job, step *s) {
  lin_arena *arena = job->arena;
  lin_mode mode = s->mode;
  lin_ir_function *f = s->function;
  lin_ir_read_effects(f, job->summaries != NULL ? job->summaries : lin_ir_summaries_new(arena));
  if (lin_ir_uses_divergence(f, job->options, mode))
    lin_ir_read_uniform(f, job->options->is_uniform, job->options->context);
  if (mode == LIN_MODE_MERGE_LOOPS && job->options->most_turns != NULL)
    lin_ir_read_turns(f, job->options->most_turns, job->options->context);
  s->ignored = apply_profile(arena, job->options, f->graph);
  s->core = lin_ir_core_options(arena, f, job->options, mode);
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
  lin_ir_write(job->arena, s->function, &s->result, job->options->level);
}

static lin_ir_function *read_function(const lin_ir_job *job) {
  lin_ir_read_options options = {.force = job->options->force};
  return lin_ir_read(job->arena, job->function, &options);
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

// Strips the loops that are better merged so, and plans again. Returns whether there are any.
static bool strip_loops(const lin_ir_job *job, step *s) {
  if (s->result.num_regions == 0 || !lin_nests_have_strips(s->result.analysis, s->result.nests))
    return false;
  LLVMBasicBlockRef *strips =
      LIN_ARRAY(job->arena, LLVMBasicBlockRef, s->function->graph->num_blocks);
  announce_change(job);
  uint32_t count = lin_ir_strip(job->arena, s->function, &s->result, strips);
  if (count == 0)
    return false;
  s->function = read_function(job);
  mark(job, s, strips, count, LIN_STRIP);
  if (!plan_step(job, s))
    s->result.num_regions = 0;
  return true;
}

// Regions keep the numbers that they had before blocks were added behind the others.
static void keep_numbers(const lin_ir_job *job, step *s, const lin_ir_former *former,
                         const lin_ir_entries *entries) {
  const lin_minimal *minimal = lin_minimal_build(job->arena, s->result.analysis);
  uint32_t count = s->result.analysis->graph->num_blocks;
  lin_block *was = LIN_ARRAY(job->arena, lin_block, count);
  for (lin_block block = 0; block < count; block++) {
    lin_block origin = s->result.order->origin[block];
    was[block] = origin < former->num_blocks ? former->order->number[origin] : LIN_NONE;
  }
  s->names = lin_minimal_names(job->arena, former->minimal, minimal, was, count);
  if (!job->options->quiet)
    lin_ir_report_settled(job->arena, job->report, s->function, former, entries, s->names,
                          minimal->regions->num_regions);
}

// Loops that need no guards once some of their entries are copied (split.h). Returns whether there
// are any.
static bool split_entries(const lin_ir_job *job, step *s) {
  bool chooses = s->mode == LIN_MODE_NEEDED || s->mode == LIN_MODE_IRREDUCIBLE;
  if (s->result.num_regions == 0 || !chooses || s->core.policy.num_only > 0 ||
      job->options->profile != NULL) // which knows nothing of copies
    return false;
  lin_ir_entries *entries = lin_ir_find_entries(job->arena, s->function, &s->result);
  if (entries->count == 0)
    return false;
  lin_ir_former former = {.order = s->result.order,
                          .minimal = lin_minimal_build(job->arena, s->result.analysis),
                          .num_blocks = s->function->graph->num_blocks};
  if (!job->options->quiet)
    lin_ir_report_entries(job->report, s->function, &former, entries);
  announce_change(job);
  lin_ir_split_entries(entries);
  s->function = read_function(job);
  if (plan_step(job, s))
    keep_numbers(job, s, &former, entries);
  else
    s->result.num_regions = 0;
  return true;
}

// Plans again what is there now.
static void plan_again(const lin_ir_job *job, step *s) {
  s->function = read_function(job);
  if (!plan_step(job, s))
    s->result.num_regions = 0;
}

enum { MOST_FLAGS = 4 }; // by which threads leave loops in one another, one after the other

// Ways out of loops that go through flags, and short loops with several tests. Returns whether
// there are any.
static bool settle_exits(const lin_ir_job *job, step *s) {
  if (s->mode != LIN_MODE_NEEDED || s->function->refused != NULL ||
      job->options->profile != NULL || // which knows the blocks of before
      lin_ir_is_annotated(job->function, "no-linearize"))
    return false;
  bool changed = false;
  for (int round = 0; round < MOST_FLAGS; round++) {
    lin_ir_exits *exits = lin_ir_find_exits(job->arena, s->function, &s->result, &s->core.policy);
    if (exits->count == 0)
      break;
    if (!job->options->quiet)
      lin_ir_report_exits(job->report, s->function, exits);
    announce_change(job);
    lin_ir_free_exits(exits);
    changed = true;
    plan_again(job, s);
  }
  lin_ir_short_loops *loops =
      lin_ir_find_short_loops(job->arena, s->function, &s->result, s->core.policy.divergence_known);
  if (loops->count == 0)
    return changed;
  if (!job->options->quiet)
    lin_ir_report_short_loops(job->report, s->function, loops);
  announce_change(job);
  lin_ir_fold_tests(loops);
  plan_again(job, s);
  return true;
}

static lin_ir_stages *find_stages(const lin_ir_job *job, const step *s) {
  lin_ir_occupancy occupancy = {.warps = job->options->warps,
                                .regardless = job->options->regardless};
  if (occupancy.warps == 0)
    occupancy.warps = lin_ir_warps(job->function);
  occupancy.registers = lin_ir_registers(job->function, occupancy.warps);
  lin_two_sided *branches;
  uint32_t count = lin_interleave_find(job->arena, s->result.analysis,
                                       s->core.policy.divergence_known, &branches);
  return lin_ir_find_stages(job->arena, s->function, s->result.order, s->result.analysis, branches,
                            count, &occupancy);
}

enum { MOST_ROUNDS = 4 }; // of branches inside of others

// Inner branches first: what they become is part of an arm of those around them. Returns true if
// the function was changed.
static bool interleave(const lin_ir_job *job, step *s) {
  if (s->function->refused != NULL || lin_ir_is_annotated(job->function, "no-linearize"))
    return false;
  bool changed = false;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    lin_ir_stages *stages = find_stages(job, s);
    if (stages->num_branches == 0)
      return changed;
    announce_change(job);
    lin_ir_cut_arms(job->arena, stages);
    changed = true;
    s->function = read_function(job);
    mark(job, s, stages->branch, stages->num_branches, LIN_TWO_SIDED);
    mark(job, s, stages->stage, stages->num_stages, LIN_STAGE);
    if (!plan_step(job, s))
      return true;
    if (s->result.num_regions > 0)
      write(job, s);
    lin_ir_run done = {job->arena,      s->function,         &s->result,
                       &s->core.policy, job->options->quiet, NULL};
    lin_ir_report_sides(job->report, &done);
    s->function = read_function(job);
    if (!plan_step(job, s))
      return true;
  }
  return changed;
}

// Returns true if the function was changed.
static bool run_step(const lin_ir_job *job, lin_mode mode, bool is_first) {
  linearize_report *report = job->report;
  step s = {.mode = mode};
  s.function = read_function(job);
  uint32_t blocks = s.function->graph->num_blocks;
  if (is_first) {
    report->blocks_before += blocks;
    report->blocks_after += blocks;
  }
  if (!has_anything(job->arena, s.function->graph, job->options, mode) || !plan_step(job, &s))
    return false;
  if (is_first)
    lin_ir_count_before(report, &s.result);
  if (mode == LIN_MODE_INTERLEAVE) {
    bool changed = interleave(job, &s);
    report->blocks_after += LLVMCountBasicBlocks(job->function) - blocks;
    return changed;
  }
  bool prepared = settle_exits(job, &s);
  lin_ir_run done = {job->arena, s.function, &s.result, &s.core.policy, job->options->quiet, NULL};
  if (is_left(report, &done))
    return false;
  prepared |= mode == LIN_MODE_MERGE_LOOPS ? strip_loops(job, &s) : split_entries(job, &s);
  done.function = s.function;
  done.names = s.names;
  if (s.result.num_regions > 0)
    write(job, &s);
  report_step(job, &done, s.ignored);
  if (s.result.num_regions == 0 && !prepared)
    return false;
  report->blocks_after += LLVMCountBasicBlocks(job->function) - blocks;
  return true;
}

// For ptxas. Phis of conditions may go.
static void spill_conditions(const lin_ir_job *job) {
  for (size_t i = job->first_remark; i < job->report->num_remarks; i++) {
    LLVMValueRef *at = &job->report->remarks[i].instruction;
    while (*at != NULL && LLVMIsAPHINode(*at))
      *at = LLVMGetNextInstruction(*at);
  }
  lin_ir_spill_conditions(job->arena, read_function(job));
}

bool lin_ir_run_steps(const lin_ir_job *job) {
  lin_mode steps[LIN_MOST_STEPS];
  uint32_t count = lin_ir_steps(job->options, steps);
  bool changed = false;
  job->report->functions++;
  job->report->divergence_known = job->options->is_uniform != NULL;
  for (uint32_t i = 0; i < count; i++)
    changed |= run_step(job, steps[i], i == 0);
  if (changed) {
    if (lin_ir_is_gpu(job->function) && lin_ir_has_calls(job->function))
      spill_conditions(job);
    lin_ir_define_phis(job->arena, job->function);
  }
  job->report->functions_changed += changed;
  return changed;
}
