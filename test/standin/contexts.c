// Devices and contexts.
#include "standin.h"

#include "exports.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 13000, MOST_DEVICES = 4, MOST_PUSHED = 16 };

_Thread_local gpu_context *driver_current;
static _Thread_local gpu_context *pushed[MOST_PUSHED];
static _Thread_local uint32_t depth;
static gpu_context *primary[MOST_DEVICES];
static bool is_initialised;

int context_status(const gpu_context *c) {
  if (!is_initialised)
    return NOT_INITIALIZED;
  if (c == NULL || c->object.kind != CONTEXT)
    return INVALID_CONTEXT;
  return c->error != OK && driver_now >= c->failed_at ? c->error : OK;
}

void context_fail(gpu_context *c, int error, uint64_t when) {
  if (c->error != OK)
    return;
  c->error = error;
  c->failed_at = when;
}

// ---- devices

int cuInit(unsigned flags) {
  LEAVE_UNLESS_OK(driver_enter("cuInit", NULL));
  is_initialised = true;
  return driver_leave((int)flags);
}

int cuDriverGetVersion(int *version) {
  LEAVE_UNLESS_OK(driver_enter("cuDriverGetVersion", NULL));
  *version = VERSION;
  return driver_leave(OK);
}

int cuDeviceGetCount(int *devices) {
  LEAVE_UNLESS_OK(driver_enter("cuDeviceGetCount", NULL));
  *devices = (int)driver_settings.devices;
  return driver_leave(OK);
}

static bool is_device(int device) {
  return device >= 0 && device < MOST_DEVICES && (uint32_t)device < driver_settings.devices;
}

int cuDeviceGet(int *device, int number) {
  LEAVE_UNLESS_OK(driver_enter("cuDeviceGet", NULL));
  *device = number;
  return driver_leave(is_device(number) ? OK : INVALID_DEVICE);
}

int cuDeviceGetName(char *name, int size, int device) {
  LEAVE_UNLESS_OK(driver_enter("cuDeviceGetName", NULL));
  snprintf(name, (size_t)size, "stand-in %d", device);
  return driver_leave(is_device(device) ? OK : INVALID_DEVICE);
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  enum { MULTIPROCESSORS = 16, MAJOR = 75, MINOR = 76, MOST_THREADS = 39, MPS = 133 };
  LEAVE_UNLESS_OK(driver_enter("cuDeviceGetAttribute", NULL));
  *value = attribute == MULTIPROCESSORS ? 132
           : attribute == MOST_THREADS  ? 2048
           : attribute == MAJOR         ? 9
           : attribute == MINOR         ? 0
           : attribute == MPS           ? driver_settings.mps
                                        : 1;
  return driver_leave(is_device(device) ? OK : INVALID_DEVICE);
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  LEAVE_UNLESS_OK(driver_enter("cuDeviceTotalMem", NULL));
  *bytes = driver_settings.memory;
  return driver_leave(is_device(device) ? OK : INVALID_DEVICE);
}

// ---- contexts

static gpu_context *make(int device) {
  gpu_context *c = object_new(CONTEXT, sizeof *c);
  settings_open_log();
  c->device = device;
  return c;
}

static void destroy(gpu_context *c) {
  gpu_context *before = driver_current;
  driver_wait(context_end(c));
  context_unload(c);
  for (uint32_t i = driver_memories; i > 0; i--)
    if (driver_memory[i - 1]->context == c)
      memory_release(driver_memory[i - 1]);
  streams_destroy(c);
  objects_destroy_events(c);
  object_destroy(c);
  if (before == c) // the one below it on the thread's stack
    driver_current = depth > 0 && object_is(pushed[depth - 1], CONTEXT) ? pushed[depth - 1] : NULL;
  depth -= before == c && depth > 0;
}

