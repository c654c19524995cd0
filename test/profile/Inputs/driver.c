// Stands in for the driver: the GPU's memory is the program's, a launch of the kernel $FAKE_KERNEL
// writes the counters of $FAKE_COUNTERS into the buffer that its variable names, and its text is that
// of $FAKE_TEXT. $FAKE_FAILS is a function that fails; $FAKE_CAPTURED has all streams captured. With
// $FAKE_ENDS=N the first kernel doesn't end before N launches: until then only the first half of its
// threads have; $FAKE_OTHER=N has the launch with that number be one of another kernel. $FAKE_STATUS is what
// cuInit says.
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  uint64_t buffer;
  uint32_t capacity, sample;
} variable = {0, 0, 1};

static int allocated, launches;

// What the first launch has still to write.
static struct {
  char *counters;
  uint64_t buffer;
  size_t size;
} rest;

static int status(const char *function) {
  const char *fails = getenv("FAKE_FAILS");
  return fails != NULL && strcmp(fails, function) == 0 ? 1 : 0;
}

static char *read_file(const char *environment, size_t *size) {
  FILE *file = fopen(getenv(environment), "rb");
  if (file == NULL)
    abort();
  char *data = calloc(1, 1 << 20);
  *size = fread(data, 1, (1 << 20) - 1, file);
  fclose(file);
  return data;
}

__attribute__((destructor)) static void tell(void) {
  fprintf(stderr, "%d buffers left; %s\n", allocated,
          variable.buffer == 0 && variable.sample == 1 ? "none named" : "one named");
}

static bool is_other(int launch) {
  const char *other = getenv("FAKE_OTHER");
  return other != NULL && atoi(other) == launch;
}

static int run(unsigned threads) {
  if (status("cuLaunchKernel") != 0)
    return 1;
  launches++;
  if (is_other(launches)) {
    fprintf(stderr, "launched\n");
    return 0;
  }
  fprintf(stderr, "launched%s\n", variable.buffer == 0 ? "" : " with counters");
  if (variable.buffer == 0)
    return 0;
  size_t size;
  char *counters = read_file("FAKE_COUNTERS", &size), *to = (char *)(uintptr_t)variable.buffer;
  size_t row = threads * sizeof(uint32_t), count = variable.capacity * sizeof(uint32_t);
  if (variable.capacity != (threads / 128 + variable.sample - 1) / variable.sample * 128)
    abort();
  for (size_t i = 0; i < size / row * count; i++)
    if (to[i] != 0)
      abort();
  bool is_whole = launches > 1 || getenv("FAKE_ENDS") == NULL;
  for (size_t i = 0; i < size / row; i++)
    memcpy(to + i * count, counters + i * row, is_whole ? count : count / 2);
  if (is_whole)
    free(counters);
  else
    rest.counters = counters, rest.buffer = variable.buffer, rest.size = size;
  return 0;
}

// Whether the first launch has ended.
static bool has_ended(void) {
  const char *ends = getenv("FAKE_ENDS");
  if (ends == NULL || rest.counters == NULL)
    return true;
  if (launches < atoi(ends))
    return false;
  memcpy((void *)(uintptr_t)rest.buffer, rest.counters, rest.size);
  rest.counters = NULL;
  return true;
}

int cuInit(unsigned flags) {
  (void)flags;
  const char *given = getenv("FAKE_STATUS");
  return given == NULL ? 0 : atoi(given);
}

int cuLaunchKernel(void *kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **arguments, void **extra) {
  (void)kernel, (void)shared, (void)stream, (void)arguments, (void)extra;
  return run(gx * gy * gz * bx * by * bz);
}

int cuLaunchCooperativeKernel(void *kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                              unsigned by, unsigned bz, unsigned shared, void *stream,
                              void **arguments) {
  return cuLaunchKernel(kernel, gx, gy, gz, bx, by, bz, shared, stream, arguments, NULL);
}

int cuLaunchKernelEx(const unsigned *shape, void *kernel, void **arguments, void **extra) {
  return cuLaunchKernel(kernel, shape[0], shape[1], shape[2], shape[3], shape[4], shape[5],
                        shape[6], NULL, arguments, extra);
}

