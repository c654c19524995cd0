#define _GNU_SOURCE // dladdr
#include "links.h"

#include "settings.h"

#include "common/cache.h"
#include "common/jit_library.h"
#include "graph/fnv.h"
#include "linearize-make/lto.h"
#include "preload/gpu.h"
#include "preload/symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRIVER_PTX = 1 }; // CU_JIT_INPUT_PTX
enum { MOST_BYTES = 64 << 20 /* of texts */, MOST_CODE = 256 << 20 };

// PTX, or LTO-IR with how it is linked (linearize-make/lto.h).
typedef struct source {
  char *bytes; // NULL: nobody can tell
  size_t size;
} source;

// A linker that isn't done.
typedef struct linker {
  struct linker *next;
  const void *handle;
  bool is_lto; // all of it has to be
  unsigned inputs;
  source of;
} linker;

// Machine code that was linked.
typedef struct code {
  struct code *next; // that was linked before
  size_t size;
  uint64_t digest;
  source of;
} code;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static linker *linkers;
static code *codes;
static size_t kept; // bytes of all sources

static linker **find_linker(const void *handle) {
  linker **at = &linkers;
  while (*at != NULL && (*at)->handle != handle)
    at = &(*at)->next;
  return at;
}

static void drop(source *s) {
  kept -= s->bytes == NULL ? 0 : s->size;
  free(s->bytes);
  *s = (source){0};
}

static void forget_linker(const void *handle) {
  linker **at = find_linker(handle), *l = *at;
  if (l == NULL)
    return;
  *at = l->next;
  drop(&l->of);
  free(l);
}

// The oldest code goes where there is no room.
static bool make_room(size_t size) {
  while (size <= MOST_BYTES && kept > MOST_BYTES - size && codes != NULL) {
    code **at = &codes;
    while ((*at)->next != NULL)
      at = &(*at)->next;
    drop(&(*at)->of);
    free(*at);
    *at = NULL;
  }
  return size <= MOST_BYTES && kept <= MOST_BYTES - size;
}

// With a zero behind it. What doesn't fit, drops all of it.
static void append(source *s, const char *bytes, size_t size) {
  char *more = make_room(size) ? realloc(s->bytes, s->size + size + 1) : NULL;
  if (more == NULL) {
    drop(s);
    return;
  }
  memcpy(more + s->size, bytes, size);
  more[s->size + size] = '\0';
  *s = (source){more, s->size + size};
  kept += size;
}

static void append_line(source *s, const char *word, const char *value) {
  if (s->bytes == NULL)
    return;
  append(s, word, strlen(word));
  if (s->bytes != NULL)
    append(s, value, strlen(value));
  if (s->bytes != NULL)
    append(s, "\n", 1);
}

static linker *add_linker(const void *handle, bool is_lto) {
  linker *l = calloc(1, sizeof *l);
  if (l == NULL)
    return NULL;
  *l = (linker){.next = linkers, .handle = handle, .is_lto = is_lto};
  return linkers = l;
}

// Options with a line's end are nobody's.
static void add_lto_linker(const void *handle, void *function, const char **options,
                           unsigned count) {
  Dl_info is;
  linker *l = dladdr(function, &is) != 0 ? add_linker(handle, true) : NULL;
  if (l == NULL)
    return;
  append(&l->of, LTO_BEGIN, sizeof LTO_BEGIN - 1);
  append_line(&l->of, "library ", is.dli_fname);
  for (unsigned i = 0; i < count; i++)
    append_line(&l->of, "option ", options[i]);
}

static void add_lto_ir(linker *l, const char *bytes, size_t size) {
  char head[64];
  snprintf(head, sizeof head, "%d %zu", JIT_LINK_LTO_IR, size);
  append_line(&l->of, "input ", head);
  if (l->of.bytes != NULL)
    append(&l->of, bytes, size);
  if (l->of.bytes != NULL)
    append(&l->of, "\n", 1);
}

typedef enum input { OTHER, PTX, LTO_IR } input;

static void add_input(const void *handle, input kind, const char *bytes, size_t size) {
  linker *l = *find_linker(handle);
  if (l == NULL)
    l = add_linker(handle, false);
  if (l == NULL)
    return;
  if (l->is_lto && kind == LTO_IR && l->of.bytes != NULL)
    add_lto_ir(l, bytes, size);
  else if (l->is_lto || (kind == PTX && l->inputs > 0))
    drop(&l->of);
  else if (kind == PTX)
    append(&l->of, bytes, strnlen(bytes, size));
  l->inputs += kind != OTHER;
}

