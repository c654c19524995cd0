// The kernel `k`, which has a version, on several streams; kernels do nothing:
//
//   streams WAY LAUNCHES EACH
//
// LAUNCHES in turn on all streams; after each EACH of them somebody waits for these.
// Prints `WAY: N wrong`, of all calls.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, NON_BLOCKING = 1, RELAXED = 2 };

#define FUNCTION(type, name) ((int(*) type)(uintptr_t)dlsym(library, #name))
#define CALL(type, name, ...) (wrong += FUNCTION(type, name)(__VA_ARGS__) != 0)

static void *library, *kernel, *unknown, *stream[MOST];
static int wrong, count = 4;
static const char *way;

static int is_way(const char *name) { return strcmp(way, name) == 0; }

static void launch(void *of, void *on) {
  uint64_t at = 0;
  unsigned number = 0;
  void *arguments[] = {&at, &number};
  CALL((void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
        void **, void **),
       cuLaunchKernel, of, 2, 1, 1, 32, 1, 1, 0, on, arguments, NULL);
}

static void cooperate(void *of, void *on) {
  uint64_t at = 0;
  unsigned number = 0;
  void *arguments[] = {&at, &number};
  CALL((void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
        void **),
       cuLaunchCooperativeKernel, of, 2, 1, 1, 32, 1, 1, 0, on, arguments);
}

// For the streams that have launches in turn, but for one with other work in front of them.
static void wait(void) {
  for (int i = is_way("before"); i < count; i++)
    CALL((void *), cuStreamSynchronize, stream[i]);
}

static void make(int i) { CALL((void **, unsigned), cuStreamCreate, &stream[i], NON_BLOCKING); }

static void begin(void) {
  void *context, *module;
  char *text = calloc(1, 1 << 16);
  FILE *file = fopen(getenv("MODULE"), "r");
  if (file == NULL || fread(text, 1, (1 << 16) - 1, file) == 0)
    abort();
  fclose(file);
  library = dlopen("libcuda.so.1", RTLD_LAZY);
  CALL((unsigned), cuInit, 0);
  CALL((void **, int), cuDevicePrimaryCtxRetain, &context, 0);
  CALL((void *), cuCtxSetCurrent, context);
  CALL((void **, const void *), cuModuleLoadData, &module, text);
  CALL((void **, void *, const char *), cuModuleGetFunction, &kernel, module, "k");
  CALL((void **, void *, const char *), cuModuleGetFunction, &unknown, module, "spin");
}

static void callback(void *of) { (void)of; }

static void launch_graph(void *on) {
  void *graph, *made;
  CALL((void *, int), cuStreamBeginCapture_v2, on, RELAXED);
  launch(kernel, on);
  CALL((void *, void **), cuStreamEndCapture, on, &graph);
  CALL((void **, void *, unsigned long long), cuGraphInstantiateWithFlags, &made, graph, 0);
  CALL((void *, void *), cuGraphLaunch, made, on);
}

// Work of which nobody knows whether it ends: on a stream of its own, which nobody waits for, or of which there is
// nothing to know any more; or in front of other work.
static void begin_way(void) {
  if (is_way("nine") || is_way("eight"))
    count = is_way("nine") ? 9 : 8;
  for (int i = 0; i < count + 1; i++)
    make(i);
  if (is_way("legacy"))
    stream[0] = NULL;
  if (is_way("of-thread"))
    stream[0] = (void *)2;
  if (is_way("unknown") || is_way("before"))
    launch(unknown, stream[is_way("before") ? 0 : count]);
  if (is_way("cooperative"))
    cooperate(kernel, stream[count]);
  if (is_way("graph"))
    launch_graph(stream[count]);
  if (is_way("gone")) {
    launch(unknown, stream[count]);
    CALL((void *), cuStreamDestroy_v2, stream[count]);
  }
  if (is_way("host"))
    CALL((void *, void (*)(void *), void *), cuLaunchHostFunc, stream[count], callback, NULL);
  if (is_way("captured")) {
    launch(kernel, stream[count]);
    CALL((void *), cuStreamSynchronize, stream[count]);
    CALL((void *, int), cuStreamBeginCapture_v2, stream[count], RELAXED);
  }
}

// In turn, or the first one of each stream in turn, and then 40 on each.
static int next_of(int i) { return is_way("deep") && i % 160 >= count ? i % 160 / 40 : i % count; }

static void go_on(int i) {
  if (is_way("come-and-go") && i % 10 == 9) {
    const int which = i / 10 % count;
    CALL((void *), cuStreamDestroy_v2, stream[which]);
    make(which);
  }
  if (is_way("later") && i == 100)
    launch(unknown, stream[count]);
  if (is_way("captured") && i == 400) {
    void *graph;
    CALL((void *, void **), cuStreamEndCapture, stream[count], &graph);
  }
}

int main(int argc, char **argv) {
  const int launches = argc > 3 ? atoi(argv[2]) : 0, each = argc > 3 ? atoi(argv[3]) : 1;
  way = argc > 3 ? argv[1] : "";
  begin();
  begin_way();
  for (int i = 0; i < launches; i++) {
    launch(kernel, stream[next_of(i)]);
    go_on(i);
    if (i % each == each - 1)
      wait();
  }
  CALL((void), cuCtxSynchronize, );
  printf("%s: %d wrong\n", way, wrong);
  return wrong != 0;
}
