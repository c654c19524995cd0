// Versions of a kernel that the program was built without: linearize-make makes them while the
// program runs, of the PTX that it has loaded.
//
//     first launch ──▶ an answer in the cache? code ───▶ a module of its own ──▶ versions
//                        │                     none ───▶ the kernel is left alone
//                        ▼ no
//     it runs as it is, and is timed now and then ──▶ 10 ms ──▶ linearize-make, which nobody waits
//                                                               for ──▶ the cache, looked into
//                                                               whenever a time is known
//
// Where the environment asks for a version by name, or for all of them (linearize-tune), it waits.
//
// The module of versions shares the program's variables: the addresses of those in global memory
// are written into it when it is loaded, and those in constant memory are copied before each launch
// (ptx/extract.h).
#ifndef LIN_TOOLS_VERSIONS_MAKING_H
#define LIN_TOOLS_VERSIONS_MAKING_H

#include "preload/gpu.h"
#include "preload/launch.h"

// Which kernel, of what. Handles are the program's.
typedef struct making_of {
  const gpu *gpu;
  void *module, *library; // library: NULL if it was loaded as a module
  int device;
  const char *symbol;
} making_of;

typedef struct making making;

typedef enum making_state {
  MAKING_NOTHING, // there are no versions, and will be none
  MAKING_WAITS,   // for time, or for linearize-make
  MAKING_THERE,   // in making_module
} making_state;

// Begins with a kernel that has no versions, in its context. NULL: there will be none, for no PTX
// of it is known, or the environment doesn't ask for any. O(1), but for the first kernel of a
// module.
making *making_begin(const making_of *k);

// The kernel has taken so many nanoseconds by now. In its context, by who has the kernels' lock.
making_state making_go_on(making *m, uint64_t time);

// Kernels for which there will be none, since the program has no PTX of them. By who has the lock.
uint32_t making_without_text(void);

// Whether linearize-make was started for it.
bool making_is_started(const making *m);

// The module in which the versions are.
void *making_module(const making *m);

// The program's variables in global memory that the versions share, the first so many of them,
// valid as long as `m`: how many.
enum { MAKING_MOST_SHARED = 64 };
typedef struct making_variable {
  gpu_address at;
  size_t size;
} making_variable;
uint32_t making_shared(const making *m, const making_variable **shared);

// What has to be done before a version is launched in that stream. False: it can't be. O(constant
// variables).
bool making_refresh(const making *m, void *stream);

// The kernel is forgotten; is_over: its context ends as well.
void making_end(making *m, bool is_over);

#endif
