// cuGetProcAddress, by which CUDA's runtime and others find the driver's functions, of both forms.
#ifndef LIN_TOOLS_PRELOAD_LOOKUPS_H
#define LIN_TOOLS_PRELOAD_LOOKUPS_H

#include <stdint.h>

enum {
  DRIVER_SUCCESS = 0,
  DRIVER_NO_SYMBOL = 302,          // CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND
  DRIVER_FIRST_WITH_QUERY = 12000, // cuGetProcAddress has five arguments since CUDA 12.0
};

typedef int driver_find(const char *name, void **function, int version, uint64_t flags);
typedef int driver_find_query(const char *name, void **function, int version, uint64_t flags,
                              int *result);

// A function that was found, as what it is.
#define AS(type, function) ((type *)(uintptr_t)(function))

// Whoever asks gets a slot of what is stood in for (hooks.h).
int stand_in_find(void *function, const char *name, void **found, int version, uint64_t flags);
int stand_in_find_query(void *function, const char *name, void **found, int version, uint64_t flags,
                        int *result);

#endif
