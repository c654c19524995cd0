// What the library that chooses versions stands in for.
#include "endings.h"

#include "preload/launch_hooks.h"

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

const hook hooks_table[] = {
    LAUNCH_HOOKS,
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