// Of machine code, whose sections and segments end it. 0: it is something else.
static size_t size_of(const void *image) {
  Elf64_Ehdr h;
  if (memcmp(image, ELFMAG, SELFMAG) != 0)
    return 0;
  memcpy(&h, image, sizeof h);
  const uint64_t sections = h.e_shoff + (uint64_t)h.e_shnum * h.e_shentsize,
                 segments = h.e_phoff + (uint64_t)h.e_phnum * h.e_phentsize,
                 size = sections > segments ? sections : segments;
  return size >= sizeof h && size <= MOST_CODE ? (size_t)size : 0;
}

// What that code is of, which is `of`, in this process.
static void add_code(const source *of, const void *image, size_t size) {
  code *c = of->bytes == NULL || size == 0 ? NULL : calloc(1, sizeof *c);
  if (c == NULL)
    return;
  append(&c->of, of->bytes, of->size);
  if (c->of.bytes == NULL) {
    free(c);
    return;
  }
  c->next = codes;
  c->size = size;
  c->digest = lin_fnv_bytes(LIN_FNV_START, image, size);
  codes = c;
}

static char *find_code(const void *image, size_t size, size_t *length) {
  char *found = NULL;
  uint64_t digest = 0;
  for (const code *c = codes; c != NULL && found == NULL; c = c->next) {
    if (c->size != size)
      continue;
    digest = digest != 0 ? digest : lin_fnv_bytes(LIN_FNV_START, image, size);
    if (c->digest == digest && (found = malloc(c->of.size + 1)) != NULL) {
      memcpy(found, c->of.bytes, c->of.size + 1);
      *length = c->of.size;
    }
  }
  return found;
}

// ---- other processes ---------------------------------------------------------------------------

// Who keeps its machine code in files, as CuPy does, links it once, and loads it in all later runs.
static const char asked[] = "what machine code is of";

static const tool_cache *get_cache(void) {
  static tool_cache cache;
  static enum { UNKNOWN, THERE, NOT_THERE } is;
  if (is == UNKNOWN)
    is = tool_cache_default(&cache) ? THERE : NOT_THERE;
  return is == THERE ? &cache : NULL;
}

static void keep_code(const source *of, const void *image, size_t size) {
  const tool_cache *cache = of->bytes == NULL || size == 0 ? NULL : get_cache();
  const tool_cache_key key = {asked, "", image, size};
  const tool_cache_value value = {.made = of->bytes, .made_length = of->size, .said = of->bytes};
  tool_cache_value there = {0};
  if (cache == NULL)
    return;
  if (!tool_cache_find(cache, &key, &there))
    tool_cache_keep(cache, &key, &value);
  free(there.made);
  free(there.said);
}

static char *find_kept(const void *image, size_t size, size_t *length) {
  const tool_cache *cache = get_cache();
  const tool_cache_key key = {asked, "", image, size};
  tool_cache_value there = {0};
  if (cache == NULL || !tool_cache_find(cache, &key, &there))
    return NULL;
  free(there.said);
  *length = there.made_length;
  return there.made;
}

char *links_find(const void *image, size_t *length) {
  const size_t size = size_of(image);
  if (size == 0)
    return NULL;
  pthread_mutex_lock(&lock);
  char *found = find_code(image, size, length);
  if (found == NULL)
    found = find_kept(image, size, length);
  pthread_mutex_unlock(&lock);
  return found;
}

// ---- what links --------------------------------------------------------------------------------

// Whether the call that returned `status` is to be noted; then with the lock.
static bool begin_note(int status, const void *handle) {
  const bool is_to_be_noted =
      status == DRIVER_SUCCESS && handle != NULL && settings_get()->make != NULL;
  if (is_to_be_noted)
    pthread_mutex_lock(&lock);
  return is_to_be_noted;
}

static int note_input(int status, const void *handle, input kind, const void *bytes, size_t size) {
  const int error = errno;
  if (begin_note(status, handle)) {
    add_input(handle, bytes == NULL || size == 0 ? OTHER : kind, bytes, size);
    pthread_mutex_unlock(&lock);
  }
  errno = error;
  return status;
}

static int note_code(int status, const void *handle, const void *image) {
  const int error = errno;
  if (begin_note(status, handle)) {
    const linker *l = *find_linker(handle);
    if (l != NULL && l->inputs > 0 && image != NULL) {
      add_code(&l->of, image, size_of(image));
      keep_code(&l->of, image, size_of(image));
    }
    pthread_mutex_unlock(&lock);
  }
  errno = error;
  return status;
}