// A library's kernel is no function, and stands for one.
int cuFuncGetModule(void **module, void *function) {
  *module = function;
  return function == (void *)2 ? 1 : status("cuFuncGetModule");
}

int cuKernelGetFunction(void **function, void *kernel) {
  *function = (void *)1;
  return kernel == (void *)2 ? 0 : 1;
}

int cuFuncGetName(const char **name, void *function) {
  (void)function;
  *name = is_other(launches + 1) ? "other" : getenv("FAKE_KERNEL");
  return status("cuFuncGetName");
}

int cuModuleGetGlobal_v2(uint64_t *at, size_t *size, void *module, const char *name) {
  (void)module;
  static char *text;
  static size_t length;
  if (text == NULL)
    text = read_file("FAKE_TEXT", &length);
  if (strncmp(name, "__linearize_counts_", 19) == 0) {
    *at = (uintptr_t)&variable;
    *size = sizeof variable;
    return strcmp(name + 19, "ways");
  }
  *at = (uintptr_t)text;
  *size = length;
  return strcmp(name, "__linearize_blocks_ways");
}

int cuMemGetInfo_v2(size_t *free_memory, size_t *all) {
  *free_memory = *all = 1 << 30;
  return status("cuMemGetInfo_v2");
}

int cuMemAlloc_v2(uint64_t *at, size_t size) {
  if (status("cuMemAlloc_v2") != 0)
    return 1;
  *at = (uintptr_t)malloc(size);
  allocated++;
  return 0;
}

int cuMemFree_v2(uint64_t at) {
  free((void *)(uintptr_t)at);
  allocated--;
  return 0;
}

int cuMemsetD8Async(uint64_t at, unsigned char value, size_t size, void *stream) {
  (void)stream;
  memset((void *)(uintptr_t)at, value, size);
  return status("cuMemsetD8Async");
}

int cuMemcpyHtoDAsync_v2(uint64_t at, const void *from, size_t size, void *stream) {
  (void)stream;
  memcpy((void *)(uintptr_t)at, from, size);
  return 0;
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t at, size_t size, void *stream) {
  (void)stream;
  memcpy(to, (void *)(uintptr_t)at, size);
  return status("cuMemcpyDtoHAsync_v2");
}

int cuStreamCreate(void **stream, unsigned flags) {
  *stream = (void *)1;
  return flags != 1 || status("cuStreamCreate");
}

int cuStreamDestroy_v2(void *stream) { return stream == NULL; }
int cuStreamSynchronize(void *stream) { return stream == NULL; }

int cuStreamIsCapturing(void *stream, int *captured) {
  (void)stream;
  *captured = getenv("FAKE_CAPTURED") != NULL;
  return 0;
}

int cuThreadExchangeStreamCaptureMode(int *mode) {
  static _Thread_local int own;
  int before = own;
  own = *mode;
  *mode = before;
  return 0;
}

int cuEventCreate(void **event, unsigned flags) {
  *event = (void *)1;
  return flags != 0 || status("cuEventCreate");
}

int cuEventDestroy_v2(void *event) { return event == NULL; }

int cuEventRecord(void *event, void *stream) {
  (void)event, (void)stream;
  return status("cuEventRecord");
}

int cuEventQuery(void *event) {
  (void)event;
  return has_ended() ? status("cuEventQuery") : 600;
}

int cuEventElapsedTime(float *ms, void *start, void *end) {
  (void)start, (void)end;
  *ms = 0.5F;
  return 0;
}

int cuCtxGetDevice(int *device) { return *device = 0; }

int cuDeviceGetName(char *name, int size, int device) {
  snprintf(name, (size_t)size, "device %d", device);
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  (void)device;
  *value = attribute == 16 ? 132 : 0;
  return 0;
}

int cuGetProcAddress_v2(const char *name, void **found, int version, uint64_t flags, int *result) {
  (void)version, (void)flags;
  *found = dlsym(dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_LAZY), name);
  *result = *found == NULL;
  return *found == NULL ? 500 : 0;
}
