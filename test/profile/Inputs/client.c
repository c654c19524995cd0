// Launches a kernel of 2 x 128 threads as programs do: client WAY FUNCTION [LAUNCHES [KERNEL]]
//
// WAY is dlsym, proc (cuGetProcAddress), linked, threads (from 4 threads, by dlsym), fork (from a child,
// too), abort (and then the program does) or wait (and then it does, to be interrupted); KERNEL a handle.
// Prints the sum of the statuses.
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

static const char *name;
static void *function, *kernel;
static int times;

static int call(void) {
  int sum = 0;
  for (int i = 0; i < times; i++) {
    struct {
      unsigned number[7];
      void *stream, *attributes;
      unsigned count;
    } shape = {{2, 1, 1, 16, 8, 1, 0}, NULL, NULL, 0};
    sum += strcmp(name, "cuLaunchKernelEx") == 0
               ? ((launch_configured *)function)(&shape, kernel, NULL, NULL)
               : ((launch *)function)(kernel, 2, 1, 1, 16, 8, 1, 0, NULL, NULL, NULL);
  }
  return sum;
}

static void *call_in_thread(void *context) {
  (void)context;
  if (call() != 0)
    abort();
  return NULL;
}

int main(int argc, char **argv) {
  const char *way = argv[1];
  name = argv[2];
  times = argc > 3 ? atoi(argv[3]) : 1;
  kernel = (void *)(intptr_t)(argc > 4 ? atoi(argv[4]) : 1);
  void *library = dlopen("libcuda.so.1", RTLD_LAZY);
#ifdef LINKED
  function = (void *)cuLaunchKernel;
#else
  function = dlsym(library, name);
#endif
  int result;
  if (strcmp(way, "proc") == 0)
    ((find *)dlsym(library, "cuGetProcAddress_v2"))(name, &function, 13000, 0, &result);
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
