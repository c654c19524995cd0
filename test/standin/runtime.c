// libcudart.so: CUDA's runtime on top of whatever libcuda.so.1 there is, which it finds as the real
// one does: by dlopen, dlsym and cuGetProcAddress. Compiled for programs of include/cuda_runtime.h.
//
// What clang puts into a program is a library (cuLibraryLoadData), loaded when it is first asked
// for. Kernels are launched as functions; as the library's kernels, if $STANDIN_LAUNCHES is
// `kernels`.
#define _GNU_SOURCE

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t gpu_address;

enum {
  OK = 0,
  INVALID_VALUE = 1,
  INVALID_SYMBOL = 13,
  INVALID_FUNCTION = 98,
  NOT_FOUND = 500,
  VERSION = 13000,
  MOST_DEVICES = 8
};

// ---- the driver --------------------------------------------------------------------------------

#define DRIVER(use)                                                                                \
  use(cuInit, (unsigned)) use(cuDeviceGetCount, (int *))                                           \
      use(cuDevicePrimaryCtxRetain, (void **, int)) use(cuDevicePrimaryCtxReset, (int)) use(       \
          cuCtxSetCurrent, (void *)) use(cuCtxGetCurrent, (void **)) use(cuCtxGetDevice, (int *))  \
          use(cuCtxSynchronize, (void)) use(cuGetErrorString, (int, const char **)) use(           \
              cuLibraryLoadData, (void **, const void *, int *, void **, unsigned, int *, void **, \
                                  unsigned)) use(cuLibraryUnload,                                  \
                                                 (void *)) use(cuLibraryGetKernel,                 \
                                                               (void **, void *, const char *))    \
              use(cuLibraryGetGlobal, (gpu_address *, size_t *, void *, const char *)) use(        \
                  cuKernelGetFunction,                                                             \
                  (void **,                                                                        \
                   void *)) use(cuFuncSetAttribute,                                                \
                                (void *, int, int)) use(cuFuncGetAttribute, (int *, int, void *))  \
                  use(cuFuncSetCacheConfig, (void *, int)) use(                                    \
                      cuMemAlloc,                                                                  \
                      (gpu_address *,                                                              \
                       size_t)) use(cuMemAllocManaged,                                             \
                                    (gpu_address *, size_t,                                        \
                                     unsigned)) use(cuMemHostAlloc, (void **, size_t, unsigned))   \
                      use(cuMemFree, (gpu_address)) use(cuMemFreeHost, (void *)) use(              \
                          cuMemAllocAsync, (gpu_address *, size_t,                                 \
                                            void *)) use(cuMemFreeAsync, (gpu_address, void *))    \
                          use(cuMemcpy, (gpu_address, gpu_address, size_t)) use(                   \
                              cuMemcpyAsync, (gpu_address, gpu_address, size_t, void *))           \
                              use(cuMemsetD8, (gpu_address, unsigned char, size_t)) use(           \
                                  cuMemsetD8Async,                                                 \
                                  (gpu_address, unsigned char, size_t,                             \
                                   void *)) use(cuStreamCreate,                                    \
                                                (void **,                                          \
                                                 unsigned)) use(cuStreamDestroy, (void *))         \
                                  use(cuStreamSynchronize, (void *)) use(                          \
                                      cuStreamQuery,                                               \
                                      (void *)) use(cuLaunchHostFunc,                              \
                                                    (void *, void (*)(void *), void *))            \
                                      use(cuStreamWaitEvent, (void *, void *, unsigned)) use(      \
                                          cuStreamBeginCapture, (void *,                           \
                                                                 int)) use(cuStreamEndCapture,     \
                                                                           (void *, void **))      \
                                          use(cuStreamIsCapturing, (void *, int *)) use(           \
                                              cuEventCreate,                                       \
                                              (void **, unsigned)) use(cuEventDestroy, (void *))   \
                                              use(cuEventRecord,                                   \
                                                  (void *, void *)) use(cuEventQuery, (void *))    \
                                                  use(cuEventSynchronize, (void *)) use(           \
                                                      cuEventElapsedTime,                          \
                                                      (float *, void *,                            \
                                                       void *)) use(cuGraphInstantiateWithFlags,   \
                                                                    (void **, void *,              \
                                                                     unsigned long long))          \
                                                      use(cuGraphLaunch, (void *, void *))         \
                                                          use(cuGraphDestroy, (void *)) use(       \
                                                              cuGraphExecDestroy, (void *))        \
                                                              use(cuLaunchKernel,                  \
                                                                  (void *, unsigned, unsigned,     \
                                                                   unsigned, unsigned, unsigned,   \
                                                                   unsigned, unsigned, void *,     \
                                                                   void **,                        \
                                                                   void **)) use(cuLaunchKernelEx, \
                                                                                 (const void *,    \
                                                                                  void *, void **, \
                                                                                  void **))        \
                                                                  use(cuLaunchCooperativeKernel,   \
                                                                      (void *, unsigned, unsigned, \
                                                                       unsigned, unsigned,         \
                                                                       unsigned, unsigned,         \
                                                                       unsigned, void *, void **))

