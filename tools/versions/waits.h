// Where the program comes by beside its launches: it waits or copies, and times may be known. And
// work that isn't the launch of a kernel. Each calls `function`, the driver's, and returns its
// status.
#ifndef LIN_TOOLS_VERSIONS_WAITS_H
#define LIN_TOOLS_VERSIONS_WAITS_H

#include <stddef.h>
#include <stdint.h>

// Where the program waits elsewhere, and its status by then, which is returned.
int waits_behind(int status);

int stand_in_wait_all(void *function, void *context);
int stand_in_wait_stream(void *function, void *stream);
int stand_in_wait_event(void *function, void *event);
int stand_in_copy(void *function, uint64_t to, uint64_t from, size_t size);
int stand_in_graph(void *function, void *graph, void *stream);

// Those that programs link, which the library has, too.
#pragma GCC visibility push(default)
int cuCtxSynchronize(void *context);
int cuStreamSynchronize(void *stream);
int cuEventSynchronize(void *event);
int cuMemcpyDtoH_v2(uint64_t to, uint64_t from, size_t size);
int cuGraphLaunch(void *graph, void *stream);
#pragma GCC visibility pop

#endif