static int create(gpu_context **made, int device) {
  LEAVE_UNLESS_OK(driver_enter("cuCtxCreate", NULL));
  if (!is_device(device))
    return driver_leave(INVALID_DEVICE);
  if (depth == MOST_PUSHED)
    abort(); // a program that never destroys any
  *made = make(device);
  pushed[depth++] = driver_current;
  driver_current = *made;
  return driver_leave(OK);
}

int cuCtxCreate_v2(void **made, unsigned flags, int device) {
  (void)flags;
  return create((gpu_context **)made, device);
}

int cuCtxCreate_v4(void **made, void *parameters, unsigned flags, int device) {
  (void)flags, (void)parameters;
  return create((gpu_context **)made, device);
}

int cuCtxDestroy_v2(void *handle) {
  LEAVE_UNLESS_OK(driver_enter("cuCtxDestroy", NULL));
  if (!object_is(handle, CONTEXT))
    return driver_leave(INVALID_CONTEXT);
  destroy(handle);
  return driver_leave(OK);
}

int cuCtxSetCurrent(void *handle) {
  LEAVE_UNLESS_OK(driver_enter("cuCtxSetCurrent", NULL));
  if (handle != NULL && !object_is(handle, CONTEXT))
    return driver_leave(INVALID_CONTEXT);
  driver_current = handle;
  return driver_leave(OK);
}

int cuCtxGetCurrent(void **handle) {
  LEAVE_UNLESS_OK(driver_enter("cuCtxGetCurrent", NULL));
  *handle = driver_current;
  return driver_leave(is_initialised ? OK : NOT_INITIALIZED);
}

int cuCtxPushCurrent_v2(void *handle) {
  LEAVE_UNLESS_OK(driver_enter("cuCtxPushCurrent", NULL));
  if (!object_is(handle, CONTEXT) || depth == MOST_PUSHED)
    return driver_leave(INVALID_CONTEXT);
  pushed[depth++] = driver_current;
  driver_current = handle;
  return driver_leave(OK);
}

int cuCtxPopCurrent_v2(void **handle) {
  LEAVE_UNLESS_OK(driver_enter("cuCtxPopCurrent", NULL));
  if (depth == 0)
    return driver_leave(INVALID_CONTEXT);
  if (handle != NULL)
    *handle = driver_current;
  driver_current = pushed[--depth];
  return driver_leave(OK);
}

int cuCtxGetDevice(int *device) {
  LEAVE_UNLESS_OK(driver_enter_context("cuCtxGetDevice"));
  *device = driver_current->device;
  return driver_leave(OK);
}

int cuDevicePrimaryCtxRetain(void **handle, int device) {
  LEAVE_UNLESS_OK(driver_enter("cuDevicePrimaryCtxRetain", NULL));
  if (!is_initialised || !is_device(device))
    return driver_leave(is_initialised ? INVALID_DEVICE : NOT_INITIALIZED);
  if (primary[device] == NULL || primary[device]->object.kind != CONTEXT)
    primary[device] = make(device);
  primary[device]->retained++;
  *handle = primary[device];
  return driver_leave(OK);
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  LEAVE_UNLESS_OK(driver_enter("cuDevicePrimaryCtxRelease", NULL));
  if (!is_device(device) || primary[device] == NULL || primary[device]->object.kind != CONTEXT)
    return driver_leave(INVALID_CONTEXT);
  if (--primary[device]->retained == 0)
    destroy(primary[device]);
  return driver_leave(OK);
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  LEAVE_UNLESS_OK(driver_enter("cuDevicePrimaryCtxGetState", NULL));
  if (!is_device(device))
    return driver_leave(INVALID_DEVICE);
  *flags = 0;
  *active = primary[device] != NULL && primary[device]->object.kind == CONTEXT;
  return driver_leave(OK);
}

int cuDevicePrimaryCtxReset_v2(int device) {
  LEAVE_UNLESS_OK(driver_enter("cuDevicePrimaryCtxReset", NULL));
  if (!is_device(device) || primary[device] == NULL || primary[device]->object.kind != CONTEXT)
    return driver_leave(OK);
  destroy(primary[device]);
  return driver_leave(OK);
}
