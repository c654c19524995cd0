// Modules, libraries, functions and their attributes.
#include "standin.h"

#include "exports.h"

#include <stdlib.h>
#include <string.h>

typedef struct gpu_library {
  object object;
  const void *data; // the program's, which has to stay
  struct gpu_kernel *kernels;
} gpu_library;

typedef struct gpu_kernel {
  object object;
  gpu_library *library;
  struct gpu_kernel *next;
  char name[];
} gpu_kernel;

static gpu_module *loaded; // of all contexts

// ---- loading -----------------------------------------------------------------------------------

// What CUDA's runtime hands over stands behind a pointer.
static const void *unwrap(const void *data) {
  static const uint32_t magic = 0x466243b1;
  struct {
    uint32_t magic, version;
    const void *data;
    void *file;
  } wrapper;
  uint32_t begin;
  memcpy(&begin, data, sizeof begin);
  if (begin != magic)
    return data;
  memcpy(&wrapper, data, sizeof wrapper);
  return wrapper.data;
}

static int load(gpu_module **made, const void *data, gpu_library *of) {
  if (data == NULL)
    return INVALID_VALUE;
  image *i = image_read(unwrap(data));
  if (i == NULL)
    return INVALID_IMAGE;
  gpu_module *m = object_new(MODULE, sizeof *m);
  m->context = driver_current;
  m->image = i;
  m->library = of;
  m->next = loaded;
  loaded = *made = m;
  return OK;
}

static void unload(gpu_module *m) {
  gpu_module **at = &loaded;
  while (*at != m)
    at = &(*at)->next;
  *at = m->next;
  for (gpu_function *f = m->functions; f != NULL; f = f->next)
    object_destroy(f);
  image_release(m->image);
  object_destroy(m);
}

void context_unload(const gpu_context *c) {
  for (gpu_module *m = loaded, *next; m != NULL; m = next) {
    next = m->next;
    if (m->context == c)
      unload(m);
  }
}

int cuModuleLoadData(void **made, const void *data) {
  LEAVE_UNLESS_OK(driver_enter_unsafe("cuModuleLoadData"));
  return driver_leave(load((gpu_module **)made, data, NULL));
}

// The file is read before the lock is there.
int cuModuleLoad(void **made, const char *name) {
  enum { MOST_BYTES = 64 << 20 };
  FILE *file = fopen(name, "rb");
  char *text = file == NULL ? NULL : calloc(1, MOST_BYTES);
  if (file == NULL)
    return FILE_NOT_FOUND;
  if (text == NULL || fread(text, 1, MOST_BYTES - 1, file) == 0)
    abort();
  fclose(file);
  int status = cuModuleLoadData(made, text);
  free(text);
  return status;
}

int cuModuleLoadFatBinary(void **made, const void *data) { return cuModuleLoadData(made, data); }

int cuModuleLoadDataEx(void **made, const void *data, unsigned options, int *option, void **value) {
  (void)options, (void)option, (void)value;
  return cuModuleLoadData(made, data);
}

int cuModuleUnload(void *handle) {
  LEAVE_UNLESS_OK(driver_enter_unsafe("cuModuleUnload"));
  if (!object_is(handle, MODULE))
    return driver_leave(INVALID_HANDLE);
  driver_wait(context_end(((gpu_module *)handle)->context));
  unload(handle);
  return driver_leave(OK);
}

// ---- functions ---------------------------------------------------------------------------------

static gpu_function *find_function(gpu_module *m, const char *name) {
  for (gpu_function *f = m->functions; f != NULL; f = f->next)
    if (strcmp(f->kernel->name, name) == 0)
      return f;
  image_kernel *k = m->image->kernels;
  while (k != NULL && strcmp(k->name, name) != 0)
    k = k->next;
  if (k == NULL)
    return NULL;
  gpu_function *f = object_new(FUNCTION, sizeof *f);
  f->module = m;
  f->kernel = k;
  f->next = m->functions;
  return m->functions = f;
}

int cuModuleGetFunction(void **found, void *handle, const char *name) {
  LEAVE_UNLESS_OK(driver_enter_context("cuModuleGetFunction"));
  if (!object_is(handle, MODULE))
    return driver_leave(INVALID_HANDLE);
  *found = find_function(handle, name);
  return driver_leave(*found == NULL ? NOT_FOUND : OK);
}

