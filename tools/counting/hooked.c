// What the library that counts stands in for: launches.
#include "launches.h"

#include "preload/hooks.h"
#include "preload/lookups.h"
#include "preload/symbols.h"

#include <stdatomic.h>

#define SLOTS HOOKS_SLOTS_OF
#define LINKED(kind, symbol, ...) HOOKS_LINKED(kind, symbol, DRIVER_NO_SYMBOL, __VA_ARGS__)

#define SHAPE                                                                                      \
  unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,           \
      unsigned block_z, unsigned shared, void *stream
#define SHAPE_GIVEN                                                                                \
  (launch_shape) { {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream }

#define LAUNCH (void *kernel, SHAPE, void **arguments, void **extra)
SLOTS(launch, LAUNCH, kernel, SHAPE_GIVEN, arguments, extra)
LINKED(launch, cuLaunchKernel, LAUNCH, kernel, SHAPE_GIVEN, arguments, extra)

#define COOPERATIVE (void *kernel, SHAPE, void **arguments)
SLOTS(cooperative, COOPERATIVE, kernel, SHAPE_GIVEN, arguments)
LINKED(cooperative, cuLaunchCooperativeKernel, COOPERATIVE, kernel, SHAPE_GIVEN, arguments)

#define CONFIGURED                                                                                 \
  (const launch_configuration *configuration, void *kernel, void **arguments, void **extra)
SLOTS(configured, CONFIGURED, configuration, kernel, arguments, extra)
LINKED(configured, cuLaunchKernelEx, CONFIGURED, configuration, kernel, arguments, extra)

#define LOOK_UP (const char *name, void **found, int version, uint64_t flags)
SLOTS(find, LOOK_UP, name, found, version, flags)
LINKED(find, cuGetProcAddress, LOOK_UP, name, found, version, flags)

#define LOOK_UP_QUERY (const char *name, void **found, int version, uint64_t flags, int *result)
SLOTS(find_query, LOOK_UP_QUERY, name, found, version, flags, result)
LINKED(find_query, cuGetProcAddress_v2, LOOK_UP_QUERY, name, found, version, flags, result)

const hook hooks_table[] = {
    HOOK(launch, "cuLaunchKernel", cuLaunchKernel),
    HOOK(cooperative, "cuLaunchCooperativeKernel", cuLaunchCooperativeKernel),
    HOOK(configured, "cuLaunchKernelEx", cuLaunchKernelEx),
    HOOK(find, "cuGetProcAddress", cuGetProcAddress),
    HOOK(find_query, "cuGetProcAddress_v2", cuGetProcAddress_v2),
};

const size_t hooks_count = sizeof hooks_table / sizeof *hooks_table;
