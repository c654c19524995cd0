// The functions that are a kernel's versions: what its module says of them, and what each gets of
// the plain one before it is launched.
#include "found.h"
#include "kernels.h"
#include "settings.h"
#include "versions/excepted.h"

#include <stdlib.h>
#include <string.h>

// ---- what the module says

// `size` bytes of a module's variable, and one more. NULL: they can't be had.
static char *read_text(const gpu *g, gpu_address at, size_t size) {
  void *stream = NULL;
  char *text = malloc(size + 1);
  if (text == NULL || !gpu_is_ok(g->cuStreamCreate(&stream, GPU_NON_BLOCKING))) {
    free(text);
    return NULL;
  }
  bool is_read = gpu_is_ok(g->cuMemcpyDtoHAsync_v2(text, at, size, stream)) &&
                 gpu_is_ok(g->cuStreamSynchronize(stream));
  g->cuStreamDestroy_v2(stream);
  if (!is_read) {
    free(text);
    return NULL;
  }
  text[size] = '\0';
  return text;
}

static const char *copy_text(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  return copy == NULL ? NULL : memcpy(copy, text, strlen(text) + 1);
}

// Names of GPUs are kept for good, for there are few.
static const char *device_name(const gpu *g, int device) {
  enum { MOST_DEVICES = 64 };
  static const char *names[MOST_DEVICES];
  char name[256];
  if (device < 0 || device >= MOST_DEVICES)
    return "";
  if (names[device] == NULL && gpu_is_ok(g->cuDeviceGetName(name, sizeof name, device)))
    names[device] = copy_text(name);
  return names[device] == NULL ? "" : names[device];
}

// A GPU that other processes share tells other times each time; a kernel that needs a cluster is
// launched as it is.
static bool is_left_alone(const gpu *g, void *function, int device) {
  int value = 0;
  if (gpu_is_ok(g->cuDeviceGetAttribute(&value, GPU_IS_MPS, device)) && value != 0)
    return true;
  for (int attribute = GPU_NEEDS_CLUSTER; attribute < GPU_ODD_CLUSTERS; attribute++)
    if (gpu_is_ok(g->cuFuncGetAttribute(&value, attribute, function)) && value != 0)
      return true;
  return false;
}

static void *find_function(const kernel *k, const char *name) {
  void *function;
  void *module = k->making != NULL ? making_module(k->making) : k->module;
  if (gpu_is_ok(k->gpu->cuModuleGetFunction(&function, module, name)))
    return function;
  settings_log("%s: there is no function %s in its module", k->symbol, name);
  return NULL;
}

// Whether a function has the plain one's parameters, and the address of a word for each thread.
static bool takes_words(const kernel *k, void *function) {
  parameters p = parameters_of(k->gpu, function);
  return parameters_are_with_address(&k->parameters, &p);
}

// There are orders where one inspector makes those of all versions. Returns what is missing, or
// NULL.
static const char *wrong_with_order(kernel *k, const lin_version *v, void *function) {
  if (v->inspector == NULL)
    return "the compiler made no inspector for it";
  if (!k->parameters.is_known)
    return "the driver doesn't tell parameters";
  void *inspector = find_function(k, v->inspector);
  if (inspector == NULL || !takes_words(k, function) || !takes_words(k, inspector))
    return "it and its inspector don't take the kernel's parameters and an address";
  if (k->inspector != NULL && k->inspector != inspector)
    return "another version has another inspector";
  k->inspector = inspector;
  return NULL;
}

static const char *wrong_with_counter(kernel *k, void *function) {
  if (!k->parameters.is_known)
    return "the driver doesn't tell parameters";
  if (!takes_words(k, function))
    return "it doesn't take the kernel's parameters and an address";
  return NULL;
}

// What is missing for what the version takes, or NULL.
static const char *wrong_with(kernel *k, const lin_version *v, void *function) {
  return lin_takes_order(v->takes)     ? wrong_with_order(k, v, function)
         : lin_takes_counter(v->takes) ? wrong_with_counter(k, function)
                                       : NULL;
}

static void add_versions(kernel *k, const lin_versions *about) {
  for (uint32_t i = 0; i < about->count; i++) {
    const lin_version *v = &about->version[i];
    void *function = find_function(k, v->function);
    const char *wrong = function == NULL ? NULL : wrong_with(k, v, function);
    if (wrong != NULL)
      settings_log("%s: %s is left out: %s", k->symbol, v->name, wrong);
    if (function == NULL || wrong != NULL)
      continue;
    const uint32_t bit = UINT32_C(1) << k->versions;
    k->takes_order |= lin_takes_order(v->takes) ? bit : 0;
    k->takes_counter |= lin_takes_counter(v->takes) ? bit : 0;
    k->takes_line |= lin_takes_line(v->takes) ? bit : 0;
    k->name[k->versions] = v->name;
    k->function[k->versions++] = function;
  }
}

