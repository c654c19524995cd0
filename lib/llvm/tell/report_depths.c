// Remarks on branches that nest too deep.
#include "driver/outcome.h"
#include "message.h"
#include "report.h"

static void report_limited(linearize_report *report, const lin_ir_run *run,
                           const lin_linearized *region, uint32_t above) {
  lin_ir_message m = {.used = 0};
  lin_ir_say_linearized(&m, region->blocks, region->guards);
  lin_ir_say(&m, ", so that no more than ");
  lin_ir_say_number(&m, "Threshold", run->policy->most_nested);
  lin_ir_say(&m, " of its branches nest");
  lin_ir_send(report, run->function, LINEARIZE_PASSED, "DepthLimited",
              run->result->shape.order->origin[above], &m);
}

void lin_ir_report_depths(linearize_report *report, const lin_ir_run *run) {
  const lin_result *result = run->result;
  lin_ir_count_regions(report, result, false);
  if (run->quiet)
    return;
  for (uint32_t i = 0; i < result->refusals.count; i++)
    lin_ir_report(report, run->function, LINEARIZE_MISSED, "DepthNotLimited",
                  result->shape.order->origin[result->refusals.refusal[i].block],
                  result->refusals.refusal[i].reason);
  const lin_linearized *linearized = lin_linearized_build(run->arena, result);
  for (uint32_t region = 0; region < result->regions->num_regions; region++)
    if (!result->regions->gone[region])
      report_limited(report, run, &linearized[region], result->regions->dominator[region]);
  if (result->depths->after <= run->policy->most_nested)
    return;
  lin_ir_message m = {.used = 0};
  lin_ir_say_number(&m, "Nested", result->depths->after);
  lin_ir_say(
      &m,
      " branches still nest: loops that threads leave one by one are branches, and so are their "
      "guards");
  lin_ir_send(report, run->function, LINEARIZE_MISSED, "DepthNotLimited", LIN_NONE, &m);
}
