#include "run.h"

#include "divergence.h"
#include "read.h"
#include "summaries.h"
#include "write.h"

#include "driver/outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_WITH_PROGRESS = 70 }; // sm_70: threads of a warp are scheduled one by one

typedef struct run {
  const lin_ptx_module *module;
  const lin_ptx_options *options;
  lin_ptx_hear hear;
  void *context;
  const lin_ptx_function *f; // at hand
  const lin_result *result;
} run;

// ---- remarks

__attribute__((format(printf, 4, 5))) static void say(const run *r, lin_ptx_remark_kind kind,
                                                      lin_block ordered, const char *format, ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  lin_block block = r->result->order->origin[ordered];
  lin_ptx_remark remark = {.kind = kind,
                           .function = r->f->graph->title,
                           .line = r->f->body->place->line,
                           .message = message};
  if (block < r->f->graph->num_blocks) {
    remark.block = r->f->graph->name[block];
    remark.line = r->f->block[block].line;
    const lin_ptx_loc *loc = lin_ptx_source_of(r->f, block);
    if (loc != NULL) {
      remark.source = lin_ptx_file(r->module, loc->file);
      remark.source_line = loc->line;
    }
  }
  r->hear(r->context, &remark);
}

static void say_linearized(const run *r, const lin_linearized *linearized,
                           const lin_outcomes *outcomes) {
  for (uint32_t region = 0; region < r->result->regions->num_regions; region++) {
    if (r->result->regions->gone[region])
      continue;
    const lin_linearized *l = &linearized[region];
    uint32_t number = outcomes->number[region];
    char which[32] = "", gain[128] = "";
    if (number != LIN_NONE) {
      const lin_outcome *outcome = &outcomes->outcome[number];
      snprintf(which, sizeof which, " (region %u)", number);
      snprintf(gain, sizeof gain,
               ": saves about %llu of %llu instructions that a warp runs in it; guards take %llu",
               (unsigned long long)outcome->gain, (unsigned long long)outcome->executed,
               (unsigned long long)outcome->guards);
    }
    say(r, LIN_PTX_PASSED, l->first, "linearized a region of %u block%s with %u guard%s%s%s%s",
        l->blocks, l->blocks == 1 ? "" : "s", l->guards, l->guards == 1 ? "" : "s", which, gain,
        l->cross_lane == LIN_NONE ? ""
                                  : "; an operation in it depends on which threads run together "
                                    "(activemask, vote or shuffle without a mask) and may see "
                                    "others than before");
  }
}

static void say_refused(const run *r, const lin_outcomes *outcomes) {
  for (uint32_t i = 0; i < r->result->refusals.count; i++) {
    const lin_refusal *refusal = &r->result->refusals.refusal[i];
    uint32_t number = outcomes->number_of_refused[refusal->region];
    char which[64] = "";
    if (number != LIN_NONE) {
      uint32_t blocks = outcomes->outcome[number].blocks;
      snprintf(which, sizeof which, " (region %u of %u block%s)", number, blocks,
               blocks == 1 ? "" : "s");
    }
    say(r, refusal->irreducible ? LIN_PTX_WARNING : LIN_PTX_MISSED, refusal->block, "%s%s",
        refusal->reason, which);
  }
}

static void say_unworthy(const run *r, const lin_outcomes *outcomes) {
  for (uint32_t number = 0; number < outcomes->count; number++) {
    const lin_outcome *outcome = &outcomes->outcome[number];
    if (outcome->fate != LIN_FATE_UNWORTHY)
      continue;
    say(r, LIN_PTX_ANALYSIS, outcome->first, "region %u of %u block%s isn't linearized: %s", number,
        outcome->blocks, outcome->blocks == 1 ? "" : "s", lin_verdict_text(outcome->verdict));
  }
}

// A whole function that is left alone.
static void say_left(const run *r, const lin_ptx_place *place, uint32_t line, const char *reason) {
  char message[256];
  snprintf(message, sizeof message, "the function is left alone: %s", reason);
  lin_ptx_remark remark = {
      .kind = LIN_PTX_MISSED, .function = place->name, .line = line, .message = message};
  r->hear(r->context, &remark);
}

// ---- functions

static void linearize_function(const run *given, const lin_ptx_place *place,
                               const lin_ptx_summaries *summaries, lin_ptx_patch *patch,
                               lin_ptx_counts *counts) {
  lin_arena arena = {0};
  run with = *given, *r = &with;
  const lin_ptx_body *body = lin_ptx_body_read(&arena, r->module, place);
  if (body->refused != NULL) {
    uint32_t start = place->signature;
    uint32_t line =
        place->line + lin_ptx_line(r->module->text + start, body->refused_at - start) - 1;
    say_left(r, place, line, body->refused);
    lin_arena_release(&arena);
    return;
  }
  lin_ptx_function *f = lin_ptx_read(&arena, body, lin_ptx_summary, summaries);
  lin_options options = r->options->core;
  options.policy.lock_step = r->module->sm != 0 && r->module->sm < FIRST_WITH_PROGRESS;
  options.policy.force = r->options->force;
  options.policy.divergence_known = true;
  lin_ptx_find_uniform(f);
  lin_result result;
  lin_status status = lin_linearize(&arena, f->graph, &options, &result);
  if (!lin_ok(status)) {
    say_left(r, place, place->line, status.reason);
    lin_arena_release(&arena);
    return;
  }
  r->f = f;
  r->result = &result;
  const lin_outcomes *outcomes = lin_outcomes_build(&arena, &result, &options.policy);
  say_refused(r, outcomes);
  say_unworthy(r, outcomes);
  if (result.num_regions > 0) {
    say_linearized(r, lin_linearized_build(&arena, &result), outcomes);
    uint32_t changes = patch->count;
    lin_ptx_write(f, &result, patch);
    counts->functions_changed += patch->count > changes;
    counts->regions += result.num_regions;
    counts->guards += result.flow->num_guards;
  }
  lin_arena_release(&arena);
}

lin_ptx_counts lin_ptx_linearize(const lin_ptx_module *module, const lin_ptx_options *options,
                                 lin_ptx_patch *patch, lin_ptx_hear hear, void *context) {
  lin_ptx_counts counts = {.functions = module->num_functions};
  if (options->is_off)
    return counts;
  run r = {.module = module, .options = options, .hear = hear, .context = context};
  lin_arena arena = {0};
  const lin_ptx_summaries *summaries = lin_ptx_summaries_build(&arena, module);
  for (uint32_t i = 0; i < module->num_functions; i++) {
    const lin_ptx_place *place = &module->function[i];
    if (module->is_debug && !options->force)
      say_left(&r, place, place->line, "it was compiled for a debugger (-G)");
    else
      linearize_function(&r, place, summaries, patch, &counts);
  }
  lin_arena_release(&arena);
  return counts;
}