int cuModuleGetGlobal_v2(gpu_address *at, size_t *size, void *handle, const char *name) {
  LEAVE_UNLESS_OK(driver_enter_context("cuModuleGetGlobal"));
  if (!object_is(handle, MODULE))
    return driver_leave(INVALID_HANDLE);
  const image_global *g = image_find_global(((gpu_module *)handle)->image, name);
  if (g == NULL)
    return driver_leave(NOT_FOUND);
  if (at != NULL)
    *at = g->memory->address;
  if (size != NULL)
    *size = g->memory->size;
  return driver_leave(OK);
}

int cuFuncGetModule(void **found, void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuFuncGetModule"));
  if (!object_is(handle, FUNCTION))
    return driver_leave(INVALID_HANDLE);
  *found = ((gpu_function *)handle)->module;
  return driver_leave(OK);
}

int cuFuncGetName(const char **name, void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuFuncGetName"));
  if (!object_is(handle, FUNCTION))
    return driver_leave(INVALID_HANDLE);
  *name = ((gpu_function *)handle)->kernel->name;
  return driver_leave(OK);
}

int cuFuncGetParamInfo(void *handle, size_t number, size_t *offset, size_t *size) {
  LEAVE_UNLESS_OK(driver_enter_context("cuFuncGetParamInfo"));
  if (!object_is(handle, FUNCTION))
    return driver_leave(INVALID_HANDLE);
  const image_kernel *k = ((gpu_function *)handle)->kernel;
  if (number >= k->parameters)
    return driver_leave(INVALID_VALUE);
  *offset = k->offset[number];
  if (size != NULL)
    *size = k->size[number];
  return driver_leave(OK);
}

int cuFuncLoad(void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuFuncLoad"));
  return driver_leave(object_is(handle, FUNCTION) ? OK : INVALID_HANDLE);
}

// ---- attributes --------------------------------------------------------------------------------

static int get_attribute(int *value, int attribute, void *handle) {
  enum { MAX_THREADS = 0 };
  const gpu_function *f = function_of(handle);
  if (f == NULL)
    return INVALID_HANDLE;
  if (attribute < 0 || attribute >= FUNCTION_ATTRIBUTES)
    return INVALID_VALUE;
  *value =
      attribute == MAX_THREADS ? (int)settings_threads(f->kernel->name) : f->attribute[attribute];
  return OK;
}

static int set_attribute(const char *name, void *handle, int attribute, int value) {
  gpu_function *f = function_of(handle);
  LEAVE_UNLESS_OK(driver_enter(name, f == NULL ? NULL : f->kernel->name));
  LEAVE_UNLESS_OK(context_status(driver_current));
  if (f == NULL)
    return driver_leave(INVALID_HANDLE);
  bool is_good = attribute >= MAX_DYNAMIC_SHARED && attribute < FUNCTION_ATTRIBUTES &&
                 (attribute != MAX_DYNAMIC_SHARED || (value >= 0 && value <= MOST_SHARED));
  if (is_good)
    f->attribute[attribute] = value;
  return driver_leave(is_good ? OK : INVALID_VALUE);
}

static int set_cache(const char *name, void *handle, int cache) {
  gpu_function *f = function_of(handle);
  LEAVE_UNLESS_OK(driver_enter(name, f == NULL ? NULL : f->kernel->name));
  LEAVE_UNLESS_OK(context_status(driver_current));
  if (f == NULL)
    return driver_leave(INVALID_HANDLE);
  f->cache = cache;
  return driver_leave(OK);
}

int cuFuncGetAttribute(int *value, int attribute, void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuFuncGetAttribute"));
  return driver_leave(get_attribute(value, attribute, handle));
}

int cuFuncSetAttribute(void *handle, int attribute, int value) {
  return set_attribute("cuFuncSetAttribute", handle, attribute, value);
}

int cuFuncSetCacheConfig(void *handle, int cache) {
  return set_cache("cuFuncSetCacheConfig", handle, cache);
}

int cuKernelGetAttribute(int *value, int attribute, void *handle, int device) {
  (void)device;
  LEAVE_UNLESS_OK(driver_enter_context("cuKernelGetAttribute"));
  return driver_leave(get_attribute(value, attribute, handle));
}

