// stress [launches] [log] [threads]
//
// Launches from 8 threads on 16 streams, of kernels with versions and without, in more shapes than
// are kept, while contexts, modules and streams come and go, streams are captured, graphs launched
// and functions of the driver fail: through the library that chooses versions, in front of the
// driver that isn't one (test/standin), both built with a sanitizer. Kernels do nothing. A launch
// that succeeded has to have been run once, by whichever version; one that failed, not at all; and
// a counter that a version takes was 0 and nobody else's (test/standin/counters.c). Three threads
// or fewer have one context, and work that ends by itself, but for graphs: so launches are made to
// run alone. Prints `N launches, F wrong`.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { THREADS = 8, KERNELS = 6, SHAPES = 90, TURN = 64 };

// What the library and the driver have, by their names.
typedef int launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);
static void *library;
static launch *launch_kernel;
static void (*data_changed)(void);

#define FUNCTION(type, name) ((int(*) type)(uintptr_t)dlsym(library, #name))
#define CALL(type, name, ...)                                                                      \
  do {                                                                                             \
    int called = FUNCTION(type, name)(__VA_ARGS__);                                                \
    if (called != 0)                                                                               \
      fprintf(stderr, "stress: %s: %d\n", #name, called), abort();                                 \
  } while (0)

static const char image[] =
    "idle\n"
    "kernel plain_only 8 4\n"
    "kernel k0 8 4\nkernel k0__linearize_needed 8 4\nkernel k0__linearize_paper 8 4\n"
    "global __linearize_versions_k0 linearize-versions 1 0000000000000001\\tends\\n"
    "needed\\tk0__linearize_needed\\npaper\\tk0__linearize_paper\\n\n"
    "kernel k1 8 4\nkernel k1__linearize_needed 8 4\n"
    "global __linearize_versions_k1 linearize-versions 1 0000000000000002\\tends\\n"
    "needed\\tk1__linearize_needed\\n\n"
    "kernel k2 8 4\nkernel k2__linearize_needed 8 4\n"
    "global __linearize_versions_k2 linearize-versions 1 0000000000000003\\tends\\n"
    "needed\\tk2__linearize_needed\\n\n"
    "kernel k3 8 4\nkernel k3__linearize_redirected 8 4 8\nkernel k3__linearize_paper_redirected 8 "
    "4 8\n"
    "kernel k3__linearize_needed 8 4\nkernel k3__linearize_inspect 8 4 8\n"
    "global __linearize_versions_k3 linearize-versions 1 0000000000000004\\tends\\n"
    "redirected\\tk3__linearize_redirected\\torder\\tk3__linearize_inspect\\n"
    "paper.redirected\\tk3__linearize_paper_redirected\\torder of a line\\tk3__linearize_inspect\\n"
    "needed\\tk3__linearize_needed\\n\n"
    "kernel k4 8 4\nkernel k4__linearize_refilled 8 4 8\nkernel k4__linearize_paper_refilled 8 4 "
    "8\n"
    "global __linearize_versions_k4 linearize-versions 1 0000000000000005\\tends\\n"
    "refilled\\tk4__linearize_refilled\\tcounter\\n"
    "paper.refilled\\tk4__linearize_paper_refilled\\tcounter of a line\\n\n";
static const char *const names[KERNELS] = {"plain_only", "k0", "k1", "k2", "k3", "k4"};

static void *context, *kernels[KERNELS];
static atomic_ullong succeeded[KERNELS];
static unsigned long launches;
static unsigned threads = THREADS, shapes = SHAPES;

static uint64_t next(uint64_t *state) {
  *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
  return *state >> 11;
}

static void find_kernels(void *module, void *found[KERNELS]) {
  for (int k = 0; k < KERNELS; k++)
    CALL((void **, void *, const char *), cuModuleGetFunction, &found[k], module, names[k]);
}

static int launch_one(void *kernel, uint64_t *state, void *stream) {
  uint64_t at = next(state) % 256 == 0; // kernels of other addresses have orders of their own
  unsigned count = 0;
  void *arguments[] = {&at, &count};
  return launch_kernel(kernel, 1 + (unsigned)(next(state) % shapes), 1, 1, 32, 1, 1, 0, stream,
                       arguments, NULL);
}

// Orders of threads end with their stream.
static void make_anew(void **stream) {
  CALL((void *), cuStreamDestroy_v2, *stream);
  CALL((void **, unsigned), cuStreamCreate, stream, 1);
}

// A module of the thread's own, for a while. It may end while its launches are under way.
static void use_module(uint64_t *state, void *stream) {
  void *module, *own[KERNELS];
  CALL((void **, const void *), cuModuleLoadData, &module, image);
  find_kernels(module, own);
  for (int i = 0; i < TURN; i++) {
    int k = (int)(next(state) % KERNELS);
    succeeded[k] += launch_one(own[k], state, stream) == 0;
  }
  if (next(state) % 2 == 0)
    CALL((void *), cuStreamSynchronize, stream);
  CALL((void *), cuModuleUnload, module);
}

// A context of the thread's own, for a while, with a module and a stream.
static void use_context(uint64_t *state) {
  void *own, *stream;
  CALL((void **, unsigned, int), cuCtxCreate_v2, &own, 0, 0);
  CALL((void **, unsigned), cuStreamCreate, &stream, 1);
  use_module(state, stream);
  CALL((void *), cuCtxDestroy_v2, own);
  CALL((void *), cuCtxSetCurrent, context);
}

// What is captured is run by its graph, as often as that is launched, also twice at a time.
static void capture(uint64_t *state, void *stream, void *other) {
  enum { RELAXED = 2 };
  void *graph, *made;
  unsigned captured[KERNELS] = {0};
  CALL((void *, int), cuStreamBeginCapture_v2, stream, RELAXED);
  for (int i = 0; i < 8; i++) {
    int k = (int)(next(state) % KERNELS);
    captured[k] += launch_one(kernels[k], state, stream) == 0;
  }
  CALL((void *, void **), cuStreamEndCapture, stream, &graph);
  CALL((void **, void *, unsigned long long), cuGraphInstantiateWithFlags, &made, graph, 0);
  for (int i = 0; i < 2; i++) {
    CALL((void *, void *), cuGraphLaunch, made, i == 0 ? stream : other);
    for (int k = 0; k < KERNELS; k++)
      succeeded[k] += captured[k];
  }
  CALL((void *), cuGraphExecDestroy, made);
  CALL((void *), cuGraphDestroy, graph);
}

static void *run(void *argument) {
  uint64_t state = (uintptr_t)argument + 1;
  void *stream[2];
  CALL((void *), cuCtxSetCurrent, context);
  for (int i = 0; i < 2; i++)
    CALL((void **, unsigned), cuStreamCreate, &stream[i], 1);
  for (unsigned long i = 0; i < launches / threads; i++) {
    int k = (int)(threads < 4 ? 1 + next(&state) % (KERNELS - 1) : next(&state) % KERNELS);
    void *on = stream[next(&state) % 2];
    succeeded[k] += launch_one(kernels[k], &state, on) == 0;
    if (i % TURN == 0)
      CALL((void *), cuStreamSynchronize, on);
    if (i % TURN == 0 && threads < 4)
      CALL((void), cuCtxSynchronize, );
    if (i % 10000 == 5000)
      use_module(&state, on);
    if (i % 1000 == 500)
      capture(&state, on, on == stream[0] ? stream[1] : stream[0]);
    if (i % 5000 == 3500 && threads > 3)
      use_context(&state);
    if (i % 2000 == 1500)
      make_anew(&stream[next(&state) % 2]);
    if (i % 3000 == 2500)
      data_changed();
  }
  for (int i = 0; i < 2; i++) {
    CALL((void *), cuStreamSynchronize, stream[i]);
    CALL((void *), cuStreamDestroy_v2, stream[i]);
  }
  return NULL;
}

// How often the driver ran what stands for kernel k, by its log.
static unsigned long long count_runs(const char *log, int k) {
  char line[256], name[128];
  unsigned long long all = 0, runs;
  FILE *file = fopen(log, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "%127[^:]: %llu launches", name, &runs) == 2 &&
        strncmp(name, names[k], strlen(names[k])) == 0 &&
        strstr(name, "__linearize_inspect") == NULL)
      all += runs;
  if (file != NULL)
    fclose(file);
  return all;
}

