// Remarks on loops that were merged with the loop around them, or weren't.
#include "message.h"
#include "report.h"

static void say_estimate(lin_ir_message *m, const lin_nest *nest) {
  lin_ir_hide_estimate(m, "Gain", nest->before - nest->after);
  lin_ir_hide_estimate(m, "Executed", nest->before);
  lin_ir_say(m, "; ");
  lin_ir_say_change(m, nest->before, nest->after);
}

static void report_merged(linearize_report *report, const lin_ir_run *run, uint32_t loop) {
  const lin_result *result = run->result;
  const lin_loops *loops = result->shape.analysis->loops;
  const lin_nest *nest = &result->nests->nest[loop];
  lin_block header = loops->header[loop], outer = loops->header[loops->tree->parent[loop]];
  lin_ir_message m = {.used = 0};
  if (!result->nests->merged[loop]) { // what is around them may not be guarded
    lin_ir_say(&m, "not merged with the loop around it: a block may not stand behind a guard");
    lin_ir_send(report, run->function, LINEARIZE_MISSED, lin_nest_name(LIN_NEST_REFUSED),
                result->shape.order->origin[header], &m);
    return;
  }
  lin_ir_say(&m, "merged this loop with the one around it, of '%s'",
             result->shape.analysis->graph->name[outer]);
  say_estimate(&m, nest);
  lin_ir_send(report, run->function, LINEARIZE_PASSED, lin_nest_name(LIN_NEST_MERGED),
              result->shape.order->origin[header], &m);
}

static void report_left(linearize_report *report, const lin_ir_run *run, uint32_t loop) {
  const lin_result *result = run->result;
  const lin_nest *nest = &result->nests->nest[loop];
  const char *reason = nest->verdict == LIN_NEST_REFUSED
                           ? result->shape.analysis->graph->reason[nest->block]
                           : lin_nest_text(nest->verdict);
  bool legal = nest->verdict >= LIN_NEST_UNIFORM;
  lin_ir_message m = {.used = 0};
  lin_ir_say(&m, "not merged with the loop around it: ");
  if (nest->verdict == LIN_NEST_CALLS)
    lin_ir_say_foreign(&m, run->function, result->shape.order->origin[nest->block]);
  else
    lin_ir_say(&m, "%s", reason);
  if (nest->verdict == LIN_NEST_DEAR)
    say_estimate(&m, nest);
  lin_ir_send(report, run->function, legal ? LINEARIZE_ANALYSIS : LINEARIZE_MISSED,
              lin_nest_name(nest->verdict), result->shape.order->origin[nest->block], &m);
}

void lin_ir_report_nests(linearize_report *report, const lin_ir_run *run) {
  const lin_result *result = run->result;
  lin_ir_count_regions(report, result, false);
  for (uint32_t loop = 1; !run->quiet && loop < result->shape.analysis->loops->num_loops; loop++)
    if (result->nests->nest[loop].verdict == LIN_NEST_MERGED)
      report_merged(report, run, loop);
    else if (result->nests->nest[loop].verdict != LIN_NEST_NONE)
      report_left(report, run, loop);
}
