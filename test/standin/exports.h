// The functions of libcuda.so.1, as far as programs of the tests, and the library that chooses
// versions, call them; each is looked up by the name without its version (exports.c).
#ifndef LIN_TEST_STANDIN_EXPORTS_H
#define LIN_TEST_STANDIN_EXPORTS_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t gpu_address;

#pragma GCC visibility push(default)

// Not of the driver's: writes what the log has at the end.
int stand_in_tell(const char *name);

int cuInit(unsigned flags);
int cuDriverGetVersion(int *version);
int cuGetErrorString(int error, const char **text);
int cuGetErrorName(int error, const char **text);
int cuGetProcAddress(const char *name, void **found, int version, uint64_t flags);
int cuGetProcAddress_v2(const char *name, void **found, int version, uint64_t flags, int *result);

int cuDeviceGetCount(int *devices);
int cuDeviceGet(int *device, int number);
int cuDeviceGetName(char *name, int size, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDeviceTotalMem_v2(size_t *bytes, int device);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuDevicePrimaryCtxReset_v2(int device);
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active);

int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuCtxCreate_v4(void **context, void *parameters, unsigned flags, int device);
int cuCtxDestroy_v2(void *context);
int cuCtxSetCurrent(void *context);
int cuCtxGetCurrent(void **context);
int cuCtxPushCurrent_v2(void *context);
int cuCtxPopCurrent_v2(void **context);
int cuCtxGetDevice(int *device);
int cuCtxSynchronize(void);

int cuModuleLoadData(void **module, const void *data);
int cuModuleLoadDataEx(void **module, const void *data, unsigned options, int *option,
                       void **value);
int cuModuleLoad(void **module, const char *name);
int cuModuleLoadFatBinary(void **module, const void *data);
int cuModuleUnload(void *module);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuModuleGetGlobal_v2(gpu_address *at, size_t *size, void *module, const char *name);

int cuLinkCreate_v2(unsigned options, int *option, void **value, void **linker);
int cuLinkAddData_v2(void *linker, int type, void *data, size_t size, const char *name,
                     unsigned options, int *option, void **value);
int cuLinkComplete(void *linker, void **code, size_t *size);
int cuLinkDestroy(void *linker);

int cuLibraryLoadData(void **library, const void *data, int *option, void **value, unsigned options,
                      int *library_option, void **library_value, unsigned library_options);
int cuLibraryUnload(void *library);
int cuLibraryGetKernel(void **kernel, void *library, const char *name);
int cuLibraryGetModule(void **module, void *library);
int cuLibraryGetGlobal(gpu_address *at, size_t *size, void *library, const char *name);
int cuKernelGetLibrary(void **library, void *kernel);
int cuKernelGetFunction(void **function, void *kernel);
int cuKernelGetAttribute(int *value, int attribute, void *kernel, int device);
int cuKernelSetAttribute(int attribute, int value, void *kernel, int device);
int cuKernelSetCacheConfig(void *kernel, int cache, int device);

int cuFuncGetModule(void **module, void *function);
int cuFuncGetName(const char **name, void *function);
int cuFuncGetParamInfo(void *function, size_t number, size_t *offset, size_t *size);
int cuFuncLoad(void *function);
int cuFuncGetAttribute(int *value, int attribute, void *function);
int cuFuncSetAttribute(void *function, int attribute, int value);
int cuFuncSetCacheConfig(void *function, int cache);

int cuMemAlloc_v2(gpu_address *at, size_t size);
int cuMemAllocManaged(gpu_address *at, size_t size, unsigned flags);
int cuMemHostAlloc(void **at, size_t size, unsigned flags);
int cuMemFree_v2(gpu_address at);
int cuMemAllocAsync(gpu_address *at, size_t size, void *stream);
int cuMemFreeAsync(gpu_address at, void *stream);
int cuMemFreeHost(void *at);
int cuMemGetInfo_v2(size_t *left, size_t *all);
int cuMemGetAddressRange_v2(gpu_address *base, size_t *size, gpu_address at);
int cuMemcpy(gpu_address to, gpu_address from, size_t size);
int cuMemcpyAsync(gpu_address to, gpu_address from, size_t size, void *stream);
int cuMemcpyHtoD_v2(gpu_address to, const void *from, size_t size);
int cuMemcpyDtoH_v2(void *to, gpu_address from, size_t size);
int cuMemcpyDtoD_v2(gpu_address to, gpu_address from, size_t size);
int cuMemcpyHtoDAsync_v2(gpu_address to, const void *from, size_t size, void *stream);
int cuMemcpyDtoHAsync_v2(void *to, gpu_address from, size_t size, void *stream);
int cuMemcpyDtoDAsync_v2(gpu_address to, gpu_address from, size_t size, void *stream);
int cuMemsetD8_v2(gpu_address to, unsigned char value, size_t count);
int cuMemsetD8Async(gpu_address to, unsigned char value, size_t count, void *stream);
int cuMemsetD32_v2(gpu_address to, unsigned value, size_t count);
int cuMemsetD32Async(gpu_address to, unsigned value, size_t count, void *stream);

int cuStreamCreate(void **stream, unsigned flags);
int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority);
int cuStreamDestroy_v2(void *stream);
int cuStreamSynchronize(void *stream);
int cuStreamSynchronize_ptsz(void *stream);
int cuStreamQuery(void *stream);
int cuLaunchHostFunc(void *stream, void (*function)(void *), void *of);
int cuStreamWaitEvent(void *stream, void *event, unsigned flags);
int cuStreamBeginCapture_v2(void *stream, int mode);
int cuStreamEndCapture(void *stream, void **graph);
int cuStreamIsCapturing(void *stream, int *state);
int cuStreamIsCapturing_ptsz(void *stream, int *state);
int cuThreadExchangeStreamCaptureMode(int *mode);

int cuEventCreate(void **event, unsigned flags);
int cuEventDestroy_v2(void *event);
int cuEventRecord(void *event, void *stream);
int cuEventRecord_ptsz(void *event, void *stream);
int cuEventQuery(void *event);
int cuEventSynchronize(void *event);
int cuEventElapsedTime(float *ms, void *from, void *to);

int cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags);
int cuGraphLaunch(void *exec, void *stream);
int cuGraphDestroy(void *graph);
int cuGraphExecDestroy(void *exec);

int cuLaunchKernel(void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **arguments, void **extra);
int cuLaunchKernel_ptsz(void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        void *stream, void **arguments, void **extra);
int cuLaunchKernelEx(const void *configured, void *kernel, void **arguments, void **extra);
int cuLaunchKernelEx_ptsz(const void *configured, void *kernel, void **arguments, void **extra);
int cuLaunchCooperativeKernel(void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                              void *stream, void **arguments);

#pragma GCC visibility pop

#endif
