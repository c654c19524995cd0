// What the library that counts stands in for: launches.
#include "preload/launch_hooks.h"

const hook hooks_table[] = {LAUNCH_HOOKS};
const size_t hooks_count = sizeof hooks_table / sizeof *hooks_table;
