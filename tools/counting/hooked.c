// What the library that counts stands in for: launches.
#include "preload/launch_hooks.h"

static int stand_in_cooperative(void *function, void *kernel, launch_shape shape,
                                void **arguments) {
  return launch_through(
      &(launch){LAUNCH_COOPERATIVE, function, kernel, shape, arguments, NULL, NULL});
}

#define COOPERATIVE (void *kernel, SHAPE, void **arguments)
SLOTS(cooperative, COOPERATIVE, kernel, SHAPE_GIVEN, arguments)
LINKED(cooperative, cuLaunchCooperativeKernel, COOPERATIVE, kernel, SHAPE_GIVEN, arguments)

const hook hooks_table[] = {
    LAUNCH_HOOKS,
    HOOK(cooperative, "cuLaunchCooperativeKernel", cuLaunchCooperativeKernel),
};

const size_t hooks_count = sizeof hooks_table / sizeof *hooks_table;
