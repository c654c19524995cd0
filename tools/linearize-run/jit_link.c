#define _POSIX_C_SOURCE 200809L // strdup, strnlen

#include "jit_link.h"

#include "driver.h"
#include "image.h"
#include "passage.h"

#include "common/jit_library.h"
#include "preload/symbols.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// ---- linkers of LTO-IR

typedef struct input {
  int type;
  void *data; // NULL: it is the file of that name
  size_t size;
  char *name;
  struct input *next;
} input;

typedef struct linker {
  void *handle;
  unsigned option_count;
  char **options;
  input *inputs, **last_input;
  size_t size;    // of all inputs
  bool is_whole;  // all inputs are here
  void *relinked; // has the linearized machine code; NULL: the program's own linker has its
  struct linker *next;
} linker;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static linker *linkers;

static linker *linker_of(const void *handle) {
  pthread_mutex_lock(&mutex);
  linker *l = linkers;
  while (l != NULL && l->handle != handle)
    l = l->next;
  pthread_mutex_unlock(&mutex);
  return l;
}

static void forget_inputs(linker *l) {
  for (input *in = l->inputs, *next; in != NULL; in = next) {
    next = in->next;
    free(in->data);
    free(in->name);
    free(in);
  }
  l->inputs = NULL;
  l->last_input = &l->inputs;
  l->is_whole = false;
}

static void free_linker(linker *l) {
  forget_inputs(l);
  for (unsigned i = 0; i < l->option_count; i++)
    free(l->options[i]);
  free(l->options);
  free(l);
}

// Takes it out of the list. NULL: it isn't there.
static linker *take_linker(const void *handle) {
  pthread_mutex_lock(&mutex);
  linker **at = &linkers;
  while (*at != NULL && (*at)->handle != handle)
    at = &(*at)->next;
  linker *l = *at;
  if (l != NULL)
    *at = l->next;
  pthread_mutex_unlock(&mutex);
  return l;
}

static void remember_linker(void *handle, unsigned count, const char **options) {
  linker *l = calloc(1, sizeof *l);
  if (l == NULL)
    return;
  l->handle = handle;
  l->last_input = &l->inputs;
  l->is_whole = true;
  l->options = calloc((size_t)count + 1, sizeof *l->options);
  while (l->options != NULL && l->option_count < count &&
         (l->options[l->option_count] = strdup(options[l->option_count])) != NULL)
    l->option_count++;
  if (l->option_count < count || l->options == NULL) {
    free_linker(l);
    return;
  }
  pthread_mutex_lock(&mutex);
  l->next = linkers;
  linkers = l;
  pthread_mutex_unlock(&mutex);
}

// Of other inputs linking with -ptx would leave out what they hold.
static bool is_lto_ir(int type, const void *data, size_t size) {
  static const unsigned char magic[] = {0xed, 0x43, 0x4e, 0x7f};
  return type == JIT_LINK_LTO_IR || (type == JIT_LINK_ANY && data != NULL && size >= sizeof magic &&
                                     !memcmp(data, magic, sizeof magic));
}

// A copy, for the program's may be gone when all are linked. data NULL: a file.
static void remember_input(linker *l, int type, const void *data, size_t size, const char *name) {
  if (!l->is_whole)
    return;
  bool fits = is_lto_ir(type, data, size) && size <= IMAGE_MOST_BYTES - l->size;
  input *in = fits ? calloc(1, sizeof *in) : NULL;
  if (in == NULL) {
    forget_inputs(l);
    return;
  }
  *l->last_input = in;
  l->last_input = &in->next;
  l->size += size;
  in->type = type;
  in->size = size;
  in->name = name == NULL ? NULL : strdup(name);
  in->data = data == NULL ? NULL : malloc(size + 1);
  if ((in->name == NULL) != (name == NULL) || (in->data == NULL) != (data == NULL))
    forget_inputs(l);
  else if (data != NULL)
    memcpy(in->data, data, size);
}

// ---- linking once more

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool is_lto(const char *option) {
  return strcmp(option, "-lto") == 0 || strcmp(option, "-dlto") == 0;
}

