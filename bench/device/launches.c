// launches CUBIN: what a launch takes of the CPU, for bench/device/launches: lines of a kind and nanoseconds. `other` and
// `empty` are kernels of the cubin that do nothing; `events` is `other` between two events. Whether a library is in front
// of the driver is the environment's business.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCHES = 41, BATCH = 200 };

typedef int launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);

static void *library, *events[2];
static launch *launch_kernel;

#define CALL(type, name, ...)                                                                      \
  do {                                                                                             \
    static int(*called) type;                                                                      \
    if (called == NULL)                                                                            \
      called = (int(*) type)(uintptr_t)dlsym(library, #name);                                      \
    int status = called == NULL ? -1 : called(__VA_ARGS__);                                        \
    if (status != 0)                                                                               \
      fprintf(stderr, "launches: %s: %d\n", #name, status), exit(1);                               \
  } while (0)

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

// The median of batches that the driver's queue has room for.
static double measure(void *function, int with_events) {
  double ns[BATCHES];
  void *arguments[] = {NULL};
  for (int batch = 0; batch < BATCHES; batch++) {
    double start = now();
    for (int i = 0; i < BATCH; i++) {
      if (with_events)
        CALL((void *, void *), cuEventRecord, events[0], NULL);
      launch_kernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL);
      if (with_events)
        CALL((void *, void *), cuEventRecord, events[1], NULL);
    }
    ns[batch] = (now() - start) / BATCH;
    CALL((void), cuCtxSynchronize, );
  }
  qsort(ns, BATCHES, sizeof *ns, by_size);
  return ns[BATCHES / 2];
}

int main(int argc, char **argv) {
  void *context, *module, *other, *empty;
  library = dlopen("libcuda.so.1", RTLD_LAZY);
  if (argc != 2 || library == NULL)
    return fprintf(stderr, "launches: CUBIN is wanted, and libcuda.so.1\n"), 2;
  launch_kernel = (launch *)(uintptr_t)dlsym(library, "cuLaunchKernel");
  CALL((unsigned), cuInit, 0);
  CALL((void **, int), cuDevicePrimaryCtxRetain, &context, 0);
  CALL((void *), cuCtxSetCurrent, context);
  for (int i = 0; i < 2; i++)
    CALL((void **, unsigned), cuEventCreate, &events[i], 0);
  CALL((void **, const char *), cuModuleLoad, &module, argv[1]);
  CALL((void **, void *, const char *), cuModuleGetFunction, &other, module, "other");
  CALL((void **, void *, const char *), cuModuleGetFunction, &empty, module, "empty");
  printf("other %.1f\n", measure(other, 0));
  printf("empty %.1f\n", measure(empty, 0));
  printf("events %.1f\n", measure(other, 1));
  return 0;
}
