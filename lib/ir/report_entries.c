#include "message.h"
#include "report.h"

void lin_ir_report_entries(linearize_report *report, const lin_ir_function *f,
                           const lin_ir_entries *entries) {
  for (uint32_t i = 0; i < entries->count; i++) {
    lin_ir_message m = {.used = 0};
    lin_ir_say(&m, "copied this entry of a loop with several, ");
    lin_ir_say_count(&m, "Instructions", entries->entry[i].instructions, "instruction");
    lin_ir_say(&m, ", in front of it");
    lin_ir_send(report, f, LINEARIZE_PASSED, "EntryCopied", entries->entry[i].block, &m);
  }
}
