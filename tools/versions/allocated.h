// What the program has allocated on the GPU, by address: where linearize-tune --check compares what
// versions write (check.h). Without it nothing is noted.
//
//     cuMemAlloc, ... ──▶ [ at, size ] ... sorted ──▶ allocated_each
//
// While a launch is checked, threads that allocate, free or begin to capture a stream wait for it:
// a check waits for the whole GPU, and restores memory.
#ifndef LIN_TOOLS_VERSIONS_ALLOCATED_H
#define LIN_TOOLS_VERSIONS_ALLOCATED_H

#include "preload/gpu.h"

#include <stddef.h>
#include <stdint.h>

// Holds these threads up until allocated_go_on. False, and nobody is held up: a stream is captured.
bool allocated_hold(void);
void allocated_go_on(void);

// The allocation that has that address, by whoever holds. False: nobody knows of any. O(log n).
bool allocated_find(gpu_address in, gpu_address *at, size_t *size);

// What a GPU's context has ends with it; NULL: that of all. Any thread.
void allocated_forget(const void *gpu_context);

// Calls use(context, at, bytes) for each allocation of a GPU's context, by whoever holds. O(n).
void allocated_each(const void *gpu_context,
                    void (*use)(void *context, gpu_address at, size_t size), void *context);

// Whether anything is noted: a check is asked for, and the library doesn't keep silent. O(1).
bool allocated_is_on(void);

// As whoever holds, until allocated_go_on; waits while a launch is checked. The next three need it.
void allocated_enter(void);

// What was allocated, and freed. O(n).
void allocated_add(gpu_address at, size_t size, const void *gpu_context);
void allocated_drop(gpu_address at);

// A capture begins, or ends.
void allocated_capture(bool begins);

#endif
