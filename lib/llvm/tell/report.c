#include "report.h"

#include "choose/trip_counts.h"
#include "driver/outcome.h"
#include "message.h"

#include <stdlib.h>
#include <string.h>

void linearize_report_release(linearize_report *report) {
  for (size_t i = 0; i < report->num_remarks; i++) {
    free(report->remarks[i].function);
    free(report->remarks[i].block);
    free(report->remarks[i].message);
  }
  free(report->remarks);
  *report = (linearize_report){0};
}

void linearize_text_release(char *text) { free(text); }

void lin_ir_report(linearize_report *report, const lin_ir_function *f, linearize_remark_kind kind,
                   const char *name, lin_block block, const char *text) {
  lin_ir_message m = {.used = 0};
  lin_ir_say(&m, "%s", text);
  lin_ir_send(report, f, kind, name, block, &m);
}

// ---- the function

static void report_unwanted(linearize_report *report, const lin_ir_run *run,
                            linearize_remark_kind kind, lin_block block, const char *unwanted) {
  lin_ir_message m = {.used = 0};
  const bool warns = kind == LINEARIZE_WARNING;
  lin_ir_say(&m, "%sthe function is %s", warns ? "an irreducible loop stays: " : "", unwanted);
  lin_ir_send(report, run->function, kind, warns ? "IrreducibleLoopLeft" : "NotLinearized", block,
              &m);
}

// That the user wants it doesn't make ptxas compile an irreducible loop right.
void lin_ir_report_left_alone(linearize_report *report, const lin_ir_run *run,
                              const char *unwanted) {
  const lin_result *result = run->result;
  const lin_loops *loops = result->shape.analysis->loops;
  uint32_t loop = 0;
  while (loop < loops->num_loops && !loops->irreducible[loop])
    loop++;
  if (loop < loops->num_loops)
    report_unwanted(report, run, LINEARIZE_WARNING,
                    result->shape.order->origin[loops->header[loop]], unwanted);
  if (!run->quiet)
    report_unwanted(report, run, LINEARIZE_MISSED, LIN_NONE, unwanted);
}

void lin_ir_count_before(linearize_report *report, const lin_result *result) {
  const lin_analysis *a = result->shape.analysis;
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++) {
    report->branch_edges += (a->kinds[edge] & LIN_BRANCH) != 0;
    report->jump_in_edges += (a->kinds[edge] & LIN_JUMP_IN) != 0;
    report->jump_out_edges += (a->kinds[edge] & LIN_JUMP_OUT) != 0;
  }
  report->unstructured_edges += a->num_unstructured;
  for (uint32_t loop = 0; loop < a->loops->num_loops; loop++)
    report->irreducible_loops += a->loops->irreducible[loop];
}

void lin_ir_count_regions(linearize_report *report, const lin_result *result, bool again) {
  report->regions_refused += again ? 0 : result->refusals.count;
  for (uint32_t region = 0; region < result->regions->num_regions; region++)
    report->regions += !result->regions->gone[region];
  if (result->flow != NULL)
    report->guards += result->flow->num_guards;
}

// ---- regions

static void send_at(linearize_report *report, const lin_ir_run *run, linearize_remark_kind kind,
                    const char *name, lin_block ordered, const lin_ir_message *m) {
  lin_ir_send(report, run->function, kind, name, run->result->shape.order->origin[ordered], m);
}

static uint32_t name_of(const lin_ir_run *run, uint32_t number) {
  if (run->again)
    return LIN_NONE;
  return run->names == NULL || number == LIN_NONE ? number : run->names[number];
}

// "region 3 of 5 blocks"
static void say_region(lin_ir_message *m, const lin_ir_run *run, const lin_outcomes *outcomes,
                       uint32_t number) {
  if (name_of(run, number) != LIN_NONE) {
    lin_ir_say(m, "region ");
    lin_ir_say_number(m, "Region", name_of(run, number));
  } else {
    lin_ir_say(m, "a new region");
  }
  lin_ir_say(m, " of ");
  lin_ir_say_count(m, "Blocks", outcomes->outcome[number].blocks, "block");
}

