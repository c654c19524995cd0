// The kernel `walk` of the module $MODULE, launched by the driver's functions:
//
//   client WAY [LAUNCHES]
//
// Prints `WAY: right` if each launch added 1 to each of the 64 counters, and the sum of the statuses.
// cuda.h isn't there: handles are pointers.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTERS = 64, BLOCK = 32 };

typedef int launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);
typedef int launch_configured(const void *, void *, void **, void **);
typedef int find(const char *, void **, int, uint64_t, int *);
#ifdef LINKED
launch cuLaunchKernel;
#endif

static void *library;
static int statuses;

// A call of the driver's function, which has to go well.
#define CALL(type, called, ...)                                                                    \
  do {                                                                                             \
    int(*f) type = (int(*) type)dlsym(library, #called);                                           \
    int status = f == NULL ? -1 : f(__VA_ARGS__);                                                  \
    if (status != 0)                                                                               \
      fprintf(stderr, "client: %s: %d\n", #called, status), exit(2);                               \
  } while (0)

static char *read_module(const char *name) {
  FILE *file = fopen(getenv(name), "r");
  char *text = calloc(1, 1 << 20);
  if (file == NULL || fread(text, 1, (1 << 20) - 1, file) == 0)
    abort();
  fclose(file);
  return text;
}

static void make_context(int device) {
  void *context;
  CALL((unsigned), cuInit, 0);
  CALL((void **, int), cuDevicePrimaryCtxRetain, &context, device);
  CALL((void *), cuCtxSetCurrent, context);
}

static void *load(const char *name, void **module) {
  void *kernel;
  CALL((void **, const void *), cuModuleLoadData, module, read_module(name));
  CALL((void **, void *, const char *), cuModuleGetFunction, &kernel, *module, "walk");
  return kernel;
}

static uint64_t make_counters(void) {
  uint64_t at;
  CALL((uint64_t *, size_t), cuMemAlloc_v2, &at, COUNTERS * sizeof(unsigned));
  CALL((uint64_t, unsigned, size_t), cuMemsetD32_v2, at, 0, COUNTERS);
  return at;
}

static int check(uint64_t at, unsigned expected) {
  unsigned got[COUNTERS];
  CALL((void *, uint64_t, size_t), cuMemcpyDtoH_v2, got, at, sizeof got);
  for (int i = 0; i < COUNTERS; i++)
    if (got[i] != expected)
      return printf("%u, not %u\n", got[i], expected), 0;
  return 1;
}

static void wait(void) { CALL((void), cuCtxSynchronize, ); }

static void launch_by(launch *function, void *kernel, uint64_t at, unsigned times, void *stream) {
  unsigned count = COUNTERS;
  void *arguments[] = {&at, &count};
  for (unsigned i = 0; i < times; i++) {
    statuses += function(kernel, COUNTERS / BLOCK, 1, 1, BLOCK, 1, 1, 0, stream, arguments, NULL);
    wait();
  }
}

static launch *usual(void) { return (launch *)dlsym(library, "cuLaunchKernel"); }

// ---- ways --------------------------------------------------------------------------------------

static int once(launch *function, unsigned times) {
  void *module, *kernel;
  make_context(0);
  kernel = load("MODULE", &module);
  uint64_t at = make_counters();
  launch_by(function, kernel, at, times, NULL);
  return check(at, times);
}

// Of the thread's own default stream.
static launch *of_thread(void) {
  void *found;
  int result;
  CALL((const char *, void **, int, uint64_t, int *), cuGetProcAddress_v2, "cuLaunchKernel", &found,
       13000, 2, &result);
  return (launch *)found;
}

static int buffer(unsigned times) {
  void *module, *kernel;
  make_context(0);
  kernel = load("MODULE", &module);
  struct {
    uint64_t at;
    unsigned count;
  } arguments = {make_counters(), COUNTERS};
  size_t size = 12;
  void *extra[] = {(void *)1, &arguments, (void *)2, &size, NULL};
  for (unsigned i = 0; i < times; i++) {
    statuses += usual()(kernel, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, extra);
    wait();
  }
  return check(arguments.at, times);
}

// A library's kernel, in two contexts.
static int kernels(unsigned times) {
  void *module, *kernel, *context[2];
  uint64_t at[2];
  int is_right = 1;
  CALL((unsigned), cuInit, 0);
  CALL((void **, const void *, void *, void *, unsigned, void *, void *, unsigned),
       cuLibraryLoadData, &module, read_module("MODULE"), NULL, NULL, 0, NULL, NULL, 0);
  for (int i = 0; i < 2; i++) {
    CALL((void **, unsigned, int), cuCtxCreate_v2, &context[i], 0, i);
    at[i] = make_counters();
  }
  CALL((void **, void *, const char *), cuLibraryGetKernel, &kernel, module, "walk");
  for (unsigned round = 0; round < times; round++)
    for (int i = 0; i < 2; i++) {
      CALL((void *), cuCtxSetCurrent, context[i]);
      launch_by(usual(), kernel, at[i], 1, NULL);
    }
  for (int i = 0; i < 2; i++) {
    CALL((void *), cuCtxSetCurrent, context[i]);
    is_right &= check(at[i], times);
  }
  CALL((void *), cuLibraryUnload, module);
  return is_right;
}

// Of a context that is destroyed, and then of another one.
static int contexts(unsigned times) {
  int is_right = 1;
  CALL((unsigned), cuInit, 0);
  for (int i = 0; i < 3; i++) {
    void *context, *module, *kernel;
    CALL((void **, unsigned, int), cuCtxCreate_v2, &context, 0, 0);
    kernel = load("MODULE", &module);
    uint64_t at = make_counters();
    launch_by(usual(), kernel, at, times, NULL);
    is_right &= check(at, times);
    CALL((void *), cuCtxDestroy_v2, context);
  }
  return is_right;
}

// The module $OTHER has another kernel of that name, of which the function may have the same handle.
static int unload(unsigned times) {
  void *module, *kernel;
  make_context(0);
  uint64_t at = make_counters(), other = make_counters();
  for (unsigned i = 0; i < 3; i++) {
    kernel = load("MODULE", &module);
    launch_by(usual(), kernel, at, times, NULL);
    CALL((void *), cuModuleUnload, module);
    kernel = load("OTHER", &module);
    launch_by(usual(), kernel, other, times, NULL);
    CALL((void *), cuModuleUnload, module);
  }
  return check(at, 3 * times) && check(other, 300 * times);
}

// The same of libraries, whose kernels are launched as functions.
static void *load_library(const char *name, void **made) {
  void *kernel, *function;
  CALL((void **, const void *, void *, void *, unsigned, void *, void *, unsigned),
       cuLibraryLoadData, made, read_module(name), NULL, NULL, 0, NULL, NULL, 0);
  CALL((void **, void *, const char *), cuLibraryGetKernel, &kernel, *made, "walk");
  CALL((void **, void *), cuKernelGetFunction, &function, kernel);
  return function;
}

static int unload_libraries(unsigned times) {
  void *loaded;
  make_context(0);
  uint64_t at = make_counters(), other = make_counters();
  for (unsigned i = 0; i < 3; i++) {
    launch_by(usual(), load_library("MODULE", &loaded), at, times, NULL);
    CALL((void *), cuLibraryUnload, loaded);
    launch_by(usual(), load_library("OTHER", &loaded), other, times, NULL);
    CALL((void *), cuLibraryUnload, loaded);
  }
  return check(at, 3 * times) && check(other, 300 * times);
}

// More modules than are kept.
static int many(unsigned times) {
  void *module, *kernel;
  char *text = read_module("MODULE");
  make_context(0);
  uint64_t at = make_counters();
  for (unsigned i = 0; i < 10000; i++) {
    CALL((void **, const void *), cuModuleLoadData, &module, text);
    CALL((void **, void *, const char *), cuModuleGetFunction, &kernel, module, "walk");
    launch_by(usual(), kernel, at, 1, NULL);
    CALL((void *), cuModuleUnload, module);
  }
  kernel = load("MODULE", &module);
  launch_by(usual(), kernel, at, times, NULL);
  return 1; // kernels do nothing
}

// More shapes than are kept: grids of about the same size are one.
static int classes(unsigned times) {
  uint64_t at = 0;
  unsigned count = 0;
  void *module, *kernel, *arguments[] = {&at, &count};
  make_context(0);
  kernel = load("MODULE", &module);
  for (unsigned i = 0; i < times; i++)
    for (unsigned grid = 2; grid < 202; grid++) {
      statuses += usual()(kernel, grid, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL);
      wait();
    }
  return 1; // kernels do nothing
}

// The same, far ahead of the GPU.
static int shapes(unsigned times) {
  void *module, *kernel;
  unsigned count = COUNTERS;
  make_context(0);
  kernel = load("MODULE", &module);
  uint64_t at = make_counters();
  void *arguments[] = {&at, &count};
  for (unsigned i = 0; i < times; i++)
    for (unsigned grid = 2; grid < 202; grid++)
      statuses += usual()(kernel, grid, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL);
  wait();
  return check(at, 200 * times);
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "";
  unsigned times = argc > 2 ? (unsigned)atoi(argv[2]) : 100;
  library = dlopen("libcuda.so.1", RTLD_LAZY);
  int is_right = 0;
  if (strcmp(way, "dlsym") == 0)
    is_right = once(usual(), times);
#ifdef LINKED
  else if (strcmp(way, "linked") == 0)
    is_right = once(cuLaunchKernel, times);
#endif
  else if (strcmp(way, "of-thread") == 0)
    is_right = once(of_thread(), times);
  else if (strcmp(way, "buffer") == 0)
    is_right = buffer(times);
  else if (strcmp(way, "kernels") == 0)
    is_right = kernels(times);
  else if (strcmp(way, "contexts") == 0)
    is_right = contexts(times);
  else if (strcmp(way, "unload") == 0)
    is_right = unload(times);
  else if (strcmp(way, "unload-libraries") == 0)
    is_right = unload_libraries(times);
  else if (strcmp(way, "classes") == 0)
    is_right = classes(times);
  else if (strcmp(way, "many") == 0)
    is_right = many(times);
  else if (strcmp(way, "shapes") == 0)
    is_right = shapes(times);
  printf("%s: %s, statuses %d\n", way, is_right ? "right" : "WRONG", statuses);
  return !is_right;
}
