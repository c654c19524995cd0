// Stand-ins for the driver's functions beside its launches. Each calls `function`, the driver's,
// and returns its status.
#ifndef LIN_TOOLS_VERSIONS_ENDINGS_H
#define LIN_TOOLS_VERSIONS_ENDINGS_H

// Modules, libraries and contexts that end: all that is known of their kernels is forgotten. And
// streams: their orders of threads are.
int stand_in_unload(void *function, void *module);
int stand_in_unload_library(void *function, void *library);
int stand_in_destroy(void *function, void *context);
int stand_in_reset(void *function, int device);
int stand_in_release(void *function, int device);
int stand_in_destroy_stream(void *function, void *stream);

// Attributes of a kernel: its versions get them, too. A version that can't have them isn't launched
// any more.
int stand_in_set(void *function, void *handle, int attribute, int value);
int stand_in_set_kernel(void *function, int attribute, int value, void *handle, int device);
int stand_in_cache(void *function, void *handle, int config);
int stand_in_cache_kernel(void *function, void *handle, int config, int device);

#endif
