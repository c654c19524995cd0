// A driver and a GPU that aren't there: libcuda.so.1 and libcudart.so, for whole host programs
// where there is neither. Kernels are LLVM's IR, and run in the project's simulator (lib/simt).
//
//     program.cu ─ clang, device side ─▶ IR, as the "GPU binary" of the host side ─▶ program
//                                                                                    │ libcudart.so
//     program ── cuLaunchKernel ──▶ libcuda.so.1 ── exports ─┬─ modules ── image     │ (runtime.c)
//        ▲                          (this)                   ├─ memory               ▼
//        └── a clock, errors, a log: what the test says ◀────┼─ launches      libcuda.so.1
//                                                            ├─ streams, events, graphs
//                                                            └─ settings: the file $STANDIN
//
// The clock is the test's, in nanoseconds: each call takes some of the host's time, each kernel
// some of its stream's, and who waits for a stream or an event goes on when that is over. So a
// program can be a thousand launches ahead of its GPU, events become ready, and every run is the
// same. Kernels run when they are launched, one after the other.
//
// Everything is behind one lock; handles are objects (below), which are never reused, so that what
// is used after it was destroyed is found.
#ifndef LIN_TEST_STANDIN_H
#define LIN_TEST_STANDIN_H

#include "graph/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  DEINITIALIZED = 4,
  INVALID_DEVICE = 101,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  FILE_NOT_FOUND = 301,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700,
  OUT_OF_RESOURCES = 701,
  LAUNCH_FAILED = 719,
  NOT_SUPPORTED = 801,
  CAPTURE_UNSUPPORTED = 900,
  CAPTURE_INVALIDATED = 901,
  CAPTURE_UNMATCHED = 903,
  CAPTURE_ISOLATION = 905,
  CAPTURED_EVENT = 907,
  UNKNOWN = 999,
};

typedef uint64_t gpu_address;

// ---- objects -----------------------------------------------------------------------------------

typedef enum object_kind {
  DESTROYED,
  CONTEXT,
  MODULE,
  FUNCTION,
  LIBRARY,
  KERNEL,
  STREAM,
  EVENT,
  GRAPH,
  GRAPH_EXEC,
  LINKER,
  KINDS,
} object_kind;

// What every handle begins with. Memory is released at the end alone.
typedef struct object {
  uint32_t magic;
  object_kind kind, was; // the latter before it was destroyed
  struct object *next;   // all there ever were
} object;

// A new one, of zeros.
void *object_new(object_kind kind, size_t size);
// Whether that is a handle of that kind, which wasn't destroyed.
bool object_is(const void *handle, object_kind kind);
void object_destroy(void *handle);

// ---- calls -------------------------------------------------------------------------------------

// Every function of the interface begins with driver_enter, which takes the lock, has the call's
// time go by, and returns the error that the test wants; what it returns itself goes through
// driver_leave. `kernel` is the one that is launched, or NULL.
int driver_enter(const char *function, const char *kernel);
int driver_leave(int status);
// Of functions that need a context; and of those that may not be called while a stream is captured.
int driver_enter_context(const char *function);
int driver_enter_unsafe(const char *function);

#define LEAVE_UNLESS_OK(status)                                                                    \
  do {                                                                                             \
    int entered = (status);                                                                        \
    if (entered != OK)                                                                             \
      return driver_leave(entered);                                                                \
  } while (0)

// ---- settings: lines of the file $STANDIN ------------------------------------------------------

// time KERNEL NS [FROM]   how long a kernel takes, from launch FROM of the program on
// noise PERCENT           by how much that differs from launch to launch, at most
// fail FUNCTION ERROR [FROM [TO]]   calls FROM to TO (1 to all) of that function fail;
//                         FUNCTION/KERNEL: of those that are about that kernel
// threads KERNEL N        most threads of a block
// part KERNEL N           thread blocks of its first launch that run then; the others do when it is
//                         over
// counter KERNEL N        its parameter N, from 0 on, is the address of a word that is 0 when it
//                         begins, and nobody else's until it ends
// memory BYTES, devices N, call NS, elapsed NS (what all events say), mps
// serial                  kernels of all streams run one after the other
// shared                  a kernel takes as many times as long as there are streams at work when it
//                         begins
// idle                    kernels do nothing, and take their time
// log FILE                at the end, if there was a context: how often each kernel was launched,
//                         what is left of objects
// reuse                   functions have the handles of those that are gone
// trace                   a line for each launch in that, too
typedef struct settings {
  uint64_t memory, call, elapsed;
  double noise;
  uint32_t devices;
  bool mps, idle, trace, reuse, serial, shared;
  FILE *log;
} settings;

extern settings driver_settings;
void settings_read(void);
void settings_open_log(void);
// 0: nothing is said of it.
uint64_t settings_time(const char *kernel, uint64_t launch);
uint32_t settings_threads(const char *kernel);
uint64_t settings_part(const char *kernel); // 0: all
enum { NO_COUNTER = UINT32_MAX };
uint32_t settings_counter(const char *kernel);
void settings_tell(FILE *log); // what failed
int settings_failure(const char *function, const char *kernel);

// ---- contexts, streams, events -----------------------------------------------------------------

typedef struct gpu_context {
  object object;
  int device;
  struct gpu_stream *legacy;
  int error;          // of a kernel: all calls fail from then on,
  uint64_t failed_at; // when that has happened
  bool is_primary;
  uint32_t retained;
} gpu_context;

extern _Thread_local gpu_context *driver_current;

// OK, or why nothing can be done there.
int context_status(const gpu_context *c);
void context_fail(gpu_context *c, int error, uint64_t when);

