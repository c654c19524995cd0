// cuGetProcAddress, by a table: dlsym would find what stands in front of these.
#include "standin.h"

#include "exports.h"

#include <string.h>

typedef struct row {
  const char *name;
  void *function, *of_thread; // the latter where NULL is the thread's own stream
} row;

#define ROW(name) {#name, (void *)name, NULL}
#define ROW_V2(name) {#name, (void *)name##_v2, NULL}
#define ROW_PTSZ(name) {#name, (void *)name, (void *)name##_ptsz}

static const row rows[] = {
    ROW(cuInit),
    ROW(cuDriverGetVersion),
    ROW(cuGetErrorString),
    ROW(cuGetErrorName),
    ROW(cuDeviceGetCount),
    ROW(cuDeviceGet),
    ROW(cuDeviceGetName),
    ROW(cuDeviceGetAttribute),
    ROW_V2(cuDeviceTotalMem),
    ROW(cuDevicePrimaryCtxRetain),
    ROW_V2(cuDevicePrimaryCtxRelease),
    ROW_V2(cuDevicePrimaryCtxReset),
    ROW_V2(cuCtxCreate),
    ROW_V2(cuCtxDestroy),
    ROW(cuCtxSetCurrent),
    ROW(cuCtxGetCurrent),
    ROW_V2(cuCtxPushCurrent),
    ROW_V2(cuCtxPopCurrent),
    ROW(cuCtxGetDevice),
    ROW(cuCtxSynchronize),
    ROW(cuModuleLoadData),
    ROW(cuModuleLoadDataEx),
    ROW(cuModuleLoad),
    ROW(cuModuleLoadFatBinary),
    ROW(cuModuleUnload),
    ROW(cuModuleGetFunction),
    ROW_V2(cuModuleGetGlobal),
    ROW_V2(cuLinkCreate),
    ROW_V2(cuLinkAddData),
    ROW(cuLinkComplete),
    ROW(cuLinkDestroy),
    ROW(cuLibraryLoadData),
    ROW(cuLibraryUnload),
    ROW(cuLibraryGetKernel),
    ROW(cuLibraryGetModule),
    ROW(cuLibraryGetGlobal),
    ROW(cuDevicePrimaryCtxGetState),
    ROW(cuKernelGetLibrary),
    ROW(cuKernelGetFunction),
    ROW(cuKernelGetAttribute),
    ROW(cuKernelSetAttribute),
    ROW(cuKernelSetCacheConfig),
    ROW(cuFuncGetModule),
    ROW(cuFuncGetName),
    ROW(cuFuncGetParamInfo),
    ROW(cuFuncLoad),
    ROW(cuFuncGetAttribute),
    ROW(cuFuncSetAttribute),
    ROW(cuFuncSetCacheConfig),
    ROW_V2(cuMemAlloc),
    ROW(cuMemAllocManaged),
    ROW(cuMemHostAlloc),
    ROW_V2(cuMemFree),
    ROW(cuMemAllocAsync),
    ROW(cuMemFreeAsync),
    ROW(cuMemFreeHost),
    ROW_V2(cuMemGetInfo),
    ROW_V2(cuMemGetAddressRange),
    ROW(cuMemcpy),
    ROW(cuMemcpyAsync),
    ROW_V2(cuMemcpyHtoD),
    ROW_V2(cuMemcpyDtoH),
    ROW_V2(cuMemcpyDtoD),
    ROW_V2(cuMemcpyHtoDAsync),
    ROW_V2(cuMemcpyDtoHAsync),
    ROW_V2(cuMemcpyDtoDAsync),
    ROW_V2(cuMemsetD8),
    ROW(cuMemsetD8Async),
    ROW_V2(cuMemsetD32),
    ROW(cuMemsetD32Async),
    ROW(cuStreamCreate),
    ROW(cuStreamCreateWithPriority),
    ROW_V2(cuStreamDestroy),
    ROW_PTSZ(cuStreamSynchronize),
    ROW(cuStreamQuery),
    ROW(cuLaunchHostFunc),
    ROW(cuStreamWaitEvent),
    ROW_V2(cuStreamBeginCapture),
    ROW(cuStreamEndCapture),
    ROW_PTSZ(cuStreamIsCapturing),
    ROW(cuThreadExchangeStreamCaptureMode),
    ROW(cuEventCreate),
    ROW_V2(cuEventDestroy),
    ROW_PTSZ(cuEventRecord),
    ROW(cuEventQuery),
    ROW(cuEventSynchronize),
    ROW(cuEventElapsedTime),
    ROW(cuGraphInstantiateWithFlags),
    ROW(cuGraphLaunch),
    ROW(cuGraphDestroy),
    ROW(cuGraphExecDestroy),
    ROW_PTSZ(cuLaunchKernel),
    ROW_PTSZ(cuLaunchKernelEx),
    ROW(cuLaunchCooperativeKernel),
};

static void *find(const char *name, int version, uint64_t flags) {
  enum { WITH_QUERY = 12000, OF_THREAD = 2, WITH_PARAMETERS = 13000 };
  if (strcmp(name, "cuGetProcAddress") == 0)
    return version >= WITH_QUERY ? (void *)cuGetProcAddress_v2 : (void *)cuGetProcAddress;
  if (strcmp(name, "cuCtxCreate") == 0 && version >= WITH_PARAMETERS)
    return (void *)cuCtxCreate_v4;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0)
      return (flags & OF_THREAD) != 0 && rows[i].of_thread != NULL ? rows[i].of_thread
                                                                   : rows[i].function;
  return NULL;
}

int cuGetProcAddress_v2(const char *name, void **found, int version, uint64_t flags, int *result) {
  LEAVE_UNLESS_OK(driver_enter("cuGetProcAddress", NULL));
  *found = find(name, version, flags);
  if (result != NULL)
    *result = *found == NULL;
  return driver_leave(*found == NULL ? NOT_FOUND : OK);
}

int cuGetProcAddress(const char *name, void **found, int version, uint64_t flags) {
  return cuGetProcAddress_v2(name, found, version, flags, NULL);
}

int cuGetErrorString(int error, const char **text) {
  static const struct {
    int error;
    const char *text;
  } known[] = {{OK, "no error"},
               {INVALID_VALUE, "invalid argument"},
               {OUT_OF_MEMORY, "out of memory"},
               {ILLEGAL_ADDRESS, "an illegal memory access was encountered"},
               {OUT_OF_RESOURCES, "too many resources requested for launch"},
               {LAUNCH_FAILED, "unspecified launch failure"}};
  *text = "unknown error";
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].error == error)
      *text = known[i].text;
  return OK;
}

int cuGetErrorName(int error, const char **text) { return cuGetErrorString(error, text); }
