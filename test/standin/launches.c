// Launches: what is refused, how long they take, what is told of them.
#include "standin.h"

#include "exports.h"

#include <stdlib.h>
#include <string.h>

// ---- what was launched -------------------------------------------------------------------------

typedef struct tally {
  const char *kernel;
  uint64_t launches;
} tally;

enum { MOST_TALLIES = 256 };

static tally tallies[MOST_TALLIES];
static uint32_t num_tallies;
static uint64_t launches, refused;

static void count(const char *kernel) {
  uint32_t i = 0;
  while (i < num_tallies && strcmp(tallies[i].kernel, kernel) != 0)
    i++;
  if (i == MOST_TALLIES)
    return;
  if (i == num_tallies) {
    size_t size = strlen(kernel) + 1;
    char *copy = malloc(size);
    if (copy == NULL)
      abort();
    tallies[num_tallies++].kernel = memcpy(copy, kernel, size);
  }
  tallies[i].launches++;
}

static void trace(const gpu_launch *l, const gpu_stream *s, const char *how) {
  const gpu_function *f = l->function;
  if (driver_settings.log == NULL || !driver_settings.trace)
    return;
  fprintf(driver_settings.log,
          "%s %s grid %u %u %u block %u %u %u shared %u of %d cache %d device %d\n", how,
          f->kernel->name, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
          l->block[2], l->shared, f->attribute[MAX_DYNAMIC_SHARED], f->cache, s->context->device);
}

void launches_tell(FILE *log) {
  for (uint32_t i = 0; i < num_tallies; i++)
    fprintf(log, "%s: %llu launches\n", tallies[i].kernel, (unsigned long long)tallies[i].launches);
  counters_tell(log);
  fprintf(log, "refused: %llu launches\n", (unsigned long long)refused);
  fprintf(log, "time %llu ns\n", (unsigned long long)driver_now);
}

// ---- running -----------------------------------------------------------------------------------

static uint64_t with_noise(uint64_t time) {
  static uint64_t state = 1;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  double factor = 1 + driver_settings.noise * ((double)(state >> 11) * 0x1p-52 - 1);
  return (uint64_t)((double)time * factor);
}

void launch_copy(gpu_launch *to, const gpu_launch *from) {
  *to = *from;
  uint32_t size = from->function->kernel->arguments;
  to->arguments = malloc(size + 1U);
  if (to->arguments == NULL)
    abort();
  memcpy(to->arguments, from->arguments, size);
}

// What runs when the time has come; its arguments are NULL if there is nothing such.
static struct {
  gpu_launch launch;
  uint64_t time;
} later;

void launches_go_on(void) {
  if (later.launch.arguments == NULL || driver_now < later.time)
    return;
  int error = OK;
  image_run(later.launch.function->module->image, &later.launch, &error);
  free(later.launch.arguments);
  later.launch.arguments = NULL;
}

static uint64_t run(const gpu_launch *l, int *error) {
  static bool was_parted;
  const gpu_function *f = l->function;
  gpu_launch now = *l;
  now.num_blocks = was_parted ? 0 : settings_part(f->kernel->name);
  if (now.num_blocks > 0) {
    was_parted = true;
    launch_copy(&later.launch, l);
    later.launch.first_block = now.num_blocks;
    later.time = UINT64_MAX;
  }
  return image_run(f->module->image, &now, error);
}

void launch_run(const gpu_launch *l, gpu_stream *s, const char *how) {
  const char *name = l->function->kernel->name;
  int error = OK;
  count(name);
  trace(l, s, how);
  uint64_t wanted = settings_time(name, ++launches), took = 1000;
  counter_begin(l, s);
  if (!driver_settings.idle)
    took = run(l, &error);
  if (driver_settings.serial && s->busy < context_end(s->context))
    s->busy = context_end(s->context);
  took = (wanted != 0 ? wanted : took) * (driver_settings.shared ? streams_at_work(s) : 1);
  uint64_t end = stream_work(s, with_noise(took));
  counter_end(l, s, end);
  later.time = later.time < end ? later.time : end;
  int said = settings_failure("kernel", name);
  if (said != OK)
    error = said;
  if (error != OK)
    context_fail(s->context, error, end);
}

// ---- launching ---------------------------------------------------------------------------------

static int refusal(const gpu_launch *l) {
  const gpu_function *f = l->function;
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    if (l->grid[i] == 0 || l->block[i] == 0)
      return INVALID_VALUE;
    threads *= l->block[i];
  }
  if (threads > 1024)
    return INVALID_VALUE;
  if (threads > settings_threads(f->kernel->name))
    return OUT_OF_RESOURCES;
  bool is_allowed =
      l->shared <= FREE_SHARED || l->shared <= (uint32_t)f->attribute[MAX_DYNAMIC_SHARED];
  return is_allowed ? OK : INVALID_VALUE;
}

