#include "tell.h"

#include "driver/outcome.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// About a block of the function, or all of it. `name` is what LLVM's front end calls such a remark.
__attribute__((format(printf, 6, 7))) static void say(const lin_ptx_teller *t,
                                                      lin_ptx_remark_kind kind, const char *name,
                                                      const lin_ptx_function *f, lin_block block,
                                                      const char *format, ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  lin_ptx_remark remark = {.kind = kind,
                           .name = name,
                           .function = f->graph->title,
                           .line = f->body->place->line,
                           .message = message};
  if (block < f->graph->num_blocks) {
    remark.block = f->graph->name[block];
    remark.line = f->block[block].line;
    const lin_ptx_loc *loc = lin_ptx_source_of(f, block);
    if (loc != NULL) {
      remark.source = lin_ptx_file(t->module, loc->file);
      remark.source_line = loc->line;
    }
  }
  t->hear(t->context, &remark);
}

static lin_block origin_of(const lin_driver *driver, lin_block ordered) {
  return driver->result.order->origin[ordered];
}

// The number that people know a region by, or LIN_NONE: it is a new one.
static uint32_t name_of(const lin_driver *driver, uint32_t number) {
  if (driver->again)
    return LIN_NONE;
  return driver->names == NULL || number == LIN_NONE ? number : driver->names[number];
}

// What a block calls whose code isn't here: "calls 'table', whose code isn't here". In the arena.
static const char *foreign_text(const lin_ptx_teller *t, lin_arena *arena,
                                const lin_ptx_function *f, lin_block block) {
  uint32_t call = block < f->num_written ? f->block[block].foreign : LIN_NONE;
  lin_ptx_token name = {0};
  if (call != LIN_NONE)
    name = lin_ptx_callee(f->body, call);
  if (name.end == name.start)
    return "calls code that isn't here";
  char text[160];
  int length = (int)(name.end - name.start < 80 ? name.end - name.start : 80);
  const char *callee = f->body->module->text + name.start, *how = "whose code isn't here";
  for (uint32_t i = 0; i < t->module->num_functions; i++)
    if (strlen(t->module->function[i].name) == name.end - name.start &&
        memcmp(t->module->function[i].name, callee, name.end - name.start) == 0)
      how = "which calls code that isn't here";
  int used = snprintf(text, sizeof text, "calls '%.*s', %s", length, callee, how);
  return lin_arena_text(arena, text, (size_t)used);
}

static void say_linearized(const lin_ptx_teller *t, const lin_ptx_function *f,
                           const lin_driver *driver, const lin_outcomes *outcomes) {
  const lin_result *result = &driver->result;
  const lin_linearized *linearized = lin_linearized_build(driver->arena, result);
  for (uint32_t region = 0; region < result->regions->num_regions; region++) {
    if (result->regions->gone[region])
      continue;
    const lin_linearized *l = &linearized[region];
    uint32_t number = outcomes->number[region];
    char which[32] = "", gain[128] = "";
    if (name_of(driver, number) != LIN_NONE)
      snprintf(which, sizeof which, " (region %" PRIu32 ")", name_of(driver, number));
    if (number != LIN_NONE) {
      const lin_outcome *outcome = &outcomes->outcome[number];
      snprintf(gain, sizeof gain,
               ": saves about %" PRIu64 " of %" PRIu64
               " instructions that a warp runs in it; guards take %" PRIu64,
               outcome->gain, outcome->executed, outcome->guards);
    }
    say(t, LIN_PTX_PASSED, "Linearized", f, origin_of(driver, l->first),
        "linearized a region of %u block%s with %u guard%s%s%s%s", l->blocks,
        l->blocks == 1 ? "" : "s", l->guards, l->guards == 1 ? "" : "s", which, gain,
        l->cross_lane == LIN_NONE ? ""
                                  : "; an operation in it depends on which threads run together "
                                    "(activemask, vote or shuffle without a mask) and may see "
                                    "others than before");
  }
}

static void say_refused(const lin_ptx_teller *t, const lin_ptx_function *f,
                        const lin_driver *driver, const lin_outcomes *outcomes) {
  for (uint32_t i = 0; i < driver->result.refusals.count; i++) {
    const lin_refusal *refusal = &driver->result.refusals.refusal[i];
    uint32_t number = outcomes->number_of_refused[refusal->region];
    char which[64] = "";
    if (name_of(driver, number) != LIN_NONE) {
      uint32_t blocks = outcomes->outcome[number].blocks;
      snprintf(which, sizeof which, " (region %u of %u block%s)", name_of(driver, number), blocks,
               blocks == 1 ? "" : "s");
    }
    say(t, refusal->irreducible ? LIN_PTX_WARNING : LIN_PTX_MISSED,
        refusal->irreducible   ? "IrreducibleLoopLeft"
        : refusal->over_budget ? "OverBudget"
                               : "NotLinearized",
        f, origin_of(driver, refusal->block), "%s%s", refusal->reason, which);
  }
}

