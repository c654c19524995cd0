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

// Each calls `function`, the driver's, and returns its status.
int stand_in_allocate(void *function, uint64_t *at, size_t size);
int stand_in_allocate_managed(void *function, uint64_t *at, size_t size, unsigned flags);
int stand_in_allocate_pitch(void *function, uint64_t *at, size_t *pitch, size_t width,
                            size_t height, unsigned element);
int stand_in_allocate_async(void *function, uint64_t *at, size_t size, void *stream);
int stand_in_allocate_from(void *function, uint64_t *at, size_t size, void *pool, void *stream);
int stand_in_free_memory(void *function, uint64_t at);
int stand_in_free_async(void *function, uint64_t at, void *stream);
int stand_in_capture(void *function, void *stream, int mode);
int stand_in_capture_to(void *function, void *stream, void *graph, const void *from,
                        const void *edges, size_t count, int mode);
int stand_in_capture_end(void *function, void *stream, void **graph);

#endif
