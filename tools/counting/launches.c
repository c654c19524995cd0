// Launches of kernels that count (-linearize-count), with a buffer for their counters:
//
//     program ── cuLaunchKernel ──▶ has its module __linearize_counts_KERNEL?  no ──▶ the driver's
//                                    │ yes
//                                    ▼
//     a buffer of zeros, the variable names it ── the driver's ── waits ── reads it ── records.h
//
// One launch after the other: who launches waits until the kernel has ended, in all streams and
// threads, so that each launch has the variable to itself. What is on a stream under capture, or
// fails, goes to the driver as it is. A kernel that takes longer than $LINEARIZE_COUNT_SECONDS (60)
// is read as far as its threads have ended, and the program goes on. Until it has ended, which is
// looked at when the next one is launched, and at exit, no other launch is counted.
//
// Of $LINEARIZE_COUNT_SAMPLE thread blocks one is counted; by default as many as there is room for:
// each new shape of a kernel may have a quarter of what is left of 2 MB of counters. So a file of
// counts stays below 10 MB, at 20 characters for each counter, whatever the program launches.
//
// The first launch of a shape is counted as long as counting has taken less than a quarter of a
// second and twice the program's own time, so that the program takes three times as long at most;
// the next ones within half of its time; and from the 33rd on those with powers of two, for by then
// it is known what the shape does. What isn't counted is launched without counters, if there is
// such a kernel.
#define _POSIX_C_SOURCE 200809L

#include "records.h"

#include "counts/description.h"
#include "preload/gpu.h"
#include "preload/launch.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- a launch that counts

typedef struct counting {
  const gpu *g;
  void *module, *function;
  const char *name;
  char *text;
  gpu_address variable, buffer;
  size_t size; // of the buffer, in bytes
  void *own;   // a stream that waits for none of the program's
  void *start, *end;
  char gpu[256]; // its name
  record r;
} counting;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static counting late;                // a launch that didn't end in time
static bool has_late, is_late_cut;   // cut: its kernel's variable names no buffer any more
static _Thread_local bool is_inside; // the driver's own calls go on untouched

static const char unreadable[] =
    "isn't counted: what it says of its counters can't be read; was it "
    "compiled by another version?";
static const char too_large[] = "isn't counted: its counters take more memory than there is";
static const char captured[] = "isn't counted where its stream is captured, or in a graph";
static const char endless[] =
    "takes longer than --seconds: what threads have counted that ended by "
    "now is kept, and no other launch is counted before it ends";
static const char failed[] = "isn't counted, for it failed: compute-sanitizer says where";

