// Memory on the GPU for orders of threads, which is had again when nothing there needs it any more,
// without anybody waiting.
//
//     memory_have ──▶ an order's ── memory_retire: an event ── its event has come ──▶ memory_have
//                                   behind all that uses it
//
// It is given back when its context ends alone. On an H100 (bench/device/allocation.cu) cuMemAlloc
// takes 0.1 ms, whatever runs, but cuMemFree waits for the whole GPU; and the first piece of a
// pool, also of one's own, takes 7 to 14 ms. All of it together is at most a 16th of the GPU's
// memory.
#ifndef LIN_TOOLS_VERSIONS_MEMORY_H
#define LIN_TOOLS_VERSIONS_MEMORY_H

#include "preload/gpu.h"

typedef struct memory {
  gpu_address at;
  // memory.c's own:
  struct memory *next; // retired
  const void *context;
  size_t bytes;
  void *event;
} memory;

// So many bytes in the current context, which has to be that one. NULL: there are none that others
// hardly miss. Any thread, in a mode that may ask events while a stream is captured.
memory *memory_have(const gpu *g, const void *context, size_t bytes);

// What `stream` was given until now is the last that uses it. In its context. Any thread.
void memory_retire(const gpu *g, memory *m, void *stream);

// Its context ends, or has ended. Any thread.
void memory_lose(memory *m);

// A context ends: all that is retired there is lost. Any thread.
void memory_forget(const void *context);

#endif
