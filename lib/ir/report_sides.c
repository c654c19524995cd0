#include "linearize/outcome.h"
#include "message.h"
#include "report.h"

void lin_ir_report_sides(linearize_report *report, const lin_ir_run *run) {
  const lin_result *result = run->result;
  lin_ir_count_regions(report, result);
  if (run->quiet)
    return;
  const lin_linearized *linearized = lin_linearized_build(run->arena, result);
  for (uint32_t region = 0; region < result->regions->num_regions; region++) {
    if (result->regions->gone[region])
      continue;
    lin_ir_message m = {.used = 0};
    lin_ir_say(&m, "interleaved the two arms of this branch, ");
    lin_ir_say_count(&m, "Blocks", linearized[region].blocks, "block");
    lin_ir_say(&m, ", with ");
    lin_ir_say_count(&m, "Guards", linearized[region].guards, "guard");
    lin_ir_send(report, run->function, LINEARIZE_PASSED, "Interleaved",
                result->order->origin[result->regions->dominator[region]], &m);
  }
}
