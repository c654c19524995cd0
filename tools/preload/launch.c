#include "launch.h"

#include <stddef.h>

typedef int driver_launch(void *kernel, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          unsigned shared, void *stream, void **arguments, void **extra);
typedef int driver_cooperative(void *kernel, unsigned, unsigned, unsigned, unsigned, unsigned,
                               unsigned, unsigned shared, void *stream, void **arguments);
typedef int driver_configured(const launch_configuration *configuration, void *kernel,
                              void **arguments, void **extra);

int launch_do(const launch *l, void *kernel) {
  const unsigned *grid = l->shape.grid, *block = l->shape.block;
  switch (l->kind) {
  case LAUNCH_CONFIGURED:
    return AS(driver_configured, l->function)(l->configuration, kernel, l->arguments, l->extra);
  case LAUNCH_COOPERATIVE:
    return AS(driver_cooperative, l->function)(kernel, grid[0], grid[1], grid[2], block[0],
                                               block[1], block[2], l->shape.shared, l->shape.stream,
                                               l->arguments);
  default:
    return AS(driver_launch, l->function)(kernel, grid[0], grid[1], grid[2], block[0], block[1],
                                          block[2], l->shape.shared, l->shape.stream, l->arguments,
                                          l->extra);
  }
}
