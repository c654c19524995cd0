// What the library that chooses versions stands in for.
#include "allocated.h"
#include "endings.h"

#include "links.h"
#include "preload/launch_hooks.h"
#include "texts.h"
#include "waits.h"

#define WAIT (void *handle)
SLOTS(wait_all, WAIT, handle)
LINKED(wait_all, cuCtxSynchronize, WAIT, handle)
SLOTS(wait_stream, WAIT, handle)
LINKED(wait_stream, cuStreamSynchronize, WAIT, handle)
SLOTS(wait_event, WAIT, handle)
LINKED(wait_event, cuEventSynchronize, WAIT, handle)

#define COPY (uint64_t to, uint64_t from, size_t size)
SLOTS(copy, COPY, to, from, size)
LINKED(copy, cuMemcpyDtoH_v2, COPY, to, from, size)

#define ALLOCATE (uint64_t *at, size_t size)
SLOTS(allocate, ALLOCATE, at, size)
LINKED(allocate, cuMemAlloc_v2, ALLOCATE, at, size)

#define MANAGED (uint64_t *at, size_t size, unsigned flags)
SLOTS(allocate_managed, MANAGED, at, size, flags)
LINKED(allocate_managed, cuMemAllocManaged, MANAGED, at, size, flags)

#define PITCH (uint64_t *at, size_t *pitch, size_t width, size_t height, unsigned element)
SLOTS(allocate_pitch, PITCH, at, pitch, width, height, element)
LINKED(allocate_pitch, cuMemAllocPitch_v2, PITCH, at, pitch, width, height, element)

#define ASYNC (uint64_t *at, size_t size, void *stream)
SLOTS(allocate_async, ASYNC, at, size, stream)
LINKED(allocate_async, cuMemAllocAsync, ASYNC, at, size, stream)

#define FROM (uint64_t *at, size_t size, void *pool, void *stream)
SLOTS(allocate_from, FROM, at, size, pool, stream)
LINKED(allocate_from, cuMemAllocFromPoolAsync, FROM, at, size, pool, stream)

#define FREE (uint64_t at)
SLOTS(free_memory, FREE, at)
LINKED(free_memory, cuMemFree_v2, FREE, at)

#define FREE_ASYNC (uint64_t at, void *stream)
SLOTS(free_async, FREE_ASYNC, at, stream)
LINKED(free_async, cuMemFreeAsync, FREE_ASYNC, at, stream)

#define CAPTURE (void *stream, int mode)
SLOTS(capture, CAPTURE, stream, mode)
LINKED(capture, cuStreamBeginCapture_v2, CAPTURE, stream, mode)

#define CAPTURE_TO                                                                                 \
  (void *stream, void *graph, const void *from, const void *edges, size_t count, int mode)
SLOTS(capture_to, CAPTURE_TO, stream, graph, from, edges, count, mode)
LINKED(capture_to, cuStreamBeginCaptureToGraph, CAPTURE_TO, stream, graph, from, edges, count, mode)

#define CAPTURE_END (void *stream, void **graph)
SLOTS(capture_end, CAPTURE_END, stream, graph)
LINKED(capture_end, cuStreamEndCapture, CAPTURE_END, stream, graph)

#define GRAPH (void *graph, void *stream)
SLOTS(graph, GRAPH, graph, stream)
LINKED(graph, cuGraphLaunch, GRAPH, graph, stream)

#define FOUR (uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d)
#define UNSEEN(kind, symbol)                                                                       \
  static inline int stand_in_##kind(void *function, uintptr_t a, uintptr_t b, uintptr_t c,         \
                                    uintptr_t d) {                                                 \
    return stand_in_unseen(function, a, b, c, d);                                                  \
  }                                                                                                \
  SLOTS(kind, FOUR, a, b, c, d)                                                                    \
  LINKED(kind, symbol, FOUR, a, b, c, d)
UNSEEN(host, cuLaunchHostFunc)
UNSEEN(callback, cuStreamAddCallback)
UNSEEN(value_32, cuStreamWaitValue32_v2)
UNSEEN(value_64, cuStreamWaitValue64_v2)
UNSEEN(batch, cuStreamBatchMemOp_v2)
UNSEEN(semaphores, cuWaitExternalSemaphoresAsync)