// How many counters were wrong, by the same log.
static unsigned long long count_wrong(const char *log) {
  char line[256];
  unsigned long long used = 0, wrong = 0;
  FILE *file = fopen(log, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "counters: %llu used, %llu wrong", &used, &wrong) == 2)
      printf("%s", line);
  if (file != NULL)
    fclose(file);
  return wrong;
}

int main(int argc, char **argv) {
  launches = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
  threads = argc > 3 ? (unsigned)atoi(argv[3]) : threads;
  shapes = threads < 4 ? 2 : SHAPES;
  pthread_t thread[THREADS];
  void *module;
  library = dlopen("libcuda.so.1", RTLD_LAZY);
  launch_kernel = (launch *)(uintptr_t)dlsym(library, "cuLaunchKernel");
  data_changed = (void (*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "linearize_versions_data_changed");
  CALL((unsigned), cuInit, 0);
  CALL((void **, int), cuDevicePrimaryCtxRetain, &context, 0);
  CALL((void *), cuCtxSetCurrent, context);
  CALL((void **, const void *), cuModuleLoadData, &module, image);
  find_kernels(module, kernels);
  for (uintptr_t i = 0; i < threads; i++)
    pthread_create(&thread[i], NULL, run, (void *)i);
  for (unsigned i = 0; i < threads; i++)
    pthread_join(thread[i], NULL);
  CALL((void), cuCtxSynchronize, );
  CALL((const char *), stand_in_tell, argv[2]);
  unsigned long long all = 0, wrong = count_wrong(argv[2]);
  for (int k = 0; k < KERNELS; k++) {
    unsigned long long runs = count_runs(argv[2], k), told = succeeded[k];
    printf("%s: %llu succeeded, %llu were run\n", names[k], told, runs);
    all += told;
    wrong += runs > told ? runs - told : told - runs;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%ld MB at most\n", usage.ru_maxrss / 1024);
  printf("%llu launches, %llu wrong\n", all, wrong);
  return wrong != 0;
}
