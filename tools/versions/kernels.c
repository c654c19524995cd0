#define _POSIX_C_SOURCE 200809L

#include "kernels.h"

#include "counters.h"
#include "found.h"
#include "memory.h"
#include "orders.h"
#include "remembered.h"
#include "settings.h"
#include "timing.h"
#include "verdict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// ---- the table ---------------------------------------------------------------------------------

enum { SLOTS = 2 * KERNELS_MOST, MOST_STEPS = 64 };

typedef struct slot {
  void *_Atomic key; // NULL: free
  kernel *_Atomic kernel;
} slot;

// What has no versions, and what is a library's kernel, which has others for each context.
static kernel nothing, of_contexts;

pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER;
lin_ledger kernels_ledger;
static slot table[SLOTS];
static uint32_t used; // slots that have a key
static kernel *first;
static atomic_bool is_full;

static uint32_t place_of(const void *key) {
  uint64_t number = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(number >> 40) % SLOTS;
}

// The slot that has the key, or a free one; NULL: neither is near.
static slot *slot_of(const void *key) {
  uint32_t place = place_of(key);
  for (uint32_t step = 0; step < MOST_STEPS; step++) {
    slot *s = &table[(place + step) % SLOTS];
    void *there = atomic_load_explicit(&s->key, memory_order_acquire);
    if (there == key || there == NULL)
      return s;
  }
  return NULL;
}

// NULL: it isn't known. (While the table is made anew a slot may change under our eyes.)
static kernel *look_up(const void *key) {
  slot *s = slot_of(key);
  if (s == NULL)
    return &nothing;
  if (atomic_load_explicit(&s->key, memory_order_acquire) == NULL)
    return atomic_load_explicit(&is_full, memory_order_relaxed) ? &nothing : NULL;
  kernel *k = atomic_load_explicit(&s->kernel, memory_order_acquire);
  return k == NULL || k == &nothing || k == &of_contexts || k->key == key ? k : NULL;
}

// The kernel is there before its key is.
static void put(void *key, kernel *k) {
  slot *s = slot_of(key);
  if (s == NULL)
    return;
  used += s->key == NULL;
  atomic_store_explicit(&s->kernel, k, memory_order_release);
  atomic_store_explicit(&s->key, key, memory_order_release);
}

// Keys of what was forgotten make room, and those of what had no versions: these are looked at
// again.
static void make_room(void) {
  uint32_t dead = 0;
  for (uint32_t i = 0; i < SLOTS; i++)
    dead += table[i].key != NULL && table[i].kernel == NULL;
  atomic_store(&is_full, dead < KERNELS_MOST / 2);
  if (dead < KERNELS_MOST / 2)
    return;
  for (uint32_t i = 0; i < SLOTS; i++) {
    table[i].key = NULL;
    table[i].kernel = NULL;
  }
  used = 0;
  for (kernel *k = first; k != NULL; k = k->next) {
    if (k->library != NULL)
      put(k->handle, &of_contexts);
    put(k->key, k);
  }
}

// A library's kernel in a context.
static void *key_in(void *handle, void *context) {
  return (void *)((uintptr_t)handle ^ (uintptr_t)context << 1 ^ 1);
}

// ---- what a module says ------------------------------------------------------------------------

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

// Fills in what the kernel's module says of it. False: nothing that could be used.
static bool describe(kernel *k, void *function) {
  size_t size;
  const char *name;
  const gpu *g = k->gpu;
  lin_versions about;
  lin_versions_error error;
  if (!gpu_is_ok(g->cuFuncGetName(&name, function)))
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

static void release(kernel *k, bool ends_context) {
  if (k->making != NULL)
    making_end(k->making, ends_context);
  for (shape *s = k->shapes; s != NULL;) {
    shape *next = s->next;
    free(s);
    s = next;
  }
  remembered_release(k);
  free(k->texts);
  free((char *)(uintptr_t)k->symbol);
  free(k);
}

static void say_versions(const kernel *k) {
  char names[640];
  size_t length = 0;
  for (uint32_t v = 0; v < k->versions && length < sizeof names; v++)
    length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", v == 0 ? "" : ", ",
                               k->name[v]);
  settings_log("%s: %u versions: %s", k->symbol, k->versions, names);
}