static void note_end(const void *handle) {
  if (!begin_note(DRIVER_SUCCESS, handle))
    return;
  forget_linker(handle);
  pthread_mutex_unlock(&lock);
}

typedef int driver_link_data(void *state, int type, void *data, size_t size, const char *name,
                             unsigned count, int *options, void **values);
typedef int driver_link_complete(void *state, void **made, size_t *size);
typedef int driver_link_destroy(void *state);

int stand_in_link_data(void *function, void *state, int type, void *data, size_t size,
                       const char *name, unsigned count, int *options, void **values) {
  const int status =
      AS(driver_link_data, function)(state, type, data, size, name, count, options, values);
  return note_input(status, state, type == DRIVER_PTX ? PTX : OTHER, data, size);
}

int stand_in_link_complete(void *function, void *state, void **made, size_t *size) {
  const int status = AS(driver_link_complete, function)(state, made, size);
  return note_code(status, state, status == DRIVER_SUCCESS && made != NULL ? *made : NULL);
}

int stand_in_link_destroy(void *function, void *state) {
  note_end(state);
  return AS(driver_link_destroy, function)(state);
}

int stand_in_jit_create(void *function, void **handle, unsigned count, const char **options) {
  const int status = AS(jit_link_create, function)(handle, count, options), error = errno;
  bool is_lto = false, has_other_result = false;
  for (unsigned i = 0; status == 0 && i < count; i++) {
    is_lto |= strcmp(options[i], "-lto") == 0 || strcmp(options[i], "-dlto") == 0;
    has_other_result |= strcmp(options[i], "-ptx") == 0 || strcmp(options[i], "-r") == 0;
  }
  if (is_lto && !has_other_result && handle != NULL && begin_note(status, *handle)) {
    add_lto_linker(*handle, function, options, count);
    pthread_mutex_unlock(&lock);
  }
  errno = error;
  return status;
}

static input kind_of(int type, const void *data, size_t size) {
  static const unsigned char lto_ir[] = {0xed, 0x43, 0x4e, 0x7f};
  if (type == JIT_LINK_ANY && data != NULL && size > sizeof lto_ir)
    return memcmp(data, lto_ir, sizeof lto_ir) == 0 ? LTO_IR
           : strchr("./ \t\r\n", *(const char *)data) != NULL && *(const char *)data != '\0'
               ? PTX
               : OTHER;
  return type == JIT_LINK_PTX ? PTX : type == JIT_LINK_LTO_IR ? LTO_IR : OTHER;
}

int stand_in_jit_data(void *function, void *handle, int type, const void *data, size_t size,
                      const char *name) {
  const input kind = kind_of(type, data, size);
  return note_input(AS(jit_link_data, function)(handle, type, data, size, name), handle, kind, data,
                    size);
}

int stand_in_jit_file(void *function, void *handle, int type, const char *name) {
  return note_input(AS(jit_link_file, function)(handle, type, name), handle, OTHER, NULL, 0);
}

int stand_in_jit_code(void *function, void *handle, void *made) {
  return note_code(AS(jit_link_get, function)(handle, made), handle, made);
}

int stand_in_jit_destroy(void *function, void **handle) {
  note_end(handle == NULL ? NULL : *handle);
  return AS(jit_link_destroy, function)(handle);
}

typedef int nvrtc_get_size(void *program, size_t *size);
typedef int nvrtc_get_text(void *program, char *text);

// NVRTC has the PTX that it made machine code of.
static void note_compiled(void *function, void *program, const void *image) {
  void *get_size = symbols_beside(function, "nvrtcGetPTXSize"),
       *get_text = symbols_beside(function, "nvrtcGetPTX");
  source of = {0};
  if (get_size == NULL || get_text == NULL ||
      AS(nvrtc_get_size, get_size)(program, &of.size) != 0 || of.size < 2 || of.size > MOST_BYTES)
    return;
  of.bytes = calloc(1, of.size + 1);
  if (of.bytes != NULL && AS(nvrtc_get_text, get_text)(program, of.bytes) == 0 &&
      begin_note(DRIVER_SUCCESS, program)) {
    of.size = strlen(of.bytes);
    add_code(&of, image, size_of(image));
    keep_code(&of, image, size_of(image));
    pthread_mutex_unlock(&lock);
  }
  free(of.bytes);
}

int stand_in_nvrtc_code(void *function, void *program, char *made) {
  const int status = AS(nvrtc_get_text, function)(program, made), error = errno;
  if (status == 0 && made != NULL && settings_get()->make != NULL)
    note_compiled(function, program, made);
  errno = error;
  return status;
}
