#include "message.h"
#include "report.h"

void lin_ir_report_exits(linearize_report *report, const lin_ir_function *f,
                         const lin_ir_exits *exits) {
  for (uint32_t i = 0; i < exits->count; i++) {
    const lin_ir_exit *exit = &exits->exit[i];
    lin_ir_message m = {.used = 0};
    lin_ir_say(&m, "freed ");
    lin_ir_say_count(&m, "Exits", exit->edges, "way");
    lin_ir_say(&m, " out of a loop from the flag that is tested here");
    lin_ir_send(report, f, LINEARIZE_PASSED, "ExitsFreed", exit->block, &m);
  }
}

void lin_ir_report_short_loops(linearize_report *report, const lin_ir_function *f,
                               const lin_ir_short_loops *loops) {
  for (uint32_t i = 0; i < loops->count; i++) {
    const lin_ir_tests *loop = &loops->loop[i];
    lin_ir_message m = {.used = 0};
    lin_ir_say(&m, "made one of ");
    lin_ir_say_count(&m, "Tests", loop->tests, "test");
    lin_ir_say(&m, " by which threads leave this loop");
    lin_ir_send(report, f, LINEARIZE_PASSED, "ExitsFolded", loop->header, &m);
  }
}