#define MEMBER(name, parameters) int(*name) parameters;
static struct {
  DRIVER(MEMBER)
} driver;
#undef MEMBER

typedef int find(const char *name, void **function, int version, uint64_t flags, int *result);

static void find_driver(void) {
  void *library = dlopen("libcuda.so.1", RTLD_LAZY), *function, *found;
  function = library == NULL ? NULL : dlsym(library, "cuGetProcAddress_v2");
  if (function == NULL)
    abort();
  find *ask = (find *)(uintptr_t)function;
  int result;
#define MEMBER(name, parameters)                                                                   \
  if (ask(#name, &found, VERSION, 0, &result) != OK)                                               \
    abort();                                                                                       \
  memcpy(&driver.name, &found, sizeof found);
  DRIVER(MEMBER)
#undef MEMBER
  driver.cuInit(0);
}

static _Thread_local int device, last_error;

static int keep(int status) {
  if (status != OK)
    last_error = status;
  return status;
}

static int set_context(void) {
  void *context;
  int status = driver.cuDevicePrimaryCtxRetain(&context, device);
  return status == OK ? driver.cuCtxSetCurrent(context) : status;
}

// What every function begins with: a context.
static int begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_driver);
  void *context = NULL;
  int status = driver.cuCtxGetCurrent(&context);
  return status == OK && context == NULL ? set_context() : status;
}

#define CALL(...)                                                                                  \
  do {                                                                                             \
    int status = begin();                                                                          \
    return keep(status == OK ? driver.__VA_ARGS__ : status);                                       \
  } while (0)

#pragma GCC visibility push(default)

// ---- devices

int cudaGetDeviceCount(int *devices) { CALL(cuDeviceGetCount(devices)); }

int cudaGetDevice(int *current) {
  *current = device;
  return OK;
}

int cudaSetDevice(int number) {
  int before = device, status = begin();
  device = number;
  status = status == OK ? set_context() : status;
  if (status != OK)
    device = before;
  return keep(status);
}

int cudaDeviceSynchronize(void) { CALL(cuCtxSynchronize()); }
int cudaDeviceReset(void) { CALL(cuDevicePrimaryCtxReset(device)); }

int cudaGetLastError(void) {
  int error = last_error;
  last_error = OK;
  return error;
}

int cudaPeekAtLastError(void) { return last_error; }

const char *cudaGetErrorString(int error) {
  const char *text = "unknown error";
  if (begin() == OK)
    driver.cuGetErrorString(error, &text);
  return text;
}

// ---- memory

int cudaMalloc(void **at, size_t size) { CALL(cuMemAlloc((gpu_address *)at, size)); }

int cudaMallocManaged(void **at, size_t size, unsigned flags) {
  CALL(cuMemAllocManaged((gpu_address *)at, size, flags));
}

int cudaMallocHost(void **at, size_t size) { CALL(cuMemHostAlloc(at, size, 0)); }
int cudaMallocAsync(void **at, size_t size, void *stream) {
  CALL(cuMemAllocAsync((gpu_address *)at, size, stream));
}

int cudaFreeAsync(void *at, void *stream) { CALL(cuMemFreeAsync((uintptr_t)at, stream)); }
int cudaFree(void *at) { CALL(cuMemFree((uintptr_t)at)); }
int cudaFreeHost(void *at) { CALL(cuMemFreeHost(at)); }

int cudaMemcpy(void *to, const void *from, size_t size, int kind) {
  (void)kind;
  CALL(cuMemcpy((uintptr_t)to, (uintptr_t)from, size));
}

int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream) {
  (void)kind;
  CALL(cuMemcpyAsync((uintptr_t)to, (uintptr_t)from, size, stream));
}

int cudaMemset(void *to, int value, size_t size) {
  CALL(cuMemsetD8((uintptr_t)to, (unsigned char)value, size));
}