// Of what `seen` has of a kernel.
static kernel *look_into_module(const kernel *seen, void *function) {
  kernel *k = malloc(sizeof *k);
  if (k == NULL)
    return &nothing;
  *k = *seen;
  if (!describe(k, function)) {
    release(k, false);
    return &nothing;
  }
  k->next = first;
  first = k;
  if (!k->waits) {
    say_versions(k);
    remembered_read(k);
  }
  return k;
}

// ---- kernels -----------------------------------------------------------------------------------

static kernel *current_of(const gpu *g, kernel *found, void *handle) {
  void *context;
  if (found != &of_contexts)
    return found;
  return g != NULL && gpu_is_ok(g->cuCtxGetCurrent(&context)) ? look_up(key_in(handle, context))
                                                              : &nothing;
}

static kernel *look_at(const gpu *g, void *handle) {
  void *function;
  kernel seen = {.gpu = g, .handle = handle, .key = handle, .versions = 1, .cache = -1};
  // What can't be looked at now, for the context is in ruins or there is none, may be later.
  if (!gpu_is_ok(g->cuCtxGetCurrent(&seen.context)) || seen.context == NULL ||
      !gpu_function(g, handle, &function, &seen.module))
    return &nothing;
  if (used == KERNELS_MOST)
    make_room();
  if (used == KERNELS_MOST)
    return &nothing;
  if (function != handle) {
    bool is_known =
        g->cuKernelGetLibrary != NULL && gpu_is_ok(g->cuKernelGetLibrary(&seen.library, handle));
    put(handle, is_known ? &of_contexts : &nothing);
    if (!is_known)
      return &nothing;
    seen.key = key_in(handle, seen.context);
  }
  kernel *k = look_into_module(&seen, function);
  put(seen.key, k);
  return k;
}

// By who has the lock.
static kernel *see(const gpu *g, void *handle) {
  int mode = GPU_RELAXED;
  kernel *found = current_of(g, look_up(handle), handle);
  if (found != NULL)
    return found;
  if (!gpu_is_ok(g->cuThreadExchangeStreamCaptureMode(&mode)))
    return &nothing;
  found = look_at(g, handle);
  g->cuThreadExchangeStreamCaptureMode(&mode);
  return found;
}

static kernel *with_versions(kernel *k) { return k == &nothing || k == &of_contexts ? NULL : k; }

kernel *kernels_find(const launch *l) {
  kernel *k = look_up(l->kernel);
  if (k == &nothing)
    return NULL;
  const gpu *g = k != NULL && k != &of_contexts ? k->gpu : gpu_of(l->function);
  if (k == &of_contexts)
    k = current_of(g, k, l->kernel);
  if (k == NULL && g != NULL && pthread_mutex_trylock(&kernels_lock) == 0) {
    int error = errno;
    k = see(g, l->kernel);
    errno = error;
    pthread_mutex_unlock(&kernels_lock);
  }
  return k == NULL ? NULL : with_versions(k);
}

kernel *kernels_find_now(void *function, void *handle) {
  const gpu *g = gpu_of(function);
  if (g == NULL)
    return NULL;
  pthread_mutex_lock(&kernels_lock);
  kernel *k = see(g, handle);
  pthread_mutex_unlock(&kernels_lock);
  return with_versions(k);
}

kernel *kernels_first(void) { return first; }

// ---- versions that are made meanwhile ----------------------------------------------------------

uint64_t kernels_time(const kernel *k) {
  uint64_t time = 0;
  for (const shape *s = k->shapes; s != NULL; s = s->next)
    time +=
        lin_trial_time(&s->trial) + lin_times_median(&s->shares, 0) * atomic_load(&s->uncounted);
  return time;
}

// Threads that launch it may have it at hand: it stays, and nobody finds it any more.
static void retire(kernel *k) {
  static kernel *retired;
  kernel **at = &first;
  while (*at != k)
    at = &(*at)->next;
  *at = k->next;
  for (const shape *s = k->shapes; s != NULL; s = s->next)
    timing_end_all(s);
  k->next = retired;
  retired = k;
}

static void stop_waiting(kernel *k) {
  k->waits = false;
  for (shape *s = k->shapes; s != NULL; s = s->next)
    lin_trial_decide(&s->trial, 0);
}