static void say_unworthy(const lin_ptx_teller *t, const lin_ptx_function *f,
                         const lin_driver *driver, const lin_outcomes *outcomes) {
  for (uint32_t number = 0; number < outcomes->count; number++) {
    const lin_outcome *outcome = &outcomes->outcome[number];
    if (outcome->fate != LIN_FATE_UNWORTHY || name_of(driver, number) == LIN_NONE)
      continue;
    if (outcome->verdict == LIN_VERDICT_CALLS && outcome->foreign != LIN_NONE) {
      say(t, LIN_PTX_ANALYSIS, lin_verdict_name(outcome->verdict), f,
          origin_of(driver, outcome->first),
          "region %u of %u block%s isn't linearized: its loop %s, and threads may wait there",
          name_of(driver, number), outcome->blocks, outcome->blocks == 1 ? "" : "s",
          foreign_text(t, driver->arena, f, origin_of(driver, outcome->foreign)));
      continue;
    }
    say(t, LIN_PTX_ANALYSIS, lin_verdict_name(outcome->verdict), f,
        origin_of(driver, outcome->first), "region %u of %u block%s isn't linearized: %s",
        name_of(driver, number), outcome->blocks, outcome->blocks == 1 ? "" : "s",
        lin_verdict_text(outcome->verdict));
  }
}

void lin_ptx_tell_regions(const lin_ptx_teller *t, const lin_ptx_function *f,
                          const lin_driver *driver) {
  const lin_outcomes *outcomes =
      lin_outcomes_build(driver->arena, &driver->result, &driver->options.policy);
  if (!driver->again) { // what is left after a round was left before
    say_refused(t, f, driver, outcomes);
    say_unworthy(t, f, driver, outcomes);
  }
  if (driver->result.num_regions > 0)
    say_linearized(t, f, driver, outcomes);
}

static void say_nest(const lin_ptx_teller *t, const lin_ptx_function *f, const lin_driver *driver,
                     uint32_t loop) {
  const lin_result *result = &driver->result;
  const lin_loops *loops = result->analysis->loops;
  const lin_nest *nest = &result->nests->nest[loop];
  bool is_merged = result->nests->merged[loop];
  char gain[128] = "";
  if (is_merged || nest->verdict == LIN_NEST_DEAR)
    snprintf(gain, sizeof gain,
             "; a warp runs about %" PRIu64 " instructions instead of %" PRIu64
             " for each iteration of the outer loop",
             (uint64_t)(nest->after + 0.5), (uint64_t)(nest->before + 0.5));
  if (is_merged) {
    say(t, LIN_PTX_PASSED, lin_nest_name(LIN_NEST_MERGED), f,
        origin_of(driver, loops->header[loop]),
        "merged this loop with the one around it, of '%s'%s",
        result->analysis->graph->name[loops->header[loops->tree->parent[loop]]], gain);
    return;
  }
  // One that was to be merged is left where what is around it may not be guarded.
  lin_nest_verdict verdict = nest->verdict == LIN_NEST_MERGED ? LIN_NEST_REFUSED : nest->verdict;
  const char *reason = nest->verdict == LIN_NEST_REFUSED
                           ? result->analysis->graph->reason[nest->block]
                       : nest->verdict == LIN_NEST_CALLS
                           ? foreign_text(t, driver->arena, f, origin_of(driver, nest->block))
                           : lin_nest_text(verdict);
  say(t, verdict < LIN_NEST_UNIFORM ? LIN_PTX_MISSED : LIN_PTX_ANALYSIS, lin_nest_name(verdict), f,
      origin_of(driver, nest->block), "not merged with the loop around it: %s%s", reason, gain);
}

void lin_ptx_tell_nests(const lin_ptx_teller *t, const lin_ptx_function *f,
                        const lin_driver *driver) {
  const lin_nests *nests = driver->result.nests;
  for (uint32_t loop = 1; loop < driver->result.analysis->loops->num_loops; loop++)
    if (nests->nest[loop].verdict != LIN_NEST_NONE)
      say_nest(t, f, driver, loop);
}

void lin_ptx_tell_edits(const lin_ptx_teller *t, const lin_ptx_function *f,
                        const lin_edits *edits) {
  for (uint32_t i = 0; i < edits->count; i++) {
    const lin_edit *edit = &edits->edit[i];
    const char *s = edit->count == 1 ? "" : "s";
    if (edit->kind == LIN_EDIT_FOLD)
      say(t, LIN_PTX_PASSED, "ExitsFolded", f, edit->block,
          "combined %u exit test%s of this loop: an iteration takes one branch instead of %u",
          edit->count, s, edit->count);
    else if (edit->kind == LIN_EDIT_COPY && edit->to != LIN_NONE)
      say(t, LIN_PTX_PASSED, "ExitsFreed", f, edit->block,
          "rerouted %u exit%s of a loop past the flag that is tested here, where threads waited "
          "for "
          "each other in every iteration",
          edit->count, s);
    else if (edit->kind == LIN_EDIT_COPY)
      say(t, LIN_PTX_PASSED, "EntryCopied", f, edit->block,
          "copied this entry of an irreducible loop, %u instruction%s, in front of the loop: with "
          "one "
          "entry it needs no guards",
          edit->cost, edit->cost == 1 ? "" : "s");
  }
}

void lin_ptx_tell_left(const lin_ptx_teller *t, const lin_ptx_place *place, uint32_t line,
                       const char *reason) {
  char message[256];
  snprintf(message, sizeof message, "the function is left alone: %s", reason);
  lin_ptx_remark remark = {.kind = LIN_PTX_MISSED,
                           .name = "NotLinearized",
                           .function = place->name,
                           .line = line,
                           .message = message};
  t->hear(t->context, &remark);
}
