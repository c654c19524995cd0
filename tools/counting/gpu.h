// The little that counting does on a GPU, by the driver's own functions: a stream and memory that
// the program doesn't see. Handles are pointers, addresses of a GPU's memory are numbers, statuses
// are 0 where all went well.
#ifndef LIN_TOOLS_COUNTING_GPU_H
#define LIN_TOOLS_COUNTING_GPU_H

#include "preload/lookups.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t gpu_address;

// The driver's functions, by their names.
typedef struct gpu {
  int (*cuFuncGetModule)(void **module, void *function);
  int (*cuFuncGetName)(const char **name, void *function);
  int (*cuKernelGetFunction)(void **function, void *kernel);
  int (*cuModuleGetGlobal_v2)(gpu_address *at, size_t *size, void *module, const char *name);
  int (*cuMemGetInfo_v2)(size_t *free, size_t *all);
  int (*cuMemAlloc_v2)(gpu_address *at, size_t size);
  int (*cuMemFree_v2)(gpu_address at);
  int (*cuMemsetD8Async)(gpu_address at, unsigned char value, size_t size, void *stream);
  int (*cuMemcpyHtoDAsync_v2)(gpu_address at, const void *from, size_t size, void *stream);
  int (*cuMemcpyDtoHAsync_v2)(void *to, gpu_address at, size_t size, void *stream);
  int (*cuStreamCreate)(void **stream, unsigned flags);
  int (*cuStreamDestroy_v2)(void *stream);
  int (*cuStreamSynchronize)(void *stream);
  int (*cuStreamIsCapturing)(void *stream, int *status);
  int (*cuThreadExchangeStreamCaptureMode)(int *mode);
  int (*cuEventCreate)(void **event, unsigned flags);
  int (*cuEventDestroy_v2)(void *event);
  int (*cuEventRecord)(void *event, void *stream);
  int (*cuEventQuery)(void *event);
  int (*cuEventElapsedTime)(float *ms, void *start, void *end);
  int (*cuCtxGetDevice)(int *device);
  int (*cuDeviceGetName)(char *name, int size, int device);
  int (*cuDeviceGetAttribute)(int *value, int attribute, int device);
} gpu;

enum {
  GPU_NOT_READY = 600,     // CUDA_ERROR_NOT_READY
  GPU_RELAXED = 2,         // CU_STREAM_CAPTURE_MODE_RELAXED
  GPU_NON_BLOCKING = 1,    // CU_STREAM_NON_BLOCKING
  GPU_MULTIPROCESSORS = 16 // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
};

// The driver that `function` is of. False: it is too old, and lacks one of these.
bool gpu_find(void *function, gpu *g);

#endif
