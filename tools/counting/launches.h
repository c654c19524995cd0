// Launches of kernels that count (-linearize-count), with a buffer for their counters:
//
//     program ── cuLaunchKernel ──▶ has its module __linearize_counts_KERNEL?  no ──▶ the driver's
//                                    │ yes
//                                    ▼
//     a buffer of zeros, the variable names it ── the driver's ── waits ── reads it ── records.h
//
// One launch after the other: who launches waits until the kernel has ended, in all streams and
// threads, so that each launch has the variable to itself. What is on a stream under capture, or
// fails, goes to the driver as it is. A kernel that takes longer than $LINEARIZE_COUNT_SECONDS (60)
// is read as far as its threads have ended, and the program goes on. Until it has ended, which is
// looked at when the next one is launched, and at exit, no other launch is counted.
//
// Of $LINEARIZE_COUNT_SAMPLE thread blocks one is counted; by default all, or of a launch whose
// counters take more than 256 MB, as many as those have room for.
#ifndef LIN_TOOLS_COUNTING_LAUNCHES_H
#define LIN_TOOLS_COUNTING_LAUNCHES_H

#include "preload/lookups.h"

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

// Each stands in for `function`, the driver's.
int stand_in_launch(void *function, void *kernel, launch_shape shape, void **arguments,
                    void **extra);
int stand_in_cooperative(void *function, void *kernel, launch_shape shape, void **arguments);
int stand_in_configured(void *function, const launch_configuration *configuration, void *kernel,
                        void **arguments, void **extra);

// Those that programs link, which this library has, too.
#define LINKED_BY_PROGRAMS __attribute__((visibility("default")))
LINKED_BY_PROGRAMS int cuLaunchKernel(void *kernel, unsigned grid_x, unsigned grid_y,
                                      unsigned grid_z, unsigned block_x, unsigned block_y,
                                      unsigned block_z, unsigned shared, void *stream,
                                      void **arguments, void **extra);
LINKED_BY_PROGRAMS int cuLaunchCooperativeKernel(void *kernel, unsigned grid_x, unsigned grid_y,
                                                 unsigned grid_z, unsigned block_x,
                                                 unsigned block_y, unsigned block_z,
                                                 unsigned shared, void *stream, void **arguments);
LINKED_BY_PROGRAMS int cuLaunchKernelEx(const launch_configuration *configuration, void *kernel,
                                        void **arguments, void **extra);
LINKED_BY_PROGRAMS driver_find cuGetProcAddress;
LINKED_BY_PROGRAMS driver_find_query cuGetProcAddress_v2;

#endif
