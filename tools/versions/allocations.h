// What the program allocates, frees and captures, for allocated.h.
#ifndef LIN_TOOLS_VERSIONS_ALLOCATIONS_H
#define LIN_TOOLS_VERSIONS_ALLOCATIONS_H

#include <stddef.h>
#include <stdint.h>

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
