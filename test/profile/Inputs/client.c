// Launches the kernel `ways` of the module $MODULE, 2 x 128 threads ($GRID x 128), as programs do:
//
//   client WAY FUNCTION [LAUNCHES [HANDLE [STATUS]]]
//
// WAY is dlsym, proc (cuGetProcAddress), linked, threads (from 4 threads, by dlsym), captured (its stream
// is), fewer (each launch has a thread block less, down to one, and then as many again, 10 ms later), late (behind the second launch it waits for the GPU), other (that, and the second launch is one of
// `ends`), fork (a child ends, too), abort (and then the program does) or wait (and then it does, to be
// interrupted); HANDLE 1 is a function, 2 a library's kernel. Prints the sum of the statuses; ends with
// STATUS.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);
typedef int launch_configured(const void *, void *, void **, void **);
typedef int find(const char *, void **, int, uint64_t, int *);
#ifdef LINKED
launch cuLaunchKernel;
#endif

static const char *name, *way;
static void *library, *function, *kernel, *other, *context, *stream;
static uint64_t buffer;
static int times;
static unsigned grid = 2;

// A call of the driver's function, which has to go well.
#define CALL(type, called, ...)                                                                    \
  do {                                                                                             \
    int(*f) type = (int(*) type)dlsym(library, #called);                                           \
    if (f == NULL || f(__VA_ARGS__) != 0)                                                          \
      fprintf(stderr, "client: %s failed\n", #called), abort();                                    \
  } while (0)

static void make_context(void) {
  CALL((unsigned), cuInit, 0);
  CALL((void **, int), cuDevicePrimaryCtxRetain, &context, 0);
  CALL((void *), cuCtxSetCurrent, context);
}

static char *read_module(void) {
  FILE *file = fopen(getenv("MODULE"), "r");
  char *text = calloc(1, 1 << 20);
  if (file == NULL || fread(text, 1, (1 << 20) - 1, file) == 0)
    abort();
  fclose(file);
  return text;
}

static void find_kernel(int handle) {
  void *module, *text = read_module();
  if (handle == 1) {
    CALL((void **, const void *), cuModuleLoadData, &module, text);
    CALL((void **, void *, const char *), cuModuleGetFunction, &kernel, module, "ways");
    CALL((void **, void *, const char *), cuModuleGetFunction, &other, module, "ends");
  } else {
    CALL((void **, const void *, void *, void *, unsigned, void *, void *, unsigned),
         cuLibraryLoadData, &module, text, NULL, NULL, 0, NULL, NULL, 0);
    CALL((void **, void *, const char *), cuLibraryGetKernel, &kernel, module, "ways");
  }
}

// As linearize-simt's buf:u32:256:random.
static void make_buffer(void) {
  const unsigned count = 128 * grid;
  uint32_t *words = calloc(count, sizeof *words);
  uint64_t random = 1;
  for (unsigned i = 0; i < count; i++) {
    uint64_t z = random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    words[i] = (uint32_t)((z ^ z >> 31) >> 32);
  }
  CALL((uint64_t *, size_t), cuMemAlloc_v2, &buffer, count * sizeof *words);
  CALL((uint64_t, const void *, size_t), cuMemcpyHtoD_v2, buffer, words, count * sizeof *words);
  free(words);
}

static int call(void) {
  int sum = 0;
  const unsigned most = grid;
  for (int i = 0; i < times; i++) {
    if (strcmp(way, "fewer") == 0) {
      grid = most - (unsigned)i % most;
      usleep(10000);
    }
    struct {
      unsigned number[7];
      void *stream, *attributes;
      unsigned count;
    } shape = {{grid, 1, 1, 16, 8, 1, 0}, stream, NULL, 0};
    void *arguments[] = {&buffer}, *launched = i == 1 && strcmp(way, "other") == 0 ? other : kernel;
    sum += strcmp(name, "cuLaunchKernelEx") == 0
               ? ((launch_configured *)function)(&shape, launched, arguments, NULL)
               : ((launch *)function)(launched, grid, 1, 1, 16, 8, 1, 0, stream, arguments, NULL);
    if (i == 1 && (strcmp(way, "other") == 0 || strcmp(way, "late") == 0))
      CALL((void), cuCtxSynchronize);
  }
  return sum;
}

static void *call_in_thread(void *unused) {
  (void)unused;
  CALL((void *), cuCtxSetCurrent, context);
  if (call() != 0)
    abort();
  return NULL;
}

int main(int argc, char **argv) {
  way = argv[1];
  name = argv[2];
  times = argc > 3 ? atoi(argv[3]) : 1;
  if (getenv("GRID") != NULL)
    grid = (unsigned)atoi(getenv("GRID"));
  library = dlopen("libcuda.so.1", RTLD_LAZY);
  make_context();
  find_kernel(argc > 4 ? atoi(argv[4]) : 1);
  make_buffer();
#ifdef LINKED
  function = (void *)cuLaunchKernel;
#else
  function = dlsym(library, name);
#endif
  int result;
  if (strcmp(way, "proc") == 0)
    CALL((const char *, void **, int, uint64_t, int *), cuGetProcAddress_v2, name, &function, 13000,
         0, &result);
  if (strcmp(way, "captured") == 0) {
    CALL((void **, unsigned), cuStreamCreate, &stream, 0);
    CALL((void *, int), cuStreamBeginCapture_v2, stream, 0);
  }
  if (strcmp(way, "threads") == 0) {
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
      pthread_create(&thread[i], NULL, call_in_thread, NULL);
    for (int i = 0; i < 4; i++)
      pthread_join(thread[i], NULL);
  } else {
    printf("status %d\n", call());
  }
  fflush(stdout);
  if (strcmp(way, "fork") == 0) {
    if (fork() == 0)
      exit(0);
    wait(NULL);
  }
  if (strcmp(way, "abort") == 0)
    abort();
  if (strcmp(way, "wait") == 0)
    sleep(100);
  return argc > 5 ? atoi(argv[5]) : 0;
}