#define OPEN_EVENT (void **event, ipc_event handle)
SLOTS(open_event, OPEN_EVENT, event, handle)
LINKED(open_event, cuIpcOpenEventHandle, OPEN_EVENT, event, handle)

static int stand_in_cooperative(void *function, void *kernel, launch_shape shape,
                                void **arguments) {
  return launch_through(
      &(launch){LAUNCH_COOPERATIVE, function, kernel, shape, arguments, NULL, NULL});
}

#define COOPERATIVE (void *kernel, SHAPE, void **arguments)
SLOTS(cooperative, COOPERATIVE, kernel, SHAPE_GIVEN, arguments)
LINKED(cooperative, cuLaunchCooperativeKernel, COOPERATIVE, kernel, SHAPE_GIVEN, arguments)

#define UNLOAD (void *module)
SLOTS(unload, UNLOAD, module)
LINKED(unload, cuModuleUnload, UNLOAD, module)

#define UNLOAD_LIBRARY (void *library)
SLOTS(unload_library, UNLOAD_LIBRARY, library)
LINKED(unload_library, cuLibraryUnload, UNLOAD_LIBRARY, library)

#define DESTROY_STREAM (void *stream)
SLOTS(destroy_stream, DESTROY_STREAM, stream)
LINKED(destroy_stream, cuStreamDestroy, DESTROY_STREAM, stream)
LINKED(destroy_stream, cuStreamDestroy_v2, DESTROY_STREAM, stream)

#define DESTROY (void *context)
SLOTS(destroy, DESTROY, context)
LINKED(destroy, cuCtxDestroy, DESTROY, context)
LINKED(destroy, cuCtxDestroy_v2, DESTROY, context)

#define DEVICE (int device)
SLOTS(reset, DEVICE, device)
LINKED(reset, cuDevicePrimaryCtxReset, DEVICE, device)
LINKED(reset, cuDevicePrimaryCtxReset_v2, DEVICE, device)
SLOTS(release, DEVICE, device)
LINKED(release, cuDevicePrimaryCtxRelease, DEVICE, device)
LINKED(release, cuDevicePrimaryCtxRelease_v2, DEVICE, device)

#define SET (void *handle, int attribute, int value)
SLOTS(set, SET, handle, attribute, value)
LINKED(set, cuFuncSetAttribute, SET, handle, attribute, value)

#define SET_KERNEL (int attribute, int value, void *handle, int device)
SLOTS(set_kernel, SET_KERNEL, attribute, value, handle, device)
LINKED(set_kernel, cuKernelSetAttribute, SET_KERNEL, attribute, value, handle, device)

#define CACHE (void *handle, int config)
SLOTS(cache, CACHE, handle, config)
LINKED(cache, cuFuncSetCacheConfig, CACHE, handle, config)

#define CACHE_KERNEL (void *handle, int config, int device)
SLOTS(cache_kernel, CACHE_KERNEL, handle, config, device)
LINKED(cache_kernel, cuKernelSetCacheConfig, CACHE_KERNEL, handle, config, device)

#define LOAD (void **module, const void *image)
SLOTS(load, LOAD, module, image)
LINKED(load, cuModuleLoadData, LOAD, module, image)
LINKED(load, cuModuleLoadFatBinary, LOAD, module, image)

#define LOAD_WITH (void **module, const void *image, unsigned count, int *options, void **values)
SLOTS(load_with, LOAD_WITH, module, image, count, options, values)
LINKED(load_with, cuModuleLoadDataEx, LOAD_WITH, module, image, count, options, values)

#define LIBRARY                                                                                    \
  (void **library, const void *image, int *options, void **values, unsigned count,                 \
   int *library_options, void **library_values, unsigned library_count)
SLOTS(library, LIBRARY, library, image, options, values, count, library_options, library_values,
      library_count)
LINKED(library, cuLibraryLoadData, LIBRARY, library, image, options, values, count, library_options,
       library_values, library_count)

