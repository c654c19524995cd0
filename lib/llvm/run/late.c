#include "late.h"

#include <time.h>

static unsigned limit;

void lin_ir_limit_seconds(unsigned seconds) { limit = seconds; }

bool lin_ir_is_late(void) { return limit > 0 && clock() / CLOCKS_PER_SEC >= (clock_t)limit; }