int cuKernelSetAttribute(int attribute, int value, void *handle, int device) {
  (void)device;
  return set_attribute("cuKernelSetAttribute", handle, attribute, value);
}

int cuKernelSetCacheConfig(void *handle, int cache, int device) {
  (void)device;
  return set_cache("cuKernelSetCacheConfig", handle, cache);
}

// ---- libraries: modules of whatever context is current -----------------------------------------

int cuLibraryLoadData(void **made, const void *data, int *option, void **value, unsigned options,
                      int *library_option, void **library_value, unsigned library_options) {
  (void)option, (void)value, (void)options;
  (void)library_option, (void)library_value, (void)library_options;
  LEAVE_UNLESS_OK(driver_enter("cuLibraryLoadData", NULL));
  if (data == NULL)
    return driver_leave(INVALID_VALUE);
  gpu_library *l = object_new(LIBRARY, sizeof *l);
  l->data = data;
  *made = l;
  return driver_leave(OK);
}

int cuLibraryUnload(void *handle) {
  LEAVE_UNLESS_OK(driver_enter_unsafe("cuLibraryUnload"));
  if (!object_is(handle, LIBRARY))
    return driver_leave(INVALID_HANDLE);
  gpu_library *l = handle;
  for (gpu_module *m = loaded, *next; m != NULL; m = next) {
    next = m->next;
    if (m->library == l)
      unload(m);
  }
  for (gpu_kernel *k = l->kernels; k != NULL; k = k->next)
    object_destroy(k);
  object_destroy(l);
  return driver_leave(OK);
}

static gpu_module *module_of(gpu_library *l) {
  gpu_module *m = loaded;
  while (m != NULL && (m->library != l || m->context != driver_current))
    m = m->next;
  if (m == NULL && load(&m, l->data, l) != OK)
    return NULL;
  return m;
}

int cuLibraryGetKernel(void **found, void *handle, const char *name) {
  LEAVE_UNLESS_OK(driver_enter_context("cuLibraryGetKernel"));
  if (!object_is(handle, LIBRARY))
    return driver_leave(INVALID_HANDLE);
  gpu_library *l = handle;
  for (gpu_kernel *k = l->kernels; k != NULL; k = k->next)
    if (strcmp(k->name, name) == 0)
      return *found = k, driver_leave(OK);
  gpu_module *m = module_of(l);
  gpu_function *f = m == NULL ? NULL : find_function(m, name);
  if (f == NULL)
    return driver_leave(m == NULL ? INVALID_IMAGE : NOT_FOUND);
  gpu_kernel *k = object_new(KERNEL, sizeof *k + strlen(name) + 1);
  memcpy(k->name, name, strlen(name) + 1);
  k->library = l;
  k->next = l->kernels;
  l->kernels = k;
  *found = k;
  return driver_leave(OK);
}

int cuLibraryGetModule(void **found, void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuLibraryGetModule"));
  if (!object_is(handle, LIBRARY))
    return driver_leave(INVALID_HANDLE);
  *found = module_of(handle);
  return driver_leave(*found == NULL ? INVALID_IMAGE : OK);
}

int cuLibraryGetGlobal(gpu_address *at, size_t *size, void *handle, const char *name) {
  void *m;
  int status = cuLibraryGetModule(&m, handle);
  return status != OK ? status : cuModuleGetGlobal_v2(at, size, m, name);
}

gpu_function *function_of(void *handle) {
  if (object_is(handle, FUNCTION))
    return handle;
  if (!object_is(handle, KERNEL) || driver_current == NULL)
    return NULL;
  const gpu_kernel *k = handle;
  gpu_module *m = module_of(k->library);
  return m == NULL ? NULL : find_function(m, k->name);
}

int cuKernelGetLibrary(void **found, void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuKernelGetLibrary"));
  if (!object_is(handle, KERNEL))
    return driver_leave(INVALID_HANDLE);
  *found = ((gpu_kernel *)handle)->library;
  return driver_leave(OK);
}

int cuKernelGetFunction(void **found, void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuKernelGetFunction"));
  *found = object_is(handle, KERNEL) ? function_of(handle) : NULL;
  return driver_leave(*found == NULL ? INVALID_HANDLE : OK);
}
