// What is done on a GPU by libraries that a program doesn't know of: the driver's own functions,
// past whatever stands in for them. Handles are pointers, addresses of a GPU's memory are numbers,
// statuses are 0 where all went well.
#ifndef LIN_TOOLS_PRELOAD_GPU_H
#define LIN_TOOLS_PRELOAD_GPU_H

#include "lookups.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t gpu_address;

static inline bool gpu_is_ok(int status) { return status == DRIVER_SUCCESS; }

// The driver's functions, by their names.
typedef struct gpu {
  int (*cuFuncGetModule)(void **module, void *function);
  int (*cuFuncGetName)(const char **name, void *function);
  int (*cuFuncGetAttribute)(int *value, int attribute, void *function);
  int (*cuFuncSetAttribute)(void *function, int attribute, int value);
  int (*cuFuncSetCacheConfig)(void *function, int config);
  int (*cuKernelGetFunction)(void **function, void *kernel);
  int (*cuModuleGetFunction)(void **function, void *module, const char *name);
  int (*cuModuleGetGlobal_v2)(gpu_address *at, size_t *size, void *module, const char *name);
  int (*cuMemGetInfo_v2)(size_t *free, size_t *all);
  int (*cuMemAlloc_v2)(gpu_address *at, size_t size);
  int (*cuMemFree_v2)(gpu_address at);
  int (*cuMemGetAddressRange_v2)(gpu_address *base, size_t *size, gpu_address at);
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
  int (*cuCtxGetCurrent)(void **context);
  int (*cuCtxGetDevice)(int *device);
  int (*cuCtxPushCurrent_v2)(void *context);
  int (*cuCtxPopCurrent_v2)(void **context);
  int (*cuDeviceGetName)(char *name, int size, int device);
  int (*cuDeviceGetAttribute)(int *value, int attribute, int device);
  int (*cuDevicePrimaryCtxGetState)(int device, unsigned *flags, int *active);
  int (*cuDriverGetVersion)(int *version);
  // Those that a driver may be too old to have, or NULL.
  int (*cuFuncGetParamInfo)(void *function, size_t index, size_t *offset, size_t *size);
  int (*cuFuncLoad)(void *function);
  int (*cuKernelGetLibrary)(void **library, void *kernel);
  int (*cuLibraryGetModule)(void **module, void *library);
  int (*cuModuleLoadData)(void **module, const void *image);
  int (*cuModuleUnload)(void *module);
  int (*cuMemcpyDtoDAsync_v2)(gpu_address to, gpu_address from, size_t size, void *stream);
  int (*cuCtxSynchronize)(void);
  int (*cuStreamWaitEvent)(void *stream, void *event, unsigned flags);
  bool is_of_thread; // for `function` the stream NULL is the thread's own
} gpu;

// Numbers of cuda.h.
enum {
  GPU_NOT_READY = 600,      // CUDA_ERROR_NOT_READY
  GPU_INVALIDATED = 901,    // CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
  GPU_RELAXED = 2,          // CU_STREAM_CAPTURE_MODE_RELAXED
  GPU_NON_BLOCKING = 1,     // CU_STREAM_NON_BLOCKING
  GPU_NOT_TIMED = 2,        // CU_EVENT_DISABLE_TIMING
  GPU_LEGACY = 1,           // CU_STREAM_LEGACY
  GPU_PER_THREAD = 2,       // CU_STREAM_PER_THREAD
  GPU_MULTIPROCESSORS = 16, // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
  GPU_MOST_THREADS = 39,    // CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR
  GPU_MAJOR = 75,           // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
  GPU_MINOR = 76,           // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
  GPU_IS_MPS = 133,         // CU_DEVICE_ATTRIBUTE_MPS_ENABLED
  GPU_MAX_THREADS = 0,      // CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
  GPU_DYNAMIC_SHARED = 8,   // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  GPU_CARVEOUT = 9,         // CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
  GPU_NEEDS_CLUSTER = 10,   // CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET
  GPU_CLUSTER_WIDTH = 11,   // CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH
  GPU_ODD_CLUSTERS = 14,    // CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
};

// The driver that `function`, a launch, is of; for good. NULL: it is too old, and lacks one of
// these, or there are too many of them. Any thread. O(1) but for the first time.
const gpu *gpu_of(void *function);

// The stream of `shape`-like handles as events need it: 0 means what it means for the launch.
void *gpu_stream(const gpu *g, void *stream);

// The function that a launch's handle stands for, which may be a library's kernel, and its module,
// in the current context. False: it is neither.
bool gpu_function(const gpu *g, void *kernel, void **function, void **module);

// The global variable PREFIX NAME of a module; 0: it has none.
gpu_address gpu_global(const gpu *g, void *module, const char *prefix, const char *name,
                       size_t *size);

#endif
