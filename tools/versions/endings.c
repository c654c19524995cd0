// What makes handles stand for nothing any more, and what changes a kernel's attributes.
#include "endings.h"

#include "activity.h"
#include "allocated.h"
#include "alone.h"
#include "counters.h"
#include "kernels.h"
#include "orders.h"
#include "silence.h"
#include "texts.h"

#include <errno.h>

typedef int driver_end(void *handle);

static int end(void *function, void *handle, ending e) {
  int error = errno;
  if (!silence_is_kept())
    kernels_forget(e);
  if (!silence_is_kept() && e.context != NULL) {
    alone_forget_all(e.context);
    allocated_forget(e.context);
  }
  errno = error;
  return AS(driver_end, function)(handle);
}

int stand_in_unload(void *function, void *module) {
  texts_forget(module);
  return end(function, module, (ending){.module = module, .device = -1});
}

int stand_in_unload_library(void *function, void *library) {
  ending e = {.library = library, .device = -1};
  texts_forget(library);
  if (!silence_is_kept())
    kernels_find_modules(&e, function, library);
  return end(function, library, e);
}

int stand_in_destroy(void *function, void *context) {
  return end(function, context, (ending){.context = context, .device = -1});
}

typedef int driver_end_device(int device);

int stand_in_reset(void *function, int device) {
  if (!silence_is_kept()) {
    kernels_forget((ending){.device = device});
    alone_forget_all(NULL);
    allocated_forget(NULL);
  }
  return AS(driver_end_device, function)(device);
}

// Whether that was the last one to hold it is known behind it.
int stand_in_release(void *function, int device) {
  if (!silence_is_kept())
    activity_is_unseen(); // streams may end with it
  int status = AS(driver_end_device, function)(device), active = 0;
  unsigned flags;
  const gpu *g = silence_is_kept() ? NULL : gpu_of(function);
  bool is_over = g != NULL &&
                 g->cuDevicePrimaryCtxGetState(device, &flags, &active) == DRIVER_SUCCESS &&
                 active == 0;
  if (is_over) {
    kernels_forget((ending){.device = device});
    allocated_forget(NULL);
  }
  return status;
}

int stand_in_destroy_stream(void *function, void *stream) {
  int error = errno;
  if (!silence_is_kept() && stream != NULL) {
    pthread_mutex_lock(&kernels_lock);
    orders_forget_stream(stream);
    counters_forget_stream(stream);
    pthread_mutex_unlock(&kernels_lock);
    alone_forget_stream(stream);
  }
  errno = error;
  return AS(driver_end, function)(stream);
}

// ---- attributes --------------------------------------------------------------------------------

// What was set on the plain version is set on those that were launched before; others get it when
// they are. The kernel's lock is had for as long as that takes.
static void hand_on(void *function, void *handle, int attribute, int value, int cache) {
  kernel *k = silence_is_kept() ? NULL : kernels_find_now(function, handle);
  if (k == NULL)
    return;
  pthread_mutex_lock(&kernels_lock);
  k->cache = cache >= 0 ? cache : k->cache;
  for (uint32_t v = 1; v < k->versions; v++) {
    if ((k->prepared >> v & 1) == 0)
      continue;
    int status = cache >= 0 ? k->gpu->cuFuncSetCacheConfig(k->function[v], cache)
                            : k->gpu->cuFuncSetAttribute(k->function[v], attribute, value);
    if (status != DRIVER_SUCCESS)
      kernels_ban(k, v);
  }
  pthread_mutex_unlock(&kernels_lock);
}

typedef int driver_set(void *handle, int attribute, int value);
typedef int driver_set_kernel(int attribute, int value, void *handle, int device);
typedef int driver_cache(void *handle, int config);
typedef int driver_cache_kernel(void *handle, int config, int device);

int stand_in_set(void *function, void *handle, int attribute, int value) {
  int status = AS(driver_set, function)(handle, attribute, value);
  if (status == DRIVER_SUCCESS)
    hand_on(function, handle, attribute, value, -1);
  return status;
}

int stand_in_set_kernel(void *function, int attribute, int value, void *handle, int device) {
  int status = AS(driver_set_kernel, function)(attribute, value, handle, device);
  if (status == DRIVER_SUCCESS)
    hand_on(function, handle, attribute, value, -1);
  return status;
}

int stand_in_cache(void *function, void *handle, int config) {
  int status = AS(driver_cache, function)(handle, config);
  if (status == DRIVER_SUCCESS)
    hand_on(function, handle, 0, 0, config);
  return status;
}

int stand_in_cache_kernel(void *function, void *handle, int config, int device) {
  int status = AS(driver_cache_kernel, function)(handle, config, device);
  if (status == DRIVER_SUCCESS)
    hand_on(function, handle, 0, 0, config);
  return status;
}