int cudaMemsetAsync(void *to, int value, size_t size, void *stream) {
  CALL(cuMemsetD8Async((uintptr_t)to, (unsigned char)value, size, stream));
}

// ---- streams, events, graphs

int cudaStreamCreate(void **stream) { CALL(cuStreamCreate(stream, 0)); }
int cudaStreamCreateWithFlags(void **stream, unsigned flags) {
  CALL(cuStreamCreate(stream, flags));
}
int cudaStreamDestroy(void *stream) { CALL(cuStreamDestroy(stream)); }
int cudaStreamSynchronize(void *stream) { CALL(cuStreamSynchronize(stream)); }
int cudaLaunchHostFunc(void *stream, void (*function)(void *), void *of) {
  CALL(cuLaunchHostFunc(stream, function, of));
}
int cudaStreamQuery(void *stream) { CALL(cuStreamQuery(stream)); }

int cudaStreamWaitEvent(void *stream, void *event, unsigned flags) {
  CALL(cuStreamWaitEvent(stream, event, flags));
}

int cudaStreamBeginCapture(void *stream, int mode) { CALL(cuStreamBeginCapture(stream, mode)); }
int cudaStreamEndCapture(void *stream, void **graph) { CALL(cuStreamEndCapture(stream, graph)); }
int cudaStreamIsCapturing(void *stream, int *state) { CALL(cuStreamIsCapturing(stream, state)); }
int cudaEventCreate(void **event) { CALL(cuEventCreate(event, 0)); }
int cudaEventDestroy(void *event) { CALL(cuEventDestroy(event)); }
int cudaEventRecord(void *event, void *stream) { CALL(cuEventRecord(event, stream)); }
int cudaEventQuery(void *event) { CALL(cuEventQuery(event)); }
int cudaEventSynchronize(void *event) { CALL(cuEventSynchronize(event)); }

int cudaEventElapsedTime(float *ms, void *from, void *to) {
  CALL(cuEventElapsedTime(ms, from, to));
}

int cudaGraphInstantiate(void **exec, void *graph, unsigned long long flags) {
  CALL(cuGraphInstantiateWithFlags(exec, graph, flags));
}

int cudaGraphLaunch(void *exec, void *stream) { CALL(cuGraphLaunch(exec, stream)); }
int cudaGraphDestroy(void *graph) { CALL(cuGraphDestroy(graph)); }
int cudaGraphExecDestroy(void *exec) { CALL(cuGraphExecDestroy(exec)); }

// ---- what a program has of kernels and variables -----------------------------------------------

typedef struct binary {
  const void *wrapper;
  void *library; // once it was asked for
} binary;

typedef struct symbol {
  struct symbol *next;
  binary *binary;
  const void *host; // its address in the program
  const char *name;
} symbol;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static symbol *symbols;

static void *allocate(size_t size) {
  void *memory = calloc(1, size);
  if (memory == NULL)
    abort();
  return memory;
}

void **__cudaRegisterFatBinary(void *wrapper) {
  binary *b = allocate(sizeof *b);
  b->wrapper = wrapper;
  return (void **)b;
}

void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

static void add_symbol(void **handle, const void *host, const char *name) {
  symbol *s = allocate(sizeof *s);
  *s = (symbol){symbols, (binary *)handle, host, name};
  symbols = s;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device_function,
                            const char *name, int limit, void *a, void *b, void *c, void *d,
                            int *e) {
  (void)device_function, (void)limit, (void)a, (void)b, (void)c, (void)d, (void)e;
  add_symbol(handle, host, name);
}

void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external,
                       size_t size, int constant, int global) {
  (void)address, (void)external, (void)size, (void)constant, (void)global;
  add_symbol(handle, host, name);
}

void __cudaUnregisterFatBinary(void **handle) {
  binary *b = (binary *)handle;
  for (symbol **at = &symbols; *at != NULL;) {
    symbol *s = *at;
    if (s->binary != b) {
      at = &s->next;
      continue;
    }
    *at = s->next;
    free(s);
  }
  if (b->library != NULL && begin() == OK)
    driver.cuLibraryUnload(b->library);
  free(b);
}

// Its library; NULL, and *status: there is no such symbol.
static const symbol *find_symbol(const void *host, int *status) {
  pthread_mutex_lock(&lock);
  symbol *s = symbols;
  while (s != NULL && s->host != host)
    s = s->next;
  *status = s == NULL ? INVALID_SYMBOL : begin();
  if (*status == OK && s->binary->library == NULL)
    *status = driver.cuLibraryLoadData(&s->binary->library, s->binary->wrapper, NULL, NULL, 0, NULL,
                                       NULL, 0);
  pthread_mutex_unlock(&lock);
  return *status == OK ? s : NULL;
}

