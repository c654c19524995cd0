// How functions are found: by the C library's dlsym, for which this library's stands in.
#ifndef LIN_TOOLS_PRELOAD_SYMBOLS_H
#define LIN_TOOLS_PRELOAD_SYMBOLS_H

#include <stdbool.h>

typedef void *symbols_find(void *handle, const char *name);

// Where dlsym of these goes on: the C library's, or this library's. Called by dlsym alone.
__attribute__((used)) symbols_find *symbols_choose(void *handle, const char *name);

// As the C library's dlsym finds it in `handle`.
void *symbols_in(void *handle, const char *name);

// The function `name` that the program would have without this library: the next one in the order
// of loading, or that of the driver or NVRTC if that is loaded out of sight. NULL: there is none.
void *symbols_next(const char *name);

// The function `name` of the library that `function` is in. NULL: it has none.
void *symbols_beside(void *function, const char *name);

#endif
