// What linearize-run's library stands in for: hooked.def.
#include "driver.h"
#include "jit_link.h"
#include "stand_ins.h"

#include "preload/lookup_hooks.h"

#define HOOKED_FIRST LOOKUP_HOOKS
#define HOOKED_LIST "linearize-run/hooked.def"
#include "preload/table.h"