typedef struct gpu_stream {
  object object;
  gpu_context *context;
  uint64_t busy; // until then
  bool is_blocking, is_invalidated;
  struct gpu_graph *captured; // or NULL
  int mode;                   // in which it is
} gpu_stream;

typedef struct gpu_event {
  object object;
  gpu_context *context;
  uint64_t time;
  bool is_recorded, is_captured, is_timed;
  uint32_t asked; // whether it has come, in vain
} gpu_event;

extern uint64_t driver_now; // of the host

// Streams by handle: NULL and 1 are the context's, 2 is the thread's own. NULL: there is none such.
gpu_stream *stream_of(void *handle);
// The same for functions of which NULL is the thread's own.
gpu_stream *stream_of_thread(void *handle);
// So many nanoseconds of a stream's time, after what it waits for; returns when they end.
uint64_t stream_work(gpu_stream *s, uint64_t ns);
// How many streams of the context have work at the time at which work of that stream would begin.
uint64_t streams_at_work(const gpu_stream *s);
// All of a context's work is done.
uint64_t context_end(const gpu_context *c);
void driver_wait(uint64_t until);
// Ends all captures that this thread isn't allowed to disturb; whether there was one.
bool captures_end(void);
void streams_destroy(const gpu_context *c);
void objects_destroy_events(const gpu_context *c);

// ---- images: what modules are made of ----------------------------------------------------------

// A kernel's parameters as they lie in a buffer.
typedef struct image_kernel {
  struct image_kernel *next;
  const char *name;
  uint32_t parameters, *offset, *size;
  uint32_t arguments; // bytes of all
  void *code;         // the image's own
} image_kernel;

typedef struct image_global {
  struct image_global *next;
  const char *name;
  struct gpu_memory *memory;
} image_global;

typedef struct image {
  lin_arena arena;
  image_kernel *kernels;
  image_global *globals; // as far as anybody asked for them
  void *module;          // LLVM's, or NULL: kernels do nothing
} image;

// Text of a module: LLVM's IR, ended by a NUL; or, where kernels do nothing and there needn't be
// LLVM,
//     idle
//     kernel NAME SIZE...        of its parameters, in bytes
//     global NAME TEXT           \n and \t are the end of a line and a tab
// NULL: it is neither.
image *image_read(const void *data);
void image_release(image *i);
image_global *image_find_global(image *i, const char *name); // NULL: it has none
// Runs a launch in the simulator. Nanoseconds, or 0 and *error.
struct gpu_launch;
uint64_t image_run(image *i, const struct gpu_launch *l, int *error);

// Of IR (image_ir.c; without LLVM, image_none.c).
image *ir_read(const char *text);
bool ir_global(image *i, const char *name, uint64_t *size, uint8_t **bytes, uint8_t **written);
uint64_t ir_run(image *i, const struct gpu_launch *l, int *error);
void ir_release(image *i);

// ---- modules -----------------------------------------------------------------------------------

typedef struct gpu_module {
  object object;
  struct gpu_module *next;
  gpu_context *context;
  image *image;
  struct gpu_function *functions;
  struct gpu_library *library; // that it is of, or NULL
} gpu_module;

enum {
  FUNCTION_ATTRIBUTES = 20,
  MAX_DYNAMIC_SHARED = 8, // an attribute
  FREE_SHARED = 48 << 10, // bytes without it
  MOST_SHARED = 227 << 10,
};

typedef struct gpu_function {
  object object;
  gpu_module *module;
  struct gpu_function *next;
  image_kernel *kernel;
  int attribute[FUNCTION_ATTRIBUTES];
  int cache;
} gpu_function;

// Of a function, or of a library's kernel in the current context; or NULL.
gpu_function *function_of(void *handle);
void context_unload(const gpu_context *c);

// ---- memory ------------------------------------------------------------------------------------

typedef struct gpu_memory {
  gpu_address address;
  uint64_t size;
  uint8_t *bytes, *written; // `written` is for the simulator
  gpu_context *context;
  bool is_hosts; // it is at its address in the program, too
} gpu_memory;

extern gpu_memory **driver_memory; // by address
extern uint32_t driver_memories;

// Takes `bytes` and `written` over, which may be NULL; NULL: no room.
gpu_memory *memory_new(uint64_t size, uint8_t *bytes, uint8_t *written);
gpu_memory *memory_find(gpu_address address); // that holds it, or NULL
void memory_release(gpu_memory *m);

// ---- launches ----------------------------------------------------------------------------------

typedef struct gpu_launch {
  gpu_function *function;
  uint32_t grid[3], block[3], shared;
  uint64_t first_block, num_blocks; // as simt/machine.h has them
  uint8_t *arguments;               // as they lie in a buffer of parameters
} gpu_launch;

// Runs it; what goes wrong is the context's error. `how` is for the log.
void launch_run(const gpu_launch *l, gpu_stream *s, const char *how);
void launches_tell(FILE *log);
void launches_go_on(void); // the rest of the one that is over by now
void launch_copy(gpu_launch *to, const gpu_launch *from);
void graph_add(struct gpu_graph *g, const gpu_launch *l);

// Looks at a launch's counter (settings: counter) before and after it runs, and at what is set in
// memory meanwhile; how many were wrong is told.
void counter_begin(const gpu_launch *l, const gpu_stream *s);
void counter_end(const gpu_launch *l, const gpu_stream *s, uint64_t end);
void counter_written(gpu_address at, const gpu_stream *s);
void counters_tell(FILE *log);

#endif