static double now(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- how much is counted

enum { ENOUGH_LAUNCHES = 32 };         // of a shape, to know it
#define MOST_BYTES (UINT64_C(2) << 20) // of counters, of one launch of each shape
#define GRACE 0.25                     // seconds that counting may take in any case, and
#define MOST_SHARE 0.5                 // of the program's own time; but
#define FIRST_SHARE 1.0                // for the first launch of a shape
enum { EXACT_SHAPES = 32 };            // of a kernel; of further ones, one is counted for all of
                                       // whose grids each side is as long within a factor of 2

// A kernel with a grid and thread blocks.
typedef struct launched_shape {
  gpu_address variable;
  uint32_t grid[3], block[3], sample; // 0: it isn't known yet
  uint32_t launches;                  // so far
  int64_t number;                     // records_launched
} launched_shape;

static launched_shape *shapes;
static uint32_t num_shapes;
static uint64_t bytes_given; // to all of them
static double began, spent;  // seconds

__attribute__((constructor)) static void begin(void) { began = now(); }

static bool is_near(const launched_shape *s, const launch_shape *shape) {
  bool is_alike = true;
  for (int i = 0; i < 3; i++)
    is_alike = is_alike && __builtin_clz(s->grid[i] | 1) == __builtin_clz(shape->grid[i] | 1);
  return is_alike;
}

// NULL: out of memory. Else *is_other says whether it is that of a launch of nearly that shape.
static launched_shape *find_shape(gpu_address variable, const launch_shape *shape, bool *is_other) {
  uint32_t exact = 0;
  launched_shape *near = NULL;
  *is_other = false;
  for (uint32_t i = 0; i < num_shapes; i++) {
    if (shapes[i].variable != variable)
      continue;
    exact++;
    if (memcmp(shapes[i].block, shape->block, sizeof shapes[i].block) != 0)
      continue;
    if (memcmp(shapes[i].grid, shape->grid, sizeof shapes[i].grid) == 0)
      return &shapes[i];
    near = is_near(&shapes[i], shape) ? &shapes[i] : near;
  }
  *is_other = exact >= EXACT_SHAPES && near != NULL;
  if (*is_other)
    return near;
  launched_shape *more = realloc(shapes, (num_shapes + (size_t)1) * sizeof *shapes);
  if (more == NULL)
    return NULL;
  shapes = more;
  launched_shape *new = &shapes[num_shapes++];
  *new = (launched_shape){.variable = variable, .number = -1};
  memcpy(new->grid, shape->grid, sizeof new->grid);
  memcpy(new->block, shape->block, sizeof new->block);
  return new;
}

// Whether there is time for one more launch of the shape.
static bool has_time(launched_shape *shape) {
  if (shape == NULL)
    return false;
  const uint32_t before = shape->launches++, number = shape->launches;
  if (before >= ENOUGH_LAUNCHES && (number & before) != 0)
    return false;
  const double share = before == 0 ? FIRST_SHARE : MOST_SHARE;
  return spent <= GRACE + share * (now() - began - spent);
}

// A number from the environment, at least 1; or `otherwise`.
static double find_number(const char *name, double otherwise) {
  const char *given = getenv(name);
  double number = given == NULL ? 0 : strtod(given, NULL);
  return number > 0 ? number : otherwise;
}

// ---- before it

// Sets the kernel's name and variable. False: it doesn't count.
static bool find_kernel(counting *c, void *kernel, gpu_address *text, size_t *length) {
  if (!gpu_function(c->g, kernel, &c->function, &c->module) ||
      !gpu_is_ok(c->g->cuFuncGetName(&c->name, c->function)))
    return false;
  size_t size;
  c->variable = gpu_global(c->g, c->module, LIN_COUNT_VARIABLE_PREFIX, c->name, &size);
  if (c->variable == 0 || size != sizeof(lin_count_variable))
    return false;
  *text = gpu_global(c->g, c->module, LIN_COUNT_TEXT_PREFIX, c->name, length);
  return *text != 0;
}

// The kernel without counters, or itself: what is launched where nobody counts, or the program
// would take longer for nothing. Attributes may have been set since it was launched last.
static void *find_plain(const counting *c, void *kernel) {
  static const int attributes[] = {GPU_DYNAMIC_SHARED, GPU_CARVEOUT};
  char name[1024];
  void *plain;
  if ((size_t)snprintf(name, sizeof name, "%s" LIN_COUNT_PLAIN_SUFFIX, c->name) >= sizeof name ||
      !gpu_is_ok(c->g->cuModuleGetFunction(&plain, c->module, name)))
    return kernel;
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
    int wanted, there;
    if (!gpu_is_ok(c->g->cuFuncGetAttribute(&wanted, attributes[i], c->function)) ||
        !gpu_is_ok(c->g->cuFuncGetAttribute(&there, attributes[i], plain)) ||
        (wanted != there && !gpu_is_ok(c->g->cuFuncSetAttribute(plain, attributes[i], wanted))))
      return kernel;
  }
  return plain;
}

static bool is_captured(const counting *c, void *stream) {
  int status = 0;
  return !gpu_is_ok(c->g->cuStreamIsCapturing(stream, &status)) || status != 0;
}

static bool copy_in(const counting *c, gpu_address to, const void *from, size_t size) {
  return gpu_is_ok(c->g->cuMemcpyHtoDAsync_v2(to, from, size, c->own)) &&
         gpu_is_ok(c->g->cuStreamSynchronize(c->own));
}

static bool copy_out(const counting *c, void *to, gpu_address from, size_t size) {
  return gpu_is_ok(c->g->cuMemcpyDtoHAsync_v2(to, from, size, c->own)) &&
         gpu_is_ok(c->g->cuStreamSynchronize(c->own));
}

// False: so many slots need more than there is.
static bool fits(counting *c, uint32_t counters, uint64_t most) {
  c->r.slots = records_slots(c->r.grid, c->r.block, c->r.sample);
  c->size = (size_t)c->r.slots * counters * sizeof(uint32_t);
  return c->r.slots * counters <= most / sizeof(uint32_t);
}

// Counts fewer thread blocks until their counters take at most so many bytes, or one is left. One
// of 3, 7, 15 ...: what thread blocks do often goes by powers of two.
static void choose_sample(counting *c, uint32_t counters, uint64_t free_memory) {
  const double wanted = find_number("LINEARIZE_COUNT_SAMPLE", 0);
  const uint64_t one = (uint64_t)c->r.block[0] * c->r.block[1] * c->r.block[2];
  uint64_t most = free_memory / 4;
  if (wanted == 0 && most > (MOST_BYTES - bytes_given) / 4)
    most = (MOST_BYTES - bytes_given) / 4;
  c->r.sample = wanted > 0 && wanted < UINT32_MAX / 2 ? (uint32_t)wanted : 1;
  while (!fits(c, counters, most) && c->r.slots > one)
    c->r.sample = 2 * c->r.sample + 1;
}

