// The functions that stand in for the driver's launches and look-ups; for a library's one file of
// hooks alone, whose table has LAUNCH_HOOKS.
#ifndef LIN_TOOLS_PRELOAD_LAUNCH_HOOKS_H
#define LIN_TOOLS_PRELOAD_LAUNCH_HOOKS_H

#include "launch.h"
#include "lookup_hooks.h"

#define SHAPE                                                                                      \
  unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,           \
      unsigned block_z, unsigned shared, void *stream
#define SHAPE_GIVEN                                                                                \
  (launch_shape) { {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream }

static int stand_in_launch(void *function, void *kernel, launch_shape shape, void **arguments,
                           void **extra) {
  return launch_through(&(launch){LAUNCH_USUAL, function, kernel, shape, arguments, extra, NULL});
}

#define LAUNCH (void *kernel, SHAPE, void **arguments, void **extra)
SLOTS(launch, LAUNCH, kernel, SHAPE_GIVEN, arguments, extra)
LINKED(launch, cuLaunchKernel, LAUNCH, kernel, SHAPE_GIVEN, arguments, extra)

static int stand_in_configured(void *function, const launch_configuration *configuration,
                               void *kernel, void **arguments, void **extra) {
  static const launch_shape none;
  return launch_through(&(launch){LAUNCH_CONFIGURED, function, kernel,
                                  configuration == NULL ? none : configuration->shape, arguments,
                                  extra, configuration});
}

#define CONFIGURED                                                                                 \
  (const launch_configuration *configuration, void *kernel, void **arguments, void **extra)
SLOTS(configured, CONFIGURED, configuration, kernel, arguments, extra)
LINKED(configured, cuLaunchKernelEx, CONFIGURED, configuration, kernel, arguments, extra)

static int stand_in_cooperative(void *function, void *kernel, launch_shape shape,
                                void **arguments) {
  return launch_through(
      &(launch){LAUNCH_COOPERATIVE, function, kernel, shape, arguments, NULL, NULL});
}

#define COOPERATIVE (void *kernel, SHAPE, void **arguments)
SLOTS(cooperative, COOPERATIVE, kernel, SHAPE_GIVEN, arguments)
LINKED(cooperative, cuLaunchCooperativeKernel, COOPERATIVE, kernel, SHAPE_GIVEN, arguments)

#define LAUNCH_HOOKS                                                                               \
  LOOKUP_HOOKS, HOOK(launch, "cuLaunchKernel", cuLaunchKernel),                                    \
      HOOK(configured, "cuLaunchKernelEx", cuLaunchKernelEx),                                      \
      HOOK(cooperative, "cuLaunchCooperativeKernel", cuLaunchCooperativeKernel)

#endif