static int find_variable(const void *host, gpu_address *at) {
  int status;
  size_t size;
  const symbol *s = find_symbol(host, &status);
  return s == NULL ? status : driver.cuLibraryGetGlobal(at, &size, s->binary->library, s->name);
}

int cudaGetSymbolAddress(void **at, const void *host) {
  return keep(find_variable(host, (gpu_address *)at));
}

int cudaMemcpyToSymbol(const void *host, const void *from, size_t size, size_t offset, int kind) {
  gpu_address at;
  int status = find_variable(host, &at);
  (void)kind;
  return keep(status != OK ? status : driver.cuMemcpy(at + offset, (uintptr_t)from, size));
}

int cudaMemcpyFromSymbol(void *to, const void *host, size_t size, size_t offset, int kind) {
  gpu_address at;
  int status = find_variable(host, &at);
  (void)kind;
  return keep(status != OK ? status : driver.cuMemcpy((uintptr_t)to, at + offset, size));
}

// ---- launches ----------------------------------------------------------------------------------

typedef struct dim3 {
  unsigned x, y, z;
} dim3;

// What isn't a symbol of the program may be a handle of the driver's.
static int find_function(const void *host, void **function) {
  int status;
  void *kernel;
  const symbol *s = find_symbol(host, &status);
  if (s == NULL) {
    *function = (void *)(uintptr_t)host;
    return status == INVALID_SYMBOL ? begin() : status;
  }
  status = driver.cuLibraryGetKernel(&kernel, s->binary->library, s->name);
  if (status != OK)
    return status == NOT_FOUND ? INVALID_FUNCTION : status;
  const char *how = getenv("STANDIN_LAUNCHES");
  *function = kernel;
  return how != NULL && strcmp(how, "kernels") == 0 ? OK
                                                    : driver.cuKernelGetFunction(function, kernel);
}

int cudaGetFuncBySymbol(void **function, const void *host) {
  return keep(find_function(host, function));
}

int cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared,
                     void *stream) {
  void *function;
  int status = find_function(host, &function);
  if (status == OK)
    status = driver.cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                   (unsigned)shared, stream, arguments, NULL);
  return keep(status);
}

int cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **arguments,
                                size_t shared, void *stream) {
  void *function;
  int status = find_function(host, &function);
  if (status == OK)
    status = driver.cuLaunchCooperativeKernel(function, grid.x, grid.y, grid.z, block.x, block.y,
                                              block.z, (unsigned)shared, stream, arguments);
  return keep(status);
}

typedef struct configuration {
  dim3 grid, block;
  size_t shared;
  void *stream, *attributes;
  unsigned attribute_count;
} configuration;

int cudaLaunchKernelExC(const configuration *c, const void *host, void **arguments) {
  struct {
    dim3 grid, block;
    unsigned shared;
    void *stream, *attributes;
    unsigned attribute_count;
  } of_driver = {c->grid,   c->block,      (unsigned)c->shared,
                 c->stream, c->attributes, c->attribute_count};
  void *function;
  int status = find_function(host, &function);
  return keep(status != OK ? status
                           : driver.cuLaunchKernelEx(&of_driver, function, arguments, NULL));
}

int cudaFuncSetAttribute(const void *host, int attribute, int value) {
  void *function;
  int status = find_function(host, &function);
  return keep(status != OK ? status : driver.cuFuncSetAttribute(function, attribute, value));
}

int cudaFuncSetCacheConfig(const void *host, int config) {
  void *function;
  int status = find_function(host, &function);
  return keep(status != OK ? status : driver.cuFuncSetCacheConfig(function, config));
}

// ---- <<<grid, block, shared, stream>>>

typedef struct call {
  dim3 grid, block;
  size_t shared;
  void *stream;
} call;

enum { MOST_CALLS = 8 };
static _Thread_local call calls[MOST_CALLS];
static _Thread_local unsigned depth;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  calls[depth++] = (call){grid, block, shared, stream};
  return 0;
}

int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  const call *c = &calls[--depth];
  *grid = c->grid;
  *block = c->block;
  *shared = c->shared;
  memcpy(stream, &c->stream, sizeof c->stream);
  return OK;
}

#pragma GCC visibility pop