static void report_refusals(linearize_report *report, const lin_ir_run *run,
                            const lin_outcomes *outcomes) {
  const lin_refusals *refusals = &run->result->refusals;
  for (uint32_t i = 0; i < refusals->count; i++) {
    const lin_refusal *refusal = &refusals->refusal[i];
    if (run->quiet && !refusal->irreducible)
      continue;
    uint32_t number = outcomes->number_of_refused[refusal->region];
    lin_ir_message m = {.used = 0};
    lin_ir_say(&m, "%s", refusal->reason);
    if (number != LIN_NONE) {
      lin_ir_say(&m, " (");
      say_region(&m, run, outcomes, number);
      lin_ir_say(&m, ")");
    }
    send_at(report, run, refusal->irreducible ? LINEARIZE_WARNING : LINEARIZE_MISSED,
            refusal->irreducible   ? "IrreducibleLoopLeft"
            : refusal->over_budget ? "OverBudget"
                                   : "NotLinearized",
            refusal->block, &m);
    if (refusal->irreducible && !run->quiet) // who compiles with -w hears no warning
      send_at(report, run, LINEARIZE_MISSED, refusal->over_budget ? "OverBudget" : "NotLinearized",
              refusal->block, &m);
  }
}

// For programs: people are given percentages.
static void hide_gain(lin_ir_message *m, const lin_outcome *outcome) {
  lin_ir_hide_estimate(m, "Gain", (double)outcome->gain);
  lin_ir_hide_estimate(m, "Executed", (double)outcome->executed);
  lin_ir_hide_estimate(m, "Cost", (double)outcome->guards);
}

// "; of what a warp runs there it saves about 41%, and guards take 9%"
static void say_gain(lin_ir_message *m, const lin_outcome *outcome) {
  const double percent = 100 / (double)outcome->executed;
  lin_ir_say(m, "; of what a warp runs there it saves about %.0f%%, and guards take %.0f%%",
             (double)outcome->gain * percent, (double)outcome->guards * percent);
}

// ", if the loop at a.cu:12 goes around 8 times": what the gain is a guess for.
static void say_guess(lin_ir_message *m, const lin_ir_run *run, const lin_outcome *outcome) {
  uint32_t count = outcome->num_guessed;
  if (count == 0)
    return;
  lin_ir_say(m, count == 1 ? ", if the loop at " : ", if the loops at ");
  uint32_t named = count < LIN_NAMED_LOOPS ? count : LIN_NAMED_LOOPS;
  for (uint32_t i = 0; i < named; i++) {
    lin_ir_say(m, i == 0 ? "" : i + 1 == count ? " and " : ", ");
    lin_ir_say_place(m, run->function, run->result->shape.order->origin[outcome->guessed[i]]);
  }
  if (count > named)
    lin_ir_say(m, " and %u more", count - named);
  lin_ir_say(m, count == 1 ? " goes around " : " go around ");
  lin_ir_say_number(m, "Trips", LIN_USUAL_TRIPS);
  lin_ir_say(m, " times");
}

// "; rests on guesses at 3 of 4 branches, and on 6 of the function's 9 blocks"
static void say_basis(lin_ir_message *m, const lin_ir_run *run, const lin_outcome *outcome) {
  uint32_t guessed = outcome->branches - outcome->weighed;
  if (outcome->branches == 0)
    return;
  lin_ir_say(m, "; rests on ");
  if (guessed == 0) {
    lin_ir_say(m, "weights of all branches");
  } else {
    lin_ir_say(m, "guesses at ");
    lin_ir_say_number(m, "GuessedBranches", guessed);
    lin_ir_say(m, " of %u branch%s", outcome->branches, outcome->branches == 1 ? "" : "es");
  }
  lin_ir_say(m, ", and on ");
  lin_ir_say_number(m, "OfBlocks", outcome->rests_on);
  lin_ir_say(m, " of the function's %u blocks", run->function->graph->num_blocks);
}

// Mode needed leaves what doesn't gain alone, but for irreducible loops.
static bool is_for_irreducible(const lin_policy *policy, const lin_outcome *outcome) {
  return lin_modes[policy->mode].gains && policy->num_only == 0 && !outcome->gains;
}

// What matters most of it, in one clause.
static void say_most(lin_ir_message *m, const lin_outcome *o, bool for_irreducible,
                     bool cross_lane) {
  if (cross_lane) {
    lin_ir_say(m, ": an operation in it may see other threads than before");
  } else if (for_irreducible) {
    lin_ir_say(m, ": ptxas may compile its irreducible loop wrongly");
  } else if (o != NULL) {
    const double before = (double)o->executed;
    lin_ir_say(m, ": ");
    lin_ir_say_change(m, before, before - (double)o->gain + (double)o->guards);
  }
}

