// A limit for what runs inside other people's builds: functions that come late stay as they are, so
// that what was done before isn't lost.
//
//     |-- f --|---- g ----|-- h --|    limit behind g: h stays
#ifndef LIN_LLVM_RUN_LATE_H
#define LIN_LLVM_RUN_LATE_H

#include <stdbool.h>

// From now on functions stay as they are once the process has taken `seconds` of a processor; 0:
// never. It is the process's, not a module's: call it before the passes run.
void lin_ir_limit_seconds(unsigned seconds);

// Whether it has. O(1).
bool lin_ir_is_late(void);

// For remarks.
#define LIN_IR_LATE "the module has taken too long so far"

#endif
