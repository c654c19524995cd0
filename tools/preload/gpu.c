#include "gpu.h"

#include "symbols.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// ---- the driver's functions

static bool find_all(void *function, gpu *g) {
#define FIND(name)                                                                                 \
  {                                                                                                \
    #name, &g->name                                                                                \
  }
  const struct {
    const char *name;
    void *at;
  } wanted[] = {
      FIND(cuFuncGetModule),
      FIND(cuFuncGetName),
      FIND(cuFuncGetAttribute),
      FIND(cuFuncSetAttribute),
      FIND(cuFuncSetCacheConfig),
      FIND(cuKernelGetFunction),
      FIND(cuModuleGetFunction),
      FIND(cuModuleGetGlobal_v2),
      FIND(cuMemGetInfo_v2),
      FIND(cuMemAlloc_v2),
      FIND(cuMemFree_v2),
      FIND(cuMemGetAddressRange_v2),
      FIND(cuMemsetD8Async),
      FIND(cuMemcpyHtoDAsync_v2),
      FIND(cuMemcpyDtoHAsync_v2),
      FIND(cuStreamCreate),
      FIND(cuStreamDestroy_v2),
      FIND(cuStreamSynchronize),
      FIND(cuStreamIsCapturing),
      FIND(cuThreadExchangeStreamCaptureMode),
      FIND(cuEventCreate),
      FIND(cuEventDestroy_v2),
      FIND(cuEventRecord),
      FIND(cuEventQuery),
      FIND(cuEventElapsedTime),
      FIND(cuCtxGetCurrent),
      FIND(cuCtxGetDevice),
      FIND(cuCtxPushCurrent_v2),
      FIND(cuCtxPopCurrent_v2),
      FIND(cuDeviceGetName),
      FIND(cuDeviceGetAttribute),
      FIND(cuDevicePrimaryCtxGetState),
      FIND(cuDriverGetVersion),
      // may be missing:
      FIND(cuFuncGetParamInfo),
      FIND(cuFuncLoad),
      FIND(cuKernelGetLibrary),
      FIND(cuLibraryGetModule),
      FIND(cuModuleLoadData),
      FIND(cuModuleUnload),
      FIND(cuMemcpyDtoDAsync_v2),
      FIND(cuCtxSynchronize),
      FIND(cuStreamWaitEvent),
  };
#undef FIND
  const size_t count = sizeof wanted / sizeof *wanted, optional = 9;
  for (size_t i = 0; i < count; i++) {
    void *found = symbols_beside(function, wanted[i].name);
    if (found == NULL && i < count - optional)
      return false;
    memcpy(wanted[i].at, &found, sizeof found);
  }
  return true;
}

static bool is_called(void *function, const char *name) {
  return symbols_beside(function, name) == function;
}

// ---- which driver

enum { MOST_FUNCTIONS = 16 };

typedef struct known {
  void *_Atomic function; // NULL: free
  bool is_whole;
  gpu g;
} known;

static known table[MOST_FUNCTIONS];

static const known *find_known(void *function) {
  for (int i = 0; i < MOST_FUNCTIONS; i++) {
    void *there = atomic_load_explicit(&table[i].function, memory_order_acquire);
    if (there == function)
      return &table[i];
    if (there == NULL)
      return NULL;
  }
  return NULL;
}

static const known *add_known(void *function) {
  for (int i = 0; i < MOST_FUNCTIONS; i++) {
    known *k = &table[i];
    if (atomic_load_explicit(&k->function, memory_order_relaxed) != NULL)
      continue;
    k->is_whole = find_all(function, &k->g);
    k->g.is_of_thread =
        is_called(function, "cuLaunchKernel_ptsz") || is_called(function, "cuLaunchKernelEx_ptsz");
    atomic_store_explicit(&k->function, function, memory_order_release);
    return k;
  }
  return NULL;
}

const gpu *gpu_of(void *function) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const known *k = find_known(function);
  if (k == NULL) {
    pthread_mutex_lock(&mutex);
    k = find_known(function);
    if (k == NULL)
      k = add_known(function);
    pthread_mutex_unlock(&mutex);
  }
  return k != NULL && k->is_whole ? &k->g : NULL;
}

// ---- what handles stand for

void *gpu_stream(const gpu *g, void *stream) {
  if (stream != NULL)
    return stream;
  return (void *)(uintptr_t)(g->is_of_thread ? GPU_PER_THREAD : GPU_LEGACY);
}

bool gpu_function(const gpu *g, void *kernel, void **function, void **module) {
  *function = kernel;
  return g->cuFuncGetModule(module, kernel) == DRIVER_SUCCESS ||
         (g->cuKernelGetFunction(function, kernel) == DRIVER_SUCCESS &&
          g->cuFuncGetModule(module, *function) == DRIVER_SUCCESS);
}

gpu_address gpu_global(const gpu *g, void *module, const char *prefix, const char *name,
                       size_t *size) {
  size_t front = strlen(prefix), length = strlen(name);
  char *whole = malloc(front + length + 1);
  gpu_address at = 0;
  if (whole == NULL)
    return 0;
  memcpy(whole, prefix, front);
  memcpy(whole + front, name, length + 1);
  if (g->cuModuleGetGlobal_v2(&at, size, module, whole) != DRIVER_SUCCESS)
    at = 0;
  free(whole);
  return at;
}