// Where versions were made of the program's PTX, or may be: the text that says which. 0: it isn't
// there. False: there are none, and will be none.
static bool find_made(kernel *k, gpu_address *at, size_t *size) {
  if (k->making == NULL)
    k->making = making_begin(&(making_of){k->gpu, k->module, k->library, k->device, k->symbol});
  const making_state state = k->making == NULL ? MAKING_NOTHING : making_go_on(k->making, 0);
  k->waits = state == MAKING_WAITS;
  if (state == MAKING_THERE)
    *at =
        gpu_global(k->gpu, making_module(k->making), LIN_VERSIONS_VARIABLE_PREFIX, k->symbol, size);
  return k->waits || *at != 0;
}

bool kernels_describe(kernel *k, void *function) {
  size_t size;
  const char *name;
  const gpu *g = k->gpu;
  lin_versions about;
  lin_versions_error error;
  if (!gpu_is_ok(g->cuFuncGetName(&name, function)) ||
      lin_is_excepted(settings_get()->except, name))
    return false;
  gpu_address at = gpu_global(g, k->module, LIN_VERSIONS_VARIABLE_PREFIX, name, &size);
  if (at == 0 && settings_get()->make == NULL)
    return false;
  k->symbol = copy_text(name);
  if (k->symbol == NULL || !gpu_is_ok(g->cuCtxGetDevice(&k->device)) ||
      is_left_alone(g, function, k->device) || (at == 0 && !find_made(k, &at, &size)))
    return false;
  k->gpu_name = device_name(g, k->device);
  k->name[0] = LIN_VERSIONS_PLAIN;
  k->function[0] = k->handle;
  k->parameters = parameters_of(g, function);
  if (k->waits)
    return true;
  k->texts = read_text(g, at, size);
  if (k->texts == NULL)
    return false;
  if (!lin_versions_read(k->texts, size, &about, &error)) {
    settings_log("%s: what its module says of its versions, line %zu: %s", name, error.line,
                 error.text);
    return false;
  }
  k->hash = about.hash;
  k->compiler = about.compiler;
  k->ends = about.ends;
  add_versions(k, &about);
  return k->versions > 1;
}

// ---- before a version is launched

// Attributes that the program, or its compiler, gave the plain one.
static bool copy_attribute(const kernel *k, void *plain, void *version, int attribute) {
  int wanted, there;
  if (!gpu_is_ok(k->gpu->cuFuncGetAttribute(&wanted, attribute, plain)) ||
      !gpu_is_ok(k->gpu->cuFuncGetAttribute(&there, attribute, version)))
    return false;
  return wanted == there || gpu_is_ok(k->gpu->cuFuncSetAttribute(version, attribute, wanted));
}

static bool load(const gpu *g, void *function) {
  return g->cuFuncLoad == NULL || gpu_is_ok(g->cuFuncLoad(function));
}

static bool prepare_inspector(kernel *k) {
  const gpu *g = k->gpu;
  return load(g, k->inspector) &&
         gpu_is_ok(g->cuFuncGetAttribute(&k->inspector_threads, GPU_MAX_THREADS, k->inspector));
}

static bool prepare(kernel *k, uint32_t version) {
  static const int attributes[] = {GPU_DYNAMIC_SHARED, GPU_CARVEOUT};
  void *plain, *module, *function = k->function[version];
  if (!load(k->gpu, function))
    return false;
  if (!gpu_function(k->gpu, k->handle, &plain, &module))
    return false;
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    if (!copy_attribute(k, plain, function, attributes[i]))
      return false;
  if (k->cache >= 0 && !gpu_is_ok(k->gpu->cuFuncSetCacheConfig(function, k->cache)))
    return false;
  if ((k->takes_order >> version & 1) != 0 && !prepare_inspector(k))
    return false;
  return gpu_is_ok(
      k->gpu->cuFuncGetAttribute(&k->most_threads[version], GPU_MAX_THREADS, function));
}

void kernels_ban(kernel *k, uint32_t version) {
  k->banned |= 1U << version;
  for (shape *s = k->shapes; s != NULL; s = s->next) {
    atomic_fetch_or(&s->failed, 1U << version);
    unsigned there = version;
    atomic_compare_exchange_strong(&s->best, &there, 0);
    atomic_store(&s->quiet, 0);
  }
}

bool kernels_prepare(kernel *k, uint32_t version) {
  uint32_t bit = 1U << version;
  if (version == 0)
    return true;
  if ((k->prepared & bit) == 0 && !prepare(k, version))
    k->banned |= bit;
  k->prepared |= bit;
  return (k->banned & bit) == 0;
}
