#include "gpu.h"

#include "preload/symbols.h"

#include <string.h>

#define FIND(name) {#name, &g->name}

bool gpu_find(void *function, gpu *g) {
  const struct {
    const char *name;
    void *at;
  } needed[] = {
      FIND(cuFuncGetModule),
      FIND(cuFuncGetName),
      FIND(cuKernelGetFunction),
      FIND(cuModuleGetGlobal_v2),
      FIND(cuMemGetInfo_v2),
      FIND(cuMemAlloc_v2),
      FIND(cuMemFree_v2),
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
      FIND(cuCtxGetDevice),
      FIND(cuDeviceGetName),
      FIND(cuDeviceGetAttribute),
  };
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    void *found = symbols_beside(function, needed[i].name);
    if (found == NULL)
      return false;
    memcpy(needed[i].at, &found, sizeof found);
  }
  return true;
}