// The parameters as they lie in a buffer; false: they aren't given.
static bool gather(gpu_launch *l, void **arguments, void **extra) {
  enum { END = 0, POINTER = 1, SIZE = 2 };
  const image_kernel *k = l->function->kernel;
  const void *buffer = NULL;
  size_t size = 0;
  for (; extra != NULL && (uintptr_t)extra[0] != END; extra += 2) {
    if ((uintptr_t)extra[0] == POINTER)
      buffer = extra[1];
    else if ((uintptr_t)extra[0] == SIZE)
      size = *(const size_t *)extra[1];
  }
  if (k->parameters == 0)
    return true;
  if (arguments == NULL && (buffer == NULL || size < k->arguments))
    return false;
  if (arguments == NULL)
    memcpy(l->arguments, buffer, k->arguments);
  for (uint32_t i = 0; arguments != NULL && i < k->parameters; i++)
    memcpy(l->arguments + k->offset[i], arguments[i], k->size[i]);
  return true;
}

static int start(const char *name, void *handle, gpu_launch *l, gpu_stream *(*find)(void *),
                 void *stream_handle, void **arguments, void **extra, const char *how) {
  // The lock isn't there yet; but what is launched is nobody's to destroy by now.
  const char *kernel = object_is(handle, FUNCTION) ? ((gpu_function *)handle)->kernel->name : NULL;
  LEAVE_UNLESS_OK(driver_enter(name, kernel));
  LEAVE_UNLESS_OK(context_status(driver_current));
  l->function = function_of(handle);
  gpu_stream *s = find(stream_handle);
  if (l->function == NULL || s == NULL)
    return driver_leave(INVALID_HANDLE);
  if (l->function->module->context != driver_current || s->context != driver_current)
    return driver_leave(INVALID_CONTEXT);
  int status = refusal(l);
  refused += status != OK;
  l->arguments = malloc(l->function->kernel->arguments + 1U);
  if (l->arguments == NULL)
    abort();
  if (status == OK && !gather(l, arguments, extra))
    status = INVALID_VALUE;
  if (status == OK && s->captured != NULL)
    graph_add(s->captured, l);
  else if (status == OK)
    launch_run(l, s, how);
  free(l->arguments);
  return driver_leave(status);
}

#define SHAPE                                                                                      \
  unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,           \
      unsigned block_z, unsigned shared, void *stream
#define LAUNCH                                                                                     \
  &(gpu_launch){                                                                                   \
      .grid = {grid_x, grid_y, grid_z}, .block = {block_x, block_y, block_z}, .shared = shared}

int cuLaunchKernel(void *kernel, SHAPE, void **arguments, void **extra) {
  return start("cuLaunchKernel", kernel, LAUNCH, stream_of, stream, arguments, extra, "launch");
}

int cuLaunchKernel_ptsz(void *kernel, SHAPE, void **arguments, void **extra) {
  return start("cuLaunchKernel", kernel, LAUNCH, stream_of_thread, stream, arguments, extra,
               "launch");
}

int cuLaunchCooperativeKernel(void *kernel, SHAPE, void **arguments) {
  return start("cuLaunchCooperativeKernel", kernel, LAUNCH, stream_of, stream, arguments, NULL,
               "cooperative");
}

// As cuda.h lays it out: CUlaunchConfig.
typedef struct configuration {
  unsigned grid[3], block[3], shared;
  void *stream, *attributes;
  unsigned attribute_count;
} configuration;

static int start_configured(const configuration *c, void *kernel, gpu_stream *(*find)(void *),
                            void **arguments, void **extra) {
  gpu_launch l = {.shared = c->shared};
  memcpy(l.grid, c->grid, sizeof l.grid);
  memcpy(l.block, c->block, sizeof l.block);
  return start("cuLaunchKernelEx", kernel, &l, find, c->stream, arguments, extra,
               c->attribute_count > 0 ? "configured" : "launch");
}

int cuLaunchKernelEx(const void *configured, void *kernel, void **arguments, void **extra) {
  return start_configured(configured, kernel, stream_of, arguments, extra);
}

int cuLaunchKernelEx_ptsz(const void *configured, void *kernel, void **arguments, void **extra) {
  return start_configured(configured, kernel, stream_of_thread, arguments, extra);
}