#define LOAD_FILE (void **module, const char *file)
SLOTS(load_file, LOAD_FILE, module, file)
LINKED(load_file, cuModuleLoad, LOAD_FILE, module, file)

#define LIBRARY_FILE                                                                               \
  (void **library, const char *file, int *options, void **values, unsigned count,                  \
   int *library_options, void **library_values, unsigned library_count)
SLOTS(library_file, LIBRARY_FILE, library, file, options, values, count, library_options,
      library_values, library_count)
LINKED(library_file, cuLibraryLoadFromFile, LIBRARY_FILE, library, file, options, values, count,
       library_options, library_values, library_count)

#define LINK_DATA                                                                                  \
  (void *state, int type, void *data, size_t size, const char *name, unsigned count, int *options, \
   void **values)
SLOTS(link_data, LINK_DATA, state, type, data, size, name, count, options, values)
LINKED(link_data, cuLinkAddData, LINK_DATA, state, type, data, size, name, count, options, values)
LINKED(link_data, cuLinkAddData_v2, LINK_DATA, state, type, data, size, name, count, options,
       values)

#define LINK_COMPLETE (void *state, void **code, size_t *size)
SLOTS(link_complete, LINK_COMPLETE, state, code, size)
LINKED(link_complete, cuLinkComplete, LINK_COMPLETE, state, code, size)

#define LINK_DESTROY (void *state)
SLOTS(link_destroy, LINK_DESTROY, state)
LINKED(link_destroy, cuLinkDestroy, LINK_DESTROY, state)

#define JIT_CREATE (void **handle, unsigned count, const char **options)
SLOTS(jit_create, JIT_CREATE, handle, count, options)

#define JIT_FILE (void *handle, int type, const char *name)
SLOTS(jit_file, JIT_FILE, handle, type, name)

#define JIT_DATA (void *handle, int type, const void *data, size_t size, const char *name)
SLOTS(jit_data, JIT_DATA, handle, type, data, size, name)

#define JIT_CODE (void *handle, void *code)
SLOTS(jit_code, JIT_CODE, handle, code)

#define JIT_DESTROY (void **handle)
SLOTS(jit_destroy, JIT_DESTROY, handle)

#define NVRTC_CODE (void *program, char *code)
SLOTS(nvrtc_code, NVRTC_CODE, program, code)
LINKED(nvrtc_code, nvrtcGetCUBIN, NVRTC_CODE, program, code)

#define FUNCTION (void **made, void *kernel)
SLOTS(function, FUNCTION, made, kernel)
LINKED(function, cuKernelGetFunction, FUNCTION, made, kernel)

