// Launches of kernels, by whichever of the driver's functions, on their way to it.
//
//     program ── cuLaunchKernel, cuLaunchKernelEx, ... ──▶ launch_through(l)     the library's
//                                                          launch_do(l, kernel)  ──▶ the driver's
#ifndef LIN_TOOLS_PRELOAD_LAUNCH_H
#define LIN_TOOLS_PRELOAD_LAUNCH_H

#include "lookups.h"

typedef struct launch_shape {
  unsigned grid[3], block[3], shared;
  void *stream;
} launch_shape;

// As cuda.h lays it out: CUlaunchConfig.
typedef struct launch_configuration {
  launch_shape shape;
  void *attributes;
  unsigned attribute_count;
} launch_configuration;

typedef enum launch_kind { LAUNCH_USUAL, LAUNCH_COOPERATIVE, LAUNCH_CONFIGURED } launch_kind;

typedef struct launch {
  launch_kind kind;
  void *function; // the driver's
  void *kernel;
  launch_shape shape;
  void **arguments, **extra;
  const launch_configuration *configuration; // of a configured one, or NULL
} launch;

// Launches `kernel`, be it the launch's or another one that takes the same arguments. Returns the
// driver's status.
int launch_do(const launch *l, void *kernel);

// The library's: what it does with a launch.
int launch_through(const launch *l);

#endif
