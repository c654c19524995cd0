#include "check.h"

#include "allocated.h"
#include "difference.h"
#include "settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LAUNCHES = 3,
  BLOCK = 4096,    // bytes that are restored at a time, where any of them changed
  PIECE = 4 << 20, // bytes that are read at a time
};

typedef struct buffer {
  gpu_address at;
  size_t size;
  unsigned char *before, *plain; // on the host
  const char *what;
  uint32_t number; // of the argument
  difference by_version, by_plain;
} buffer;

typedef struct check {
  const launch *l;
  kernel *k;
  shape *s;
  const check_ways *by;
  void *stream;
  buffer *buffer;
  uint32_t count, capacity;
  uint32_t used;    // the first so many, which the kernel is known to use
  uint32_t version; // that is compared
  size_t bytes;     // of all buffers
  size_t left;      // of those that aren't compared
  unsigned char *memory, *piece;
} check;

bool check_is_wanted(const kernel *k, uint32_t version) {
  return k->checked[version] < LAUNCHES && k->checked[0] < LAUNCHES;
}

// ---- the report --------------------------------------------------------------------------------

// One write, so that lines of several processes don't mix.
__attribute__((format(printf, 3, 4))) static void report(const check *c, const char *what,
                                                         const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  FILE *file = fopen(settings_get()->check, "ae");
  if (file == NULL)
    return;
  fprintf(file, "%s\t%s\t%016" PRIx64 "\t%s\t%s\n", what, c->k->symbol, c->k->hash,
          c->version == 0 ? "-" : c->k->name[c->version], text);
  fclose(file);
}

static void report_difference(const check *c, const char *what, const buffer *b) {
  char values[256];
  const difference *d = &b->by_version;
  char of[16] = "";
  difference_write(values, sizeof values, d);
  if (b->number < PARAMETERS_MOST)
    snprintf(of, sizeof of, " %" PRIu32, b->number);
  report(c, what, "launch %u, %s%s of %zu bytes, byte %zu: %s; %" PRIu64 " of %zu words differ",
         c->k->checked[c->version] + 1U, b->what, of, b->size, d->first, values, d->words,
         (b->size + DIFFERENCE_WORD - 1) / DIFFERENCE_WORD);
}

// ---- buffers -----------------------------------------------------------------------------------

// Whether one of the first `count` has it.
static bool has(const check *c, gpu_address at, uint32_t count) {
  uint32_t i = 0;
  while (i < count && (at < c->buffer[i].at || at - c->buffer[i].at >= c->buffer[i].size))
    i++;
  return i < count;
}

static bool add(check *c, gpu_address at, size_t size, const char *what, uint32_t number) {
  if (c->count == c->capacity) {
    const uint32_t more = c->capacity == 0 ? 64 : 2 * c->capacity;
    buffer *moved = realloc(c->buffer, more * sizeof *moved);
    if (moved == NULL)
      return false;
    c->buffer = moved;
    c->capacity = more;
  }
  c->buffer[c->count++] = (buffer){.at = at, .size = size, .what = what, .number = number};
  c->bytes += size;
  return true;
}

// A value of eight bytes may be an address.
static bool add_pointed(check *c) {
  void *argument[PARAMETERS_MOST];
  const parameters *p = &c->k->parameters;
  gpu_address value, at;
  size_t size;
  if (!parameters_find(p, c->l, argument))
    return false;
  for (uint32_t i = 0; i < p->count; i++)
    for (size_t from = 0; from + sizeof value <= p->size[i]; from += sizeof value) {
      memcpy(&value, (const char *)argument[i] + from, sizeof value);
      const bool is_address = value != 0 && !has(c, value, c->count) &&
                              (allocated_find(value, &at, &size) ||
                               gpu_is_ok(c->k->gpu->cuMemGetAddressRange_v2(&at, &size, value)));
      if (is_address && !add(c, at, size, "argument", i))
        return false;
    }
  return true;
}

static bool add_shared(check *c) {
  const making_variable *shared;
  const uint32_t count = c->k->making == NULL ? 0 : making_shared(c->k->making, &shared);
  for (uint32_t i = 0; i < count; i++)
    if (!has(c, shared[i].at, c->count) &&
        !add(c, shared[i].at, shared[i].size, "a variable", PARAMETERS_MOST))
      return false;
  return count < MAKING_MOST_SHARED;
}

// Of the others as many as there is room for.
static void add_other(void *context, gpu_address at, size_t size) {
  check *c = context;
  if (has(c, at, c->used))
    return;
  if (size > settings_get()->most_checked - c->bytes ||
      !add(c, at, size, "another allocation", PARAMETERS_MOST))
    c->left += size;
}

static bool find_buffers(check *c) {
  if (!add_pointed(c) || !add_shared(c))
    return false;
  if (c->bytes > settings_get()->most_checked) {
    report(c, "large", "%zu", c->bytes);
    return false;
  }
  c->used = c->count;
  allocated_each(c->k->context, add_other, c);
  if (c->left > 0)
    report(c, "left", "%zu", c->left);
  c->memory = malloc(2 * c->bytes + PIECE);
  c->piece = c->memory;
  size_t used = PIECE;
  for (uint32_t i = 0; i < c->count && c->memory != NULL; i++) {
    c->buffer[i].before = c->memory + used;
    c->buffer[i].plain = c->memory + used + c->buffer[i].size;
    used += 2 * c->buffer[i].size;
  }
  return c->memory != NULL;
}

// ---- copies ------------------------------------------------------------------------------------