// The same for all launches of a shape. False: there isn't a quarter of the free memory for it.
static bool find_room(counting *c, launched_shape *shape, uint32_t counters) {
  size_t free_memory, memory;
  if (!gpu_is_ok(c->g->cuMemGetInfo_v2(&free_memory, &memory)))
    return false;
  const bool is_new = shape->sample == 0;
  if (is_new)
    choose_sample(c, counters, free_memory);
  else
    c->r.sample = shape->sample;
  if (!fits(c, counters, free_memory / 4) || c->r.slots == 0)
    return false;
  shape->sample = c->r.sample;
  if (is_new)
    bytes_given +=
        c->size < (MOST_BYTES - bytes_given) / 4 ? c->size : (MOST_BYTES - bytes_given) / 4;
  return gpu_is_ok(c->g->cuMemAlloc_v2(&c->buffer, c->size));
}

static void describe_gpu(counting *c) {
  int device, multiprocessors;
  if (gpu_is_ok(c->g->cuCtxGetDevice(&device)) &&
      gpu_is_ok(c->g->cuDeviceGetName(c->gpu, (int)sizeof c->gpu, device)) &&
      gpu_is_ok(c->g->cuDeviceGetAttribute(&multiprocessors, GPU_MULTIPROCESSORS, device)))
    c->r.multiprocessors = (uint32_t)multiprocessors;
  c->r.gpu = c->gpu;
}

static void set_variable(const counting *c, gpu_address buffer, uint64_t slots) {
  lin_count_variable v = {buffer, (uint32_t)slots, c->r.sample};
  copy_in(c, c->variable, &v, sizeof v);
}

// Gives the kernel a buffer. False: it is launched as it is.
static bool prepare(counting *c, const launch_shape *shape, launched_shape *launched,
                    gpu_address text, size_t length) {
  memcpy(c->r.grid, shape->grid, sizeof c->r.grid);
  memcpy(c->r.block, shape->block, sizeof c->r.block);
  c->text = calloc(1, length + 1);
  if (c->text == NULL || !gpu_is_ok(c->g->cuStreamCreate(&c->own, GPU_NON_BLOCKING)) ||
      !copy_out(c, c->text, text, length))
    return false;
  c->r.text = c->text;
  c->r.kernel = c->name;
  uint32_t counters = records_counters(c->text);
  if (counters == 0) {
    records_warn(unreadable, c->name);
    return false;
  }
  if (!find_room(c, launched, counters)) {
    records_warn(too_large, c->name);
    return false;
  }
  if (!gpu_is_ok(c->g->cuMemsetD8Async(c->buffer, 0, c->size, c->own)) ||
      !gpu_is_ok(c->g->cuEventCreate(&c->start, 0)) || !gpu_is_ok(c->g->cuEventCreate(&c->end, 0)))
    return false;
  set_variable(c, c->buffer, c->r.slots);
  return gpu_is_ok(c->g->cuEventRecord(c->start, shape->stream));
}

static void tidy_up(counting *c) {
  if (c->start != NULL)
    c->g->cuEventDestroy_v2(c->start);
  if (c->end != NULL)
    c->g->cuEventDestroy_v2(c->end);
  if (c->own != NULL)
    c->g->cuStreamDestroy_v2(c->own);
  free(c->text);
}

static void take_back(counting *c) {
  if (c->buffer != 0) {
    c->r.sample = 1;
    set_variable(c, 0, 0);
    c->g->cuMemFree_v2(c->buffer);
  }
}

// ---- behind it

// False: it hasn't ended, or the driver says that something went wrong.
static bool wait_for_end(const counting *c, bool *is_late) {
  const double deadline = now() + find_number("LINEARIZE_COUNT_SECONDS", 60);
  long pause = 10000; // nanoseconds, up to a millisecond: a quarter of what has been waited
  int status;
  while ((status = c->g->cuEventQuery(c->end)) == GPU_NOT_READY) {
    if (now() > deadline) {
      *is_late = true;
      return false;
    }
    nanosleep(&(struct timespec){0, pause}, NULL);
    if (pause < 1000000)
      pause += pause / 4;
  }
  return gpu_is_ok(status);
}

// Memory that stays from launch to launch, for new memory has to be zeroed.
static uint32_t *make_room(size_t size) {
  static uint32_t *room;
  static size_t room_size;
  if (size > room_size) {
    free(room);
    room = malloc(size);
    room_size = room == NULL ? 0 : size;
  }
  return room;
}

typedef int64_t take_record(const record *r);

static int64_t read_counters(counting *c, take_record *take) {
  uint32_t *counters = make_room(c->size);
  if (counters == NULL || !copy_out(c, counters, c->buffer, c->size))
    return -1;
  describe_gpu(c);
  c->r.counters = counters;
  return take(&c->r);
}