// One that is left alone, and in which this one lies: `left alone region 0` isn't about this.
static void say_around(lin_ir_message *m, const lin_ir_run *run, const lin_outcomes *outcomes,
                       uint32_t number) {
  const uint32_t around = outcomes->outcome[number].around;
  if (around == LIN_NONE || outcomes->outcome[around].fate > LIN_FATE_UNWORTHY)
    return;
  lin_ir_say(m, "; it lies in the region at ");
  lin_ir_say_place(m, run->function,
                   run->result->shape.order->origin[outcomes->outcome[around].first]);
  lin_ir_say(m, ", which is left alone");
}

static void say_details(lin_ir_message *m, const lin_ir_run *run, const lin_outcomes *outcomes,
                        uint32_t number, bool for_irreducible) {
  const lin_outcome *o = &outcomes->outcome[number];
  if (o->executed > 0) { // else it has no estimate
    say_gain(m, o);
    say_guess(m, run, o);
    say_basis(m, run, o);
  }
  if (for_irreducible)
    lin_ir_say(m, "; done whatever it gains");
  say_around(m, run, outcomes, number);
}

static void report_region(linearize_report *report, const lin_ir_run *run, const lin_linearized *l,
                          const lin_outcomes *outcomes, uint32_t number) {
  lin_ir_message m = {.used = 0};
  const lin_outcome *o = number == LIN_NONE ? NULL : &outcomes->outcome[number];
  const bool for_irreducible = o != NULL && is_for_irreducible(run->policy, o),
             is_estimated = o != NULL && o->executed > 0, cross_lane = l->cross_lane != LIN_NONE;
  lin_ir_say_linearized(&m, l->blocks, l->guards);
  if (name_of(run, number) != LIN_NONE) {
    lin_ir_say(&m, " (region ");
    lin_ir_say_number(&m, "Region", name_of(run, number));
    lin_ir_say(&m, ")");
  }
  if (is_estimated)
    hide_gain(&m, o);
  say_most(&m, is_estimated ? o : NULL, for_irreducible, cross_lane);
  lin_ir_begin_details(&m);
  if (o != NULL)
    say_details(&m, run, outcomes, number, for_irreducible);
  if (cross_lane)
    lin_ir_say(&m, "; its result depends on which threads run together: activemask, a vote or a "
                   "shuffle without a mask");
  send_at(report, run, LINEARIZE_PASSED, "Linearized", l->first, &m);
}

static void report_linearized(linearize_report *report, const lin_ir_run *run,
                              const lin_linearized *linearized, const lin_outcomes *outcomes) {
  for (uint32_t region = 0; region < run->result->regions->num_regions; region++)
    if (!run->result->regions->gone[region])
      report_region(report, run, &linearized[region], outcomes, outcomes->number[region]);
}

// A loop that calls code that isn't here.
static void say_foreign(lin_ir_message *m, const lin_ir_run *run, const lin_outcome *o) {
  if (o->foreign == LIN_NONE) {
    lin_ir_say(m, "%s", lin_verdict_text(o->verdict));
    return;
  }
  lin_ir_say(m, "its loop ");
  lin_ir_say_foreign(m, run->function, run->result->shape.order->origin[o->foreign]);
  lin_ir_say(m, ", and threads may wait there");
}

// The region that stands for the minimal region that is linearized in this one, where its own
// remark is.
static void say_inner(lin_ir_message *m, const lin_ir_run *run, const lin_linearized *linearized,
                      const lin_outcomes *outcomes, uint32_t inner) {
  uint32_t region = 0;
  while (inner != LIN_NONE && outcomes->number[region] != inner)
    region++;
  if (inner == LIN_NONE)
    return;
  lin_ir_say(m, "; the one in it at ");
  lin_ir_say_place(m, run->function, run->result->shape.order->origin[linearized[region].first]);
  lin_ir_say(m, " is linearized");
}

