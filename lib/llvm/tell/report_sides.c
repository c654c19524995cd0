// Remarks on arms of a branch that take turns, or don't.
#include "driver/outcome.h"
#include "message.h"
#include "report.h"

void lin_ir_report_hidden(linearize_report *report, const lin_ir_function *f,
                          const lin_edits *edits, uint32_t warps, bool known) {
  for (uint32_t i = 0; i < edits->num_hidden; i++) {
    lin_ir_message m = {.used = 0};
    lin_ir_say(&m, "the arms of this branch wait for memory, but don't take turns: with ");
    lin_ir_say_number(&m, "Warps", warps);
    lin_ir_say(&m, " warps a multiprocessor has other work meanwhile");
    lin_ir_begin_details(&m);
    lin_ir_say(&m, "; it pays with up to ");
    lin_ir_say_number(&m, "MostWarps", edits->hidden[i].warps);
    lin_ir_say(&m, " warps");
    if (!known)
      lin_ir_say(&m, ". How many there will be isn't known: -linearize-warps=N says it, and so do "
                     "shared arrays together with __launch_bounds__");
    lin_ir_send(report, f, LINEARIZE_MISSED, "NotInterleaved", edits->hidden[i].branch, &m);
  }
}

void lin_ir_report_sides(linearize_report *report, const lin_ir_run *run) {
  const lin_result *result = run->result;
  lin_ir_count_regions(report, result, false);
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
                result->shape.order->origin[result->regions->dominator[region]], &m);
  }
}