static void read_time(counting *c) {
  float ms = 0;
  if (gpu_is_ok(c->g->cuEventElapsedTime(&ms, c->start, c->end)))
    c->r.time = (uint64_t)(1e6 * (double)ms);
}

// Reads the launch that was late, if it has ended by now. Its buffer stays: who knows whether the
// kernel's variable, which names it, is still there.
static void look_after_late(void) {
  int status = late.g->cuEventQuery(late.end);
  if (status == GPU_NOT_READY)
    return;
  if (is_late_cut || !gpu_is_ok(status)) {
    records_keep_late();
  } else {
    records_add_late(NULL);
    read_time(&late);
    read_counters(&late, records_add);
  }
  tidy_up(&late);
  has_late = is_late_cut = false;
}

// Another launch of the kernel would write into the buffer of the one that is late.
static void cut_late(void) {
  set_variable(&late, 0, 0);
  read_counters(&late, records_add_late);
  is_late_cut = true;
}

// Runs before the driver's own end, for it is registered later.
static void look_at_exit(void) {
  if (records_wanted() && pthread_mutex_trylock(&mutex) == 0) {
    is_inside = true;
    if (has_late)
      look_after_late();
    is_inside = false;
    pthread_mutex_unlock(&mutex);
  }
}

// Sets has_late, of a launch that keeps what it has then.
static void finish(counting *c, launched_shape *shape, void *stream, int status) {
  bool is_late = false;
  bool is_done = gpu_is_ok(status) && gpu_is_ok(c->g->cuEventRecord(c->end, stream)) &&
                 wait_for_end(c, &is_late);
  if (is_late) {
    static bool is_registered;
    records_warn(endless, c->name);
    read_counters(c, records_add_late);
    is_registered = is_registered || atexit(look_at_exit) == 0;
    char *name = strdup(c->name); // the driver's goes with the module
    late = *c;
    late.name = late.r.kernel = name == NULL ? "?" : name;
    has_late = true;
    return;
  }
  if (is_done) {
    read_time(c);
    const int64_t number = read_counters(c, records_add);
    shape->number = number >= 0 ? number : shape->number;
  } else if (gpu_is_ok(
                 status)) { // what the program hears of later; nothing works in its context then
    records_warn(failed, c->name);
    records_save();
  }
  take_back(c);
  tidy_up(c);
}

// ---- both

// Launches a kernel that can count, with counters if that is due. By who has the mutex.
static int launch_or_count(counting *c, const launch *l, gpu_address text, size_t length,
                           int error) {
  const double before = now();
  bool is_other;
  launched_shape *shape = find_shape(c->variable, &l->shape, &is_other);
  const bool is_due = !is_other && has_time(shape);
  if (has_late)
    look_after_late();
  if (has_late && !is_late_cut && c->variable == late.variable)
    cut_late();
  const bool is_ready = is_due && !has_late && prepare(c, &l->shape, shape, text, length);
  if (!is_ready) {
    take_back(c);
    tidy_up(c);
  }
  void *launched = is_ready ? l->kernel : find_plain(c, l->kernel);
  errno = error;
  const int status = launch_do(l, launched), later = errno;
  if (is_ready)
    finish(c, shape, l->shape.stream, status);
  else if (shape != NULL && gpu_is_ok(status))
    records_launched(shape->number);
  if (is_due && !has_late) // whose time is the kernel's
    spent += now() - before;
  errno = later;
  return status;
}

static int launch_plain(const counting *c, const launch *l, bool can_count, int error) {
  void *launched = can_count ? find_plain(c, l->kernel) : l->kernel;
  errno = error;
  return launch_do(l, launched);
}

// Launches the kernel, with counters if it can count.
int launch_through(const launch *l) {
  bool is_nothing = l->kind == LAUNCH_CONFIGURED && l->configuration == NULL;
  counting c = {.g = NULL};
  if (!is_inside && !is_nothing && records_wanted())
    c.g = gpu_of(l->function);
  if (c.g == NULL)
    return launch_do(l, l->kernel);
  const int error = errno;
  is_inside = true;
  int mode = GPU_RELAXED;
  c.g->cuThreadExchangeStreamCaptureMode(&mode); // what is done here is no part of a capture
  gpu_address text;
  size_t length;
  int status;
  const bool can_count = find_kernel(&c, l->kernel, &text, &length);
  const bool is_in_capture = can_count && is_captured(&c, l->shape.stream);
  if (is_in_capture)
    records_warn(captured, c.name);
  if (can_count && !is_in_capture) {
    pthread_mutex_lock(&mutex);
    status = launch_or_count(&c, l, text, length, error);
    pthread_mutex_unlock(&mutex);
  } else {
    status = launch_plain(&c, l, can_count, error);
  }
  const int later = errno;
  c.g->cuThreadExchangeStreamCaptureMode(&mode);
  is_inside = false;
  errno = later;
  return status;
}