// A minimal region that was left alone, and why.
static void report_unworthy(linearize_report *report, const lin_ir_run *run,
                            const lin_linearized *linearized, const lin_outcomes *outcomes,
                            uint32_t number) {
  const lin_outcome *o = &outcomes->outcome[number];
  const lin_policy *policy = run->policy;
  bool unasked = o->fate == LIN_FATE_UNASKED;
  lin_ir_message m = {.used = 0};
  lin_ir_say(&m, "left alone ");
  say_region(&m, run, outcomes, number);
  lin_ir_say(&m, " and ");
  lin_ir_say_number(&m, "Instructions", o->instructions);
  lin_ir_say(&m, " instructions: ");
  if (unasked)
    lin_ir_say(&m, policy->num_only > 0 ? "not among those that were chosen"
                                        : "mode irreducible is after irreducible loops");
  else if (o->verdict == LIN_VERDICT_CALLS)
    say_foreign(&m, run, o);
  else
    lin_ir_say(&m, "%s", lin_verdict_text(o->verdict));
  if (!unasked && o->verdict == LIN_VERDICT_SMALL) {
    lin_ir_say(&m, ", ");
    lin_ir_say_number(&m, "Cost", o->largest);
    lin_ir_say(&m, " instructions; the threshold is ");
    lin_ir_say_number(&m, "Threshold",
                      policy->least_cost == 0 ? LIN_LEAST_COST : policy->least_cost);
  }
  say_inner(&m, run, linearized, outcomes, o->inner);
  if (!unasked && o->verdict == LIN_VERDICT_DEAR && o->executed > 0) {
    hide_gain(&m, o);
    say_gain(&m, o);
    say_guess(&m, run, o);
  }
  send_at(report, run, LINEARIZE_ANALYSIS, unasked ? "NotAsked" : lin_verdict_name(o->verdict),
          o->first, &m);
}

static void report_part(linearize_report *report, const lin_ir_run *run,
                        const lin_outcomes *outcomes, uint32_t number) {
  const lin_outcome *o = &outcomes->outcome[number];
  lin_ir_message m = {.used = 0};
  lin_ir_say(&m, "linearized ");
  say_region(&m, run, outcomes, number);
  lin_ir_say(&m, " as a part of ");
  if (o->into == LIN_NONE) {
    lin_ir_say(&m, "the whole function");
  } else if (name_of(run, o->into) == LIN_NONE) {
    lin_ir_say(&m, "a new one");
  } else {
    lin_ir_say(&m, "region ");
    lin_ir_say_number(&m, "Into", name_of(run, o->into));
    lin_ir_say(&m, ", at ");
    lin_ir_say_place(&m, run->function,
                     run->result->shape.order->origin[outcomes->outcome[o->into].first]);
  }
  send_at(report, run, LINEARIZE_PASSED, "LinearizedWithin", o->first, &m);
}

// One that was refused since it is in another one.
static void report_refused_part(linearize_report *report, const lin_ir_run *run,
                                const lin_outcomes *outcomes, uint32_t number) {
  const lin_outcome *o = &outcomes->outcome[number];
  lin_ir_message m = {.used = 0};
  lin_ir_say(&m, "not linearized without region ");
  lin_ir_say_number(&m, "Into", name_of(run, o->into));
  lin_ir_say(&m, ", which is not (");
  say_region(&m, run, outcomes, number);
  lin_ir_say(&m, ")");
  send_at(report, run, LINEARIZE_MISSED, "NotLinearized", o->first, &m);
}

static bool is_refused_part(const lin_ir_run *run, const lin_outcomes *outcomes, uint32_t number) {
  const lin_outcome *o = &outcomes->outcome[number];
  return o->fate == LIN_FATE_REFUSED && o->into != number && name_of(run, o->into) != LIN_NONE;
}

void lin_ir_report_regions(linearize_report *report, const lin_ir_run *run) {
  const lin_result *result = run->result;
  const lin_linearized *linearized = lin_linearized_build(run->arena, result);
  bool warnings = false;
  lin_ir_count_regions(report, result, run->again);
  for (uint32_t i = 0; i < result->refusals.count; i++)
    warnings |= result->refusals.refusal[i].irreducible && !run->again;
  if (run->quiet && !warnings)
    return;
  const lin_outcomes *outcomes = lin_outcomes_build(run->arena, result, run->policy);
  if (!run->again)
    report_refusals(report, run, outcomes);
  if (run->quiet)
    return;
  report_linearized(report, run, linearized, outcomes);
  if (run->again)
    return;
  for (uint32_t number = 0; number < outcomes->count; number++) {
    lin_fate fate = outcomes->outcome[number].fate;
    if ((result->shape.order->graph->flags[outcomes->outcome[number].first] & LIN_AGREED) != 0)
      continue; // the plain form of another one
    if (fate == LIN_FATE_PART)
      report_part(report, run, outcomes, number);
    else if (fate == LIN_FATE_UNASKED || fate == LIN_FATE_UNWORTHY)
      report_unworthy(report, run, linearized, outcomes, number);
    else if (is_refused_part(run, outcomes, number))
      report_refused_part(report, run, outcomes, number);
  }
}