// What is said to the compiler of LTO-IR, which PTX has behind it.
static bool is_for_lto(const char *option) {
  static const char *const starts[] = {"-Xnvvm",
                                       "-ftz=",
                                       "-prec-div=",
                                       "-prec-sqrt=",
                                       "-fma=",
                                       "-kernels-used=",
                                       "-variables-used=",
                                       "-optimize-unused-variables",
                                       "-split-compile-extended"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (starts_with(option, starts[i]))
      return true;
  return is_lto(option);
}

// The PTX of all inputs, with a zero behind it, to be freed. NULL: they have none.
static char *link_to_ptx(const jit_library *lib, const linker *l, const char **options) {
  unsigned count = 0;
  for (; count < l->option_count; count++)
    options[count] = l->options[count];
  options[count++] = "-ptx";
  void *handle = NULL;
  if (lib->create(&handle, count, options) != 0)
    return NULL;
  bool works = true;
  for (const input *in = l->inputs; in != NULL && works; in = in->next)
    works = in->data == NULL ? lib->add_file(handle, in->type, in->name) == 0
                             : lib->add_data(handle, in->type, in->data, in->size, in->name) == 0;
  if (works)
    return jit_library_finish(lib, handle);
  lib->destroy(&handle);
  return NULL;
}

// A linker with the machine code of the PTX, or NULL.
static void *link_ptx(const jit_library *lib, const linker *l, const char **options,
                      const char *text, size_t size, const char *name) {
  unsigned count = 0;
  for (unsigned i = 0; i < l->option_count; i++)
    if (!is_for_lto(l->options[i]))
      options[count++] = l->options[i];
  void *handle = NULL;
  if (lib->create(&handle, count, options) != 0)
    return NULL;
  if (lib->add_data(handle, JIT_LINK_PTX, text, size, name) == 0 && lib->complete(handle) == 0)
    return handle;
  lib->destroy(&handle);
  return NULL;
}

static void *relink(void *function, const linker *l) {
  jit_library lib;
  const char **options = calloc((size_t)l->option_count + 1, sizeof *options);
  char *text = NULL, *linearized = NULL;
  void *result = NULL;
  const char *name = l->inputs->name == NULL ? "nvJitLinkComplete" : l->inputs->name;
  size_t size;
  if (options != NULL && jit_library_find(&lib, symbols_beside, function))
    text = link_to_ptx(&lib, l, options);
  if (text != NULL) {
    image given = {.name = name};
    linearized = image_linearize_text(&given, text, strlen(text), &size);
  }
  if (linearized != NULL)
    result = link_ptx(&lib, l, options, linearized, size, name);
  free(linearized);
  free(text);
  free(options);
  return result;
}

// ---- what stands in

int stand_in_jit_create(void *function, void **handle, unsigned count, const char **options) {
  int status = AS(jit_link_create, function)(handle, count, options), error = errno;
  bool lto = false, has_other_result = false;
  for (unsigned i = 0; status == 0 && i < count; i++) {
    lto |= is_lto(options[i]);
    has_other_result |= strcmp(options[i], "-ptx") == 0 || strcmp(options[i], "-r") == 0;
  }
  if (lto && !has_other_result)
    remember_linker(*handle, count, options);
  errno = error;
  return status;
}

int stand_in_jit_destroy(void *function, void **handle) {
  linker *l = handle == NULL ? NULL : take_linker(*handle);
  if (l != NULL && l->relinked != NULL)
    AS(jit_link_destroy, function)(&l->relinked);
  if (l != NULL)
    free_linker(l);
  return AS(jit_link_destroy, function)(handle);
}

int stand_in_jit_data(void *function, void *handle, int type, const void *data, size_t size,
                      const char *name) {
  bool may_change =
      size > 0 && (type == JIT_LINK_PTX || type == JIT_LINK_FAT_BINARY || type == JIT_LINK_ANY);
  passage p = passage_enter(function, may_change ? data : NULL, size,
                            name == NULL ? "nvJitLinkAddData" : name);
  // It compiles PTX when it is added (CUDA 13.0), and what failed isn't there.
  jit_link_data *add = AS(jit_link_data, function);
  int failed = p.made == NULL ? -1 : add(handle, type, p.made, p.size, name), status = failed;
  if (failed != 0)
    status = add(handle, type, passage_original(&p, data), passage_original_size(&p, size), name);
  int error = errno;
  if (p.made != NULL && failed != 0 && status == 0)
    passage_refused(&p, failed);
  linker *l = linker_of(handle);
  if (l != NULL && status == 0 && data != NULL)
    remember_input(l, type, data, size, name);
  errno = error;
  passage_leave(&p);
  return status;
}

int stand_in_jit_file(void *function, void *handle, int type, const char *name) {
  int status = AS(jit_link_file, function)(handle, type, name), error = errno;
  linker *l = linker_of(handle);
  if (l != NULL && status == 0 && name != NULL)
    remember_input(l, type, NULL, 0, name);
  errno = error;
  return status;
}

int stand_in_jit_complete(void *function, void *handle) {
  int error = errno;
  linker *l = linker_of(handle);
  if (l != NULL && l->is_whole && l->inputs != NULL && l->relinked == NULL) {
    l->relinked = relink(function, l);
    forget_inputs(l);
  }
  errno = error;
  return l != NULL && l->relinked != NULL ? 0 : AS(jit_link_complete, function)(handle);
}

// The linker that has the machine code of this one.
static void *with_machine_code(void *handle) {
  linker *l = linker_of(handle);
  return l != NULL && l->relinked != NULL ? l->relinked : handle;
}

int stand_in_jit_size(void *function, void *handle, size_t *size) {
  return AS(jit_link_size, function)(with_machine_code(handle), size);
}

int stand_in_jit_cubin(void *function, void *handle, void *cubin) {
  return AS(jit_link_get, function)(with_machine_code(handle), cubin);
}