static bool wait_for_all(const check *c) { return gpu_is_ok(c->k->gpu->cuCtxSynchronize()); }

static bool read_bytes(const check *c, void *to, gpu_address from, size_t size) {
  return gpu_is_ok(c->k->gpu->cuMemcpyDtoHAsync_v2(to, from, size, c->stream)) &&
         gpu_is_ok(c->k->gpu->cuStreamSynchronize(c->stream));
}

// Memory that holds `there` gets `wanted`, where these differ: others may not write there.
static bool write_bytes(const check *c, gpu_address to, const unsigned char *wanted,
                        const unsigned char *there, size_t size) {
  bool is_written = true;
  for (size_t at = 0; at < size && is_written; at += BLOCK) {
    const size_t length = size - at < BLOCK ? size - at : BLOCK;
    if (memcmp(wanted + at, there + at, length) != 0)
      is_written =
          gpu_is_ok(c->k->gpu->cuMemcpyHtoDAsync_v2(to + at, wanted + at, length, c->stream));
  }
  return is_written && gpu_is_ok(c->k->gpu->cuStreamSynchronize(c->stream));
}

static bool read_all(const check *c, bool is_before) {
  bool is_read = true;
  for (uint32_t i = 0; i < c->count && is_read; i++) {
    const buffer *b = &c->buffer[i];
    is_read = read_bytes(c, is_before ? b->before : b->plain, b->at, b->size);
  }
  return is_read;
}

// From what was there before to what plain wrote, or back.
static bool write_all(const check *c, bool is_before) {
  bool is_written = true;
  for (uint32_t i = 0; i < c->count && is_written; i++) {
    const buffer *b = &c->buffer[i];
    is_written = write_bytes(c, b->at, is_before ? b->before : b->plain,
                             is_before ? b->plain : b->before, b->size);
  }
  return is_written;
}

// ---- comparing ---------------------------------------------------------------------------------

// What memory holds is compared with what plain wrote, and becomes what it was before.
static bool compare_all(const check *c, bool is_version) {
  for (uint32_t i = 0; i < c->count; i++) {
    buffer *b = &c->buffer[i];
    difference *d = is_version ? &b->by_version : &b->by_plain;
    *d = (difference){.words = 0};
    for (size_t at = 0; at < b->size; at += PIECE) {
      const size_t length = b->size - at < PIECE ? b->size - at : PIECE;
      if (!read_bytes(c, c->piece, b->at + at, length))
        return false;
      difference_add(d, c->piece, b->plain + at, at, length);
      if (!write_bytes(c, b->at + at, b->before + at, c->piece, length))
        return false;
    }
  }
  return true;
}

// The first buffer that differs though plain writes the same there again; or any that differs.
static const buffer *find_difference(const check *c, bool *is_sure) {
  const buffer *found = NULL;
  *is_sure = false;
  for (uint32_t i = 0; i < c->count && !*is_sure; i++) {
    const buffer *b = &c->buffer[i];
    *is_sure = b->by_version.words > 0 && b->by_plain.words == 0;
    if (*is_sure || (found == NULL && b->by_version.words > 0))
      found = b;
  }
  return found;
}

static void ban(const check *c) {
  pthread_mutex_lock(&kernels_lock);
  kernels_ban(c->k, c->version);
  pthread_mutex_unlock(&kernels_lock);
}

// False: the GPU doesn't answer any more.
static bool judge(check *c) {
  bool is_sure;
  if (find_difference(c, &is_sure) != NULL &&
      (!gpu_is_ok(launch_do(c->l, c->l->kernel)) || !wait_for_all(c) || !compare_all(c, false)))
    return false;
  const buffer *b = find_difference(c, &is_sure);
  if (b != NULL)
    report_difference(c, is_sure ? "differs" : "unsure", b);
  else
    report(c, "checked", "%zu", c->bytes);
  if (is_sure)
    ban(c);
  c->k->checked[c->version]++;
  return true;
}

static bool check_version(check *c) {
  int status;
  for (uint32_t i = 0; i < c->count; i++)
    c->buffer[i].by_plain.words = 0;
  if (!c->by->launch(c->l, c->k, c->s, c->version, &status) || !gpu_is_ok(status))
    return true; // nothing was done; it is for others to say
  if (wait_for_all(c) && compare_all(c, true))
    return judge(c);
  report(c, "differs", "launch %u ends with an error", c->k->checked[c->version] + 1U);
  return false;
}

// What plain wrote is there again in the end.
static void check_all(check *c, uint32_t versions) {
  if (!read_all(c, false))
    return;
  bool goes_on = write_all(c, true);
  for (c->version = 1; c->version < c->k->versions && goes_on; c->version++)
    if ((versions >> c->version & 1) != 0)
      goes_on = check_version(c);
  write_all(c, false);
}

bool check_versions(const launch *l, kernel *k, shape *s, uint32_t versions, const check_ways *by,
                    int *status) {
  check c = {.l = l, .k = k, .s = s, .by = by, .stream = gpu_stream(k->gpu, l->shape.stream)};
  const int error = errno;
  if (versions == 0 || k->gpu->cuCtxSynchronize == NULL || !allocated_hold())
    return false;
  const bool is_ready = wait_for_all(&c) && find_buffers(&c) && read_all(&c, true);
  if (is_ready) {
    *status = launch_do(l, l->kernel);
    if (gpu_is_ok(*status) && by->is_over(l, k->gpu))
      check_all(&c, versions);
  } else {
    k->checked[0]++;
  }
  free(c.memory);
  free(c.buffer);
  allocated_go_on();
  errno = error;
  return is_ready;
}