const hook hooks_table[] = {
    LAUNCH_HOOKS,
    HOOK(wait_all, "cuCtxSynchronize", cuCtxSynchronize),
    HOOK(wait_stream, "cuStreamSynchronize", cuStreamSynchronize),
    HOOK(wait_event, "cuEventSynchronize", cuEventSynchronize),
    HOOK(copy, "cuMemcpyDtoH", NULL),
    HOOK(copy, "cuMemcpyDtoH_v2", cuMemcpyDtoH_v2),
    HOOK(allocate, "cuMemAlloc", NULL),
    HOOK(allocate, "cuMemAlloc_v2", cuMemAlloc_v2),
    HOOK(allocate_managed, "cuMemAllocManaged", cuMemAllocManaged),
    HOOK(allocate_pitch, "cuMemAllocPitch", NULL),
    HOOK(allocate_pitch, "cuMemAllocPitch_v2", cuMemAllocPitch_v2),
    HOOK(allocate_async, "cuMemAllocAsync", cuMemAllocAsync),
    HOOK(allocate_from, "cuMemAllocFromPoolAsync", cuMemAllocFromPoolAsync),
    HOOK(free_memory, "cuMemFree", NULL),
    HOOK(free_memory, "cuMemFree_v2", cuMemFree_v2),
    HOOK(free_async, "cuMemFreeAsync", cuMemFreeAsync),
    HOOK(capture, "cuStreamBeginCapture", NULL),
    HOOK(capture, "cuStreamBeginCapture_v2", cuStreamBeginCapture_v2),
    HOOK(capture_to, "cuStreamBeginCaptureToGraph", cuStreamBeginCaptureToGraph),
    HOOK(capture_end, "cuStreamEndCapture", cuStreamEndCapture),
    HOOK(graph, "cuGraphLaunch", cuGraphLaunch),
    HOOK(cooperative, "cuLaunchCooperativeKernel", cuLaunchCooperativeKernel),
    HOOK(host, "cuLaunchHostFunc", cuLaunchHostFunc),
    HOOK(callback, "cuStreamAddCallback", cuStreamAddCallback),
    HOOK(value_32, "cuStreamWaitValue32", NULL),
    HOOK(value_32, "cuStreamWaitValue32_v2", cuStreamWaitValue32_v2),
    HOOK(value_64, "cuStreamWaitValue64", NULL),
    HOOK(value_64, "cuStreamWaitValue64_v2", cuStreamWaitValue64_v2),
    HOOK(batch, "cuStreamBatchMemOp", NULL),
    HOOK(batch, "cuStreamBatchMemOp_v2", cuStreamBatchMemOp_v2),
    HOOK(semaphores, "cuWaitExternalSemaphoresAsync", cuWaitExternalSemaphoresAsync),
    HOOK(open_event, "cuIpcOpenEventHandle", cuIpcOpenEventHandle),
    HOOK(load, "cuModuleLoadData", cuModuleLoadData),
    HOOK(load, "cuModuleLoadFatBinary", cuModuleLoadFatBinary),
    HOOK(load_with, "cuModuleLoadDataEx", cuModuleLoadDataEx),
    HOOK(library, "cuLibraryLoadData", cuLibraryLoadData),
    HOOK(load_file, "cuModuleLoad", cuModuleLoad),
    HOOK(library_file, "cuLibraryLoadFromFile", cuLibraryLoadFromFile),
    HOOK(link_data, "cuLinkAddData", cuLinkAddData),
    HOOK(link_data, "cuLinkAddData_v2", cuLinkAddData_v2),
    HOOK(link_complete, "cuLinkComplete", cuLinkComplete),
    HOOK(link_destroy, "cuLinkDestroy", cuLinkDestroy),
    HOOK(jit_create, "nvJitLinkCreate", NULL),
    HOOK(jit_file, "nvJitLinkAddFile", NULL),
    HOOK(jit_data, "nvJitLinkAddData", NULL),
    HOOK(jit_code, "nvJitLinkGetLinkedCubin", NULL),
    HOOK(jit_destroy, "nvJitLinkDestroy", NULL),
    HOOK(nvrtc_code, "nvrtcGetCUBIN", nvrtcGetCUBIN),
    HOOK(function, "cuKernelGetFunction", cuKernelGetFunction),
    HOOK(unload, "cuModuleUnload", cuModuleUnload),
    HOOK(unload_library, "cuLibraryUnload", cuLibraryUnload),
    HOOK(destroy_stream, "cuStreamDestroy", cuStreamDestroy),
    HOOK(destroy_stream, "cuStreamDestroy_v2", cuStreamDestroy_v2),
    HOOK(destroy, "cuCtxDestroy", cuCtxDestroy),
    HOOK(destroy, "cuCtxDestroy_v2", cuCtxDestroy_v2),
    HOOK(reset, "cuDevicePrimaryCtxReset", cuDevicePrimaryCtxReset),
    HOOK(reset, "cuDevicePrimaryCtxReset_v2", cuDevicePrimaryCtxReset_v2),
    HOOK(release, "cuDevicePrimaryCtxRelease", cuDevicePrimaryCtxRelease),
    HOOK(release, "cuDevicePrimaryCtxRelease_v2", cuDevicePrimaryCtxRelease_v2),
    HOOK(set, "cuFuncSetAttribute", cuFuncSetAttribute),
    HOOK(set_kernel, "cuKernelSetAttribute", cuKernelSetAttribute),
    HOOK(cache, "cuFuncSetCacheConfig", cuFuncSetCacheConfig),
    HOOK(cache_kernel, "cuKernelSetCacheConfig", cuKernelSetCacheConfig),
};

const size_t hooks_count = sizeof hooks_table / sizeof *hooks_table;