void kernels_wait(kernel *k) {
  void *function, *module;
  const making_state state = making_go_on(k->making, kernels_time(k));
  if (state == MAKING_WAITS)
    return;
  stop_waiting(k);
  if (state == MAKING_NOTHING || !gpu_function(k->gpu, k->handle, &function, &module))
    return;
  const kernel seen = {.gpu = k->gpu,
                       .handle = k->handle,
                       .key = k->key,
                       .context = k->context,
                       .module = k->module,
                       .library = k->library,
                       .making = k->making,
                       .cache = k->cache,
                       .versions = 1};
  k->making = NULL; // whatever comes of it
  kernel *made = look_into_module(&seen, function);
  put(k->key, made);
  retire(k);
  if (made != &nothing)
    made->before = k;
}

// ---- versions of a kernel ----------------------------------------------------------------------

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

// ---- shapes ------------------------------------------------------------------------------------

// What tells launches apart, and so shapes.
typedef struct shape_key {
  unsigned grid[3], block[3], shared;
  uint64_t sizes;
  bool is_class;
} shape_key;

static bool is_shape(const shape *s, const shape_key *key) {
  return memcmp(s->grid, key->grid, sizeof s->grid) == 0 &&
         memcmp(s->block, key->block, sizeof s->block) == 0 && s->shared == key->shared &&
         s->sizes == key->sizes && s->is_class == key->is_class;
}

static uint32_t hash_shape(const shape_key *key) {
  uint64_t hash = key->sizes ^ key->shared ^ (key->is_class ? UINT64_C(1) << 63 : 0);
  for (int i = 0; i < 3; i++)
    hash = (hash ^ key->grid[i] ^ (uint64_t)key->block[i] << 32) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(hash >> 32);
}

enum { SHAPE_SLOTS = 2 * KERNELS_MOST_SHAPES };

// Its place in the table, or a free one: as there are at most half as many shapes, there is one.
static shape *_Atomic *place_of_shape(kernel *k, const shape_key *key) {
  for (uint32_t at = hash_shape(key);; at++) {
    shape *_Atomic *place = &k->shape_table[at % SHAPE_SLOTS];
    const shape *there = atomic_load_explicit(place, memory_order_acquire);
    if (there == NULL || is_shape(there, key))
      return place;
  }
}

static shape *find_shape(kernel *k, const shape_key *key) {
  return atomic_load_explicit(place_of_shape(k, key), memory_order_acquire);
}

uint64_t kernels_threads(const shape *s, bool *is_line) {
  uint64_t blocks = 1, of_block = 1;
  *is_line = true;
  for (int i = 0; i < 3; i++) {
    blocks = blocks <= UINT32_MAX ? blocks * s->grid[i] : blocks;
    of_block = of_block <= UINT32_MAX ? of_block * s->block[i] : of_block;
    *is_line &= i == 0 || (s->grid[i] == 1 && s->block[i] == 1);
  }
  if (s->is_class || blocks > UINT32_MAX || of_block > UINT32_MAX || blocks * of_block > UINT32_MAX)
    return 0;
  return blocks * of_block;
}

static void begin_trial(kernel *k, shape *s, const shape_key *key) {
  const shape *before = k->before == NULL ? NULL : find_shape(k->before, key);
  remembered_begin(k, s);
  if (before == NULL)
    return;
  const int quiet = atomic_load(&before->quiet);
  const uint32_t unasked = (uint32_t)(before->granted - (quiet > 0 ? quiet : 0));
  lin_trial_follow(&s->trial, &before->trial, unasked + atomic_load(&before->uncounted));
}

static shape *add_shape(kernel *k, const shape_key *key) {
  shape *s = k->num_shapes == KERNELS_MOST_SHAPES
                 ? NULL
                 : calloc(1, offsetof(shape, trial) + lin_trial_size(k->versions));
  if (s == NULL)
    return NULL;
  memcpy(s->grid, key->grid, sizeof s->grid);
  memcpy(s->block, key->block, sizeof s->block);
  s->shared = key->shared;
  s->sizes = key->sizes;
  s->is_class = key->is_class;
  lin_trial_begin(&s->trial, k->versions);
  for (uint32_t v = 1; v < k->versions; v++)
    if ((k->takes_order >> v & 1) != 0)
      lin_trial_is_made_for(&s->trial, v);
  if (k->versions > 1)
    begin_trial(k, s, key);
  else if (!k->waits)
    lin_trial_decide(&s->trial, 0);
  s->next = k->shapes;
  k->num_shapes++;
  atomic_store_explicit(&k->shapes, s, memory_order_release);
  atomic_store_explicit(place_of_shape(k, key), s, memory_order_release);
  return s;
}

