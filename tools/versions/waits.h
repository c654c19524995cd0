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

// What has a stream wait for the host, memory or another process; of up to four arguments, none of
// which is passed in memory.
int stand_in_unseen(void *function, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d);

// As cuda.h has it: CUipcEventHandle.
typedef struct ipc_event {
  char reserved[64];
} ipc_event;
int stand_in_open_event(void *function, void **event, ipc_event handle);

#endif
