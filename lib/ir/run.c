// The public C API: read, linearize, write, report.
#include "linearize/linearize.h"

#include "annotations.h"
#include "options.h"
#include "places.h"
#include "profile.h"
#include "report.h"
#include "strip.h"
#include "write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- running

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
  if ((mode == LIN_MODE_ALL && options->only == NULL) || mode == LIN_MODE_LIMIT_DEPTH)
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

// What a run over a function needs.
typedef struct run {
  lin_arena *arena;
  LLVMValueRef function;
  const linearize_options *options;
  lin_ir_summaries *summaries; // of other functions of the module, or NULL
  linearize_report *report;
} run;

static void report_step(const run *r, const lin_ir_run *done, const char *ignored) {
  const lin_result *result = done->result;
  if (result->nests != NULL) {
    lin_ir_report_nests(r->report, done);
  } else if (result->depths != NULL) {
    lin_ir_report_depths(r->report, done);
  } else if (result->analysis->num_unstructured > 0 || result->regions->num_regions > 0) {
    if (ignored != NULL && !r->options->quiet)
      lin_ir_report(r->report, done->function, LINEARIZE_MISSED, "ProfileIgnored", LIN_NONE,
                    ignored);
    lin_ir_report_regions(r->report, done); // with instructions that are still there
  }
}

// What a step works on.
typedef struct step {
  lin_mode mode;
  lin_ir_function *function;
  lin_options core;
  lin_result result;
  const char *ignored; // why the profile is, or NULL
} step;

// Plans what the step does to `s->function`. Returns false if there is nothing to plan.
static bool plan_step(const run *r, step *s) {
  lin_arena *arena = r->arena;
  lin_mode mode = s->mode;
  lin_ir_function *f = s->function;
  lin_ir_read_effects(f, r->summaries != NULL ? r->summaries : lin_ir_summaries_new(arena));
  if (lin_ir_uses_divergence(f, r->options, mode))
    lin_ir_read_uniform(f, r->options->is_uniform, r->options->context);
  if (mode == LIN_MODE_MERGE_LOOPS && r->options->most_turns != NULL)
    lin_ir_read_turns(f, r->options->most_turns, r->options->context);
  s->ignored = apply_profile(arena, r->options, f->graph);
  s->core = lin_ir_core_options(arena, f, r->options, mode);
  lin_status status = lin_linearize(arena, f->graph, &s->core, &s->result);
  if (!lin_ok(status)) // LLVM's verifier would have refused it
    lin_ir_report(r->report, f, LINEARIZE_MISSED, "NotLinearized", status.block, status.reason);
  return lin_ok(status);
}

static void tell_change(const run *r) {
  if (r->options->changed != NULL)
    r->options->changed(r->options->context);
}

static void read_function(const run *r, step *s) {
  lin_ir_read_options options = {.force = r->options->force};
  s->function = lin_ir_read(r->arena, r->function, &options);
}

// Strips the loops that are better merged so, and plans again. Returns whether there are any.
static bool strip_loops(const run *r, step *s) {
  LLVMBasicBlockRef *strips =
      LIN_ARRAY(r->arena, LLVMBasicBlockRef, s->function->graph->num_blocks);
  uint32_t count = 0;
  if (s->result.num_regions == 0 || !lin_ir_strip(s->function, &s->result, strips, &count))
    return false;
  tell_change(r);
  read_function(r, s);
  for (lin_block block = 0; block < s->function->graph->num_blocks; block++)
    for (uint32_t i = 0; i < count; i++)
      if (s->function->block[block] == strips[i])
        s->function->graph->flags[block] |= LIN_STRIP;
  plan_step(r, s);
  return true;
}

// Returns true if the function was changed.
static bool run_step(const run *r, lin_mode mode, bool is_first) {
  linearize_report *report = r->report;
  step s = {.mode = mode};
  read_function(r, &s);
  uint32_t blocks = s.function->graph->num_blocks;
  if (is_first) {
    report->blocks_before += blocks;
    report->blocks_after += blocks;
  }
  if (!has_anything(r->arena, s.function->graph, r->options, mode) || !plan_step(r, &s))
    return false;
  if (is_first)
    lin_ir_count_before(report, &s.result);
  lin_ir_run done = {r->arena, s.function, &s.result, &s.core.policy, r->options->quiet};
  if (is_left(report, &done))
    return false;
  bool stripped = mode == LIN_MODE_MERGE_LOOPS && strip_loops(r, &s);
  done.function = s.function;
  if (s.result.num_regions > 0)
    lin_ir_write(r->arena, s.function, &s.result, r->options->level);
  report_step(r, &done, s.ignored);
  if (s.result.num_regions == 0 && !stripped) // with the strips they may be more than the budget
    return false;
  report->blocks_after += LLVMCountBasicBlocks(r->function) - blocks;
  return true;
}