static unsigned round_up(unsigned number) {
  return number < 2          ? number
         : number > 1U << 31 ? UINT32_MAX
                             : 1U << (32 - __builtin_clz(number - 1));
}

// What isn't known by its own shape, once there are many of these, is of a class. Takes no lock.
static shape *find_near(kernel *k, shape_key *key) {
  shape *s = find_shape(k, key);
  if (s != NULL ||
      atomic_load_explicit(&k->num_shapes, memory_order_relaxed) < KERNELS_EXACT_SHAPES)
    return s;
  for (int i = 0; i < 3; i++)
    key->grid[i] = round_up(key->grid[i]);
  key->is_class = true;
  return find_shape(k, key);
}

shape *kernels_shape(kernel *k, const launch *l, uint64_t sizes) {
  shape_key key = {.shared = l->shape.shared, .sizes = sizes};
  memcpy(key.grid, l->shape.grid, sizeof key.grid);
  memcpy(key.block, l->shape.block, sizeof key.block);
  shape_key again = key;
  shape *s = find_near(k, &key);
  if (s != NULL || pthread_mutex_trylock(&kernels_lock) != 0)
    return s;
  int error = errno;
  s = find_near(k, &again); // another thread may have added it
  if (s == NULL)
    s = add_shape(k, &again);
  errno = error;
  pthread_mutex_unlock(&kernels_lock);
  return s;
}

// ---- forgetting --------------------------------------------------------------------------------

static bool is_of_modules(const kernel *k, const ending *e) {
  for (int i = 0; i < KERNELS_MOST_CONTEXTS && e->modules[i] != NULL; i++)
    if (k->module == e->modules[i])
      return true;
  return false;
}

static bool is_over(const kernel *k, const ending *e) {
  return (e->module != NULL && k->module == e->module) ||
         (e->library != NULL && k->library == e->library) ||
         (e->context != NULL && k->context == e->context) || k->device == e->device ||
         is_of_modules(k, e);
}

// A handle may come to stand for something else; so what had no versions is looked at again, too.
static void empty_slots(const ending *e) {
  for (uint32_t i = 0; i < SLOTS; i++) {
    kernel *k = table[i].kernel;
    bool is_marker = k == &nothing || k == &of_contexts;
    if (k != NULL && (is_marker || is_over(k, e)))
      table[i].kernel = NULL;
  }
}

void kernels_forget(ending e) {
  pthread_mutex_lock(&kernels_lock);
  empty_slots(&e);
  bool ends_context = e.context != NULL || e.device >= 0;
  for (kernel **at = &first; *at != NULL;) {
    kernel *k = *at;
    if (!is_over(k, &e)) {
      at = &k->next;
      continue;
    }
    *at = k->next;
    for (shape *s = k->shapes; s != NULL; s = s->next) {
      timing_end_all(s);
      orders_release(k, s, ends_context);
    }
    counters_release(k, ends_context);
    if (ends_context) {
      timing_forget(k->context);
      memory_forget(k->context);
    }
    found_keep(k);
    verdict_keep(k);
    release(k, ends_context);
  }
  pthread_mutex_unlock(&kernels_lock);
}

static uint32_t find_contexts(void *contexts[KERNELS_MOST_CONTEXTS]) {
  uint32_t count = 0;
  for (const kernel *k = first; k != NULL; k = k->next) {
    uint32_t i = 0;
    while (i < count && contexts[i] != k->context)
      i++;
    if (i == count && count < KERNELS_MOST_CONTEXTS)
      contexts[count++] = k->context;
  }
  return count;
}

void kernels_find_modules(ending *e, void *function, void *library) {
  void *contexts[KERNELS_MOST_CONTEXTS], *module;
  const gpu *g = gpu_of(function);
  if (g == NULL || g->cuLibraryGetModule == NULL)
    return;
  pthread_mutex_lock(&kernels_lock);
  uint32_t count = find_contexts(contexts), found = 0;
  pthread_mutex_unlock(&kernels_lock);
  for (uint32_t i = 0; i < count; i++) {
    if (!gpu_is_ok(g->cuCtxPushCurrent_v2(contexts[i])))
      continue;
    if (gpu_is_ok(g->cuLibraryGetModule(&module, library)))
      e->modules[found++] = module;
    g->cuCtxPopCurrent_v2(&contexts[i]);
  }
}