static bool run_steps(const run *r) {
  lin_mode steps[LIN_MOST_STEPS];
  uint32_t count = lin_ir_steps(r->options, steps);
  bool changed = false;
  r->report->functions++;
  r->report->divergence_known = r->options->is_uniform != NULL;
  size_t first = r->report->num_remarks;
  for (uint32_t i = 0; i < count; i++) {
    size_t before = r->report->num_remarks - first;
    LLVMMetadataRef *line = lin_ir_places_note(r->arena, r->report, first);
    bool here = run_step(r, steps[i], i == 0);
    changed |= here;
    if (!here)
      continue;
    lin_ir_places_find(r->arena, r->function, r->report, first, before, line);
    tell_change(r);
  }
  r->report->functions_changed += changed;
  return changed;
}

static void report_wrong_attribute(lin_arena *arena, LLVMValueRef function, const char *wrong,
                                   linearize_report *report) {
  lin_ir_read_options options = {0};
  lin_ir_report(report, lin_ir_read(arena, function, &options), LINEARIZE_ERROR, "WrongOption",
                LIN_NONE, wrong);
}

// `summaries`: of other functions of the module, or NULL.
static bool run_options(LLVMValueRef function, const linearize_options *options,
                        lin_ir_summaries *summaries, linearize_report *report) {
  linearize_options here = options == NULL ? linearize_default_options() : *options;
  if (LLVMIsDeclaration(function) || !(here.any_target || lin_ir_is_gpu(function)))
    return false;
  linearize_report ignored = {0};
  if (report == NULL) {
    report = &ignored;
    here.quiet = true;
  }
  lin_arena arena = {0};
  const char *wrong = lin_ir_read_attributes(&arena, function, &here);
  run r = {&arena, function, &here, summaries, report};
  bool changed = wrong == NULL && run_steps(&r);
  if (wrong != NULL)
    report_wrong_attribute(&arena, function, wrong, report);
  lin_arena_release(&arena);
  linearize_report_release(&ignored);
  return changed;
}

bool linearize_function(LLVMValueRef function, const linearize_options *options,
                        linearize_report *report) {
  return run_options(function, options, NULL, report);
}

bool linearize_module(LLVMModuleRef module, const linearize_options *options,
                      linearize_report *report) {
  bool changed = false;
  lin_arena arena = {0};
  lin_ir_summaries *summaries = lin_ir_summaries_new(&arena);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    changed |= run_options(function, options, summaries, report);
  lin_arena_release(&arena);
  return changed;
}

// ---- looking

static lin_analysis *analyse(lin_arena *arena, LLVMValueRef function) {
  lin_ir_read_options options = {0};
  lin_ir_function *f = lin_ir_read(arena, function, &options);
  lin_order *order = lin_order_build(arena, lin_graph_unite_returns(arena, f->graph));
  return lin_analysis_build(arena, order->graph, order->loops);
}

// "a -> b (branch, jump out)"
static int print_edge(char *text, size_t size, const lin_analysis *a, lin_edge edge) {
  const char *kinds[3] = {"", "", ""};
  int count = 0;
  for (unsigned kind = LIN_BRANCH; kind <= LIN_JUMP_OUT; kind *= 2)
    if ((a->kinds[edge] & kind) != 0)
      kinds[count++] = lin_edge_kind_name(kind);
  return snprintf(text, size, "%s -> %s (%s%s%s%s%s)", a->graph->name[a->graph->source[edge]],
                  a->graph->name[a->graph->destination[edge]], kinds[0], count > 1 ? ", " : "",
                  count > 1 ? kinds[1] : "", count > 2 ? ", " : "", count > 2 ? kinds[2] : "");
}

char *linearize_print_unstructured(LLVMValueRef function) {
  if (LLVMIsDeclaration(function))
    return lin_ir_copy_text("");
  lin_arena arena = {0};
  lin_analysis *a = analyse(&arena, function);
  size_t size = strlen(a->graph->title) + 64;
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++)
    if (a->kinds[edge] != 0)
      size += 4 + (size_t)print_edge(NULL, 0, a, edge);
  char *text = malloc(size);
  if (text == NULL)
    abort();
  char *end = text + snprintf(text, size, "%s: %u unstructured edge%s\n", a->graph->title,
                              a->num_unstructured, a->num_unstructured == 1 ? "" : "s");
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++) {
    if (a->kinds[edge] == 0)
      continue;
    end += sprintf(end, "  ");
    end += print_edge(end, size - (size_t)(end - text), a, edge);
    end += sprintf(end, "\n");
  }
  lin_arena_release(&arena);
  return text;
}

bool linearize_verify(LLVMValueRef function, char **message) {
  if (LLVMIsDeclaration(function))
    return true;
  lin_arena arena = {0};
  lin_analysis *a = analyse(&arena, function);
  lin_edge edge = 0;
  while (edge < a->graph->num_edges && a->kinds[edge] == 0)
    edge++;
  bool good = edge == a->graph->num_edges;
  if (!good && message != NULL) {
    const char *format = "function '%s': unstructured edge ";
    int head = snprintf(NULL, 0, format, a->graph->title);
    int tail = print_edge(NULL, 0, a, edge);
    *message = malloc((size_t)(head + tail) + 1);
    if (*message == NULL)
      abort();
    sprintf(*message, format, a->graph->title);
    print_edge(*message + head, (size_t)tail + 1, a, edge);
  }
  lin_arena_release(&arena);
  return good;
}
