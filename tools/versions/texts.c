#define _POSIX_C_SOURCE 200809L // strnlen
#include "texts.h"

#include "links.h"
#include "settings.h"

#include "common/fat_entries.h"
#include "graph/fnv.h"
#include "preload/gpu.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BUCKETS = 1 << 10, MOST_COPIES = 64 << 20 /* bytes */ };

typedef struct loaded {
  struct loaded *next;
  const void *handle, *library; // library: of a module that is a library's, else NULL
  const void *bytes;            // a fat binary, or a text
  size_t size;                  // of a text; 0: a fat binary says its own
  void *copy;                   // what `bytes` is of, if it is ours
  size_t copied;
  unsigned sm;       // that `found` is for; 0: nothing was looked for
  text_of_gpu found; // no bytes: there is none
} loaded;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static loaded *bucket[BUCKETS];
static size_t copies; // bytes

static loaded **bucket_of(const void *handle) {
  return &bucket[(uint64_t)(uintptr_t)handle * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

// ---- images ------------------------------------------------------------------------------------

static bool has_ptx(const void *fat) {
  fat_reader r;
  if (!fat_start(&r, fat, 0))
    return false;
  for (; fat_read(&r); r.at += fat_whole(&r.entry))
    if (r.entry.kind == FAT_PTX)
      return true;
  return false;
}

// The entries of PTX alone, with a header of their own: *size bytes, or NULL.
static void *copy_entries(const void *fat, size_t *size) {
  fat_reader r;
  *size = sizeof(fat_header);
  for (fat_start(&r, fat, 0); fat_read(&r); r.at += fat_whole(&r.entry))
    *size += r.entry.kind == FAT_PTX ? fat_whole(&r.entry) : 0;
  unsigned char *copy = *size <= MOST_COPIES - copies ? malloc(*size) : NULL;
  if (copy == NULL)
    return NULL;
  size_t used = sizeof(fat_header);
  const fat_header h = {FAT_MAGIC, 1, sizeof h, *size - sizeof h};
  memcpy(copy, &h, sizeof h);
  for (fat_start(&r, fat, 0); fat_read(&r); r.at += fat_whole(&r.entry))
    if (r.entry.kind == FAT_PTX) {
      memcpy(copy + used, r.data + r.at, fat_whole(&r.entry));
      used += fat_whole(&r.entry);
    }
  return copy;
}

// PTX begins with a comment, a blank or .version; machine code and other things don't.
static bool is_text(const char *bytes) {
  static const char marks[] = ".version";
  const size_t length = strnlen(bytes, 1 << 12);
  if (strchr("./ \t\r\n", bytes[0]) == NULL || length < sizeof marks)
    return false;
  for (size_t i = 0; i + sizeof marks <= length; i++)
    if (memcmp(bytes + i, marks, sizeof marks - 1) == 0)
      return true;
  return false;
}

// What is to be kept of an image. No bytes: nothing.
static loaded look_at(const void *image) {
  uint32_t magic;
  fat_wrapper w;
  loaded l = {0};
  magic = 0;
  if (is_text(image)) {
    l.size = strnlen(image, MOST_COPIES);
    l.copy = l.size < MOST_COPIES - copies ? malloc(l.size + 1) : NULL;
    l.copied = l.size + 1;
    l.bytes = l.copy == NULL ? NULL : memcpy(l.copy, image, l.size + 1);
    return l;
  }
  l.copy = links_find(image, &l.size);
  if (l.copy != NULL) {
    l.copied = l.size + 1;
    l.bytes = l.copy;
    return l;
  }
  memcpy(&magic, image, sizeof magic);
  if (magic == FAT_WRAPPER_MAGIC) { // it is part of a program, and stays where it is
    memcpy(&w, image, sizeof w);
    l.bytes = w.data != NULL && has_ptx(w.data) ? w.data : NULL;
  } else if (magic == FAT_MAGIC && has_ptx(image)) {
    l.bytes = l.copy = copy_entries(image, &l.copied);
  }
  return l;
}

// By who has the lock.
static loaded *find(const void *handle) {
  loaded *l = *bucket_of(handle);
  while (l != NULL && l->handle != handle)
    l = l->next;
  return l;
}

static void remove_from(loaded **at, const void *handle) {
  while (*at != NULL) {
    loaded *l = *at;
    if (l->handle != handle && l->library != handle) {
      at = &l->next;
      continue;
    }
    *at = l->next;
    copies -= l->copy == NULL ? 0 : l->copied;
    free(l->copy);
    free(l);
  }
}

void texts_forget(const void *handle) {
  pthread_mutex_lock(&lock);
  const loaded *l = find(handle);
  if (l != NULL && l->library == NULL) // and its modules
    for (int i = 0; i < BUCKETS; i++)
      remove_from(&bucket[i], handle);
  else
    remove_from(bucket_of(handle), handle);
  pthread_mutex_unlock(&lock);
}

void texts_add(void *handle, const void *image) {
  texts_forget(handle);
  pthread_mutex_lock(&lock);
  const loaded seen = look_at(image);
  loaded *l = seen.bytes == NULL ? NULL : malloc(sizeof *l);
  if (l == NULL) {
    free(seen.copy);
  } else {
    loaded **first = bucket_of(handle);
    *l = seen;
    l->handle = handle;
    l->next = *first;
    *first = l;
    copies += l->copy == NULL ? 0 : l->copied;
  }
  pthread_mutex_unlock(&lock);
}

void texts_add_module(const void *library, void *module) {
  pthread_mutex_lock(&lock);
  const loaded *of = find(library), *there = find(module);
  loaded *l = of == NULL || there != NULL ? NULL : malloc(sizeof *l);
  if (l != NULL) {
    loaded **first = bucket_of(module);
    *l = *of;
    l->handle = module;
    l->library = library;
    l->copy = NULL; // the library's
    l->next = *first;
    *first = l;
  }
  pthread_mutex_unlock(&lock);
}

// ---- PTX ---------------------------------------------------------------------------------------

// The entry for the newest GPUs that aren't newer than this one.
static text_of_gpu find_entry(const void *fat, unsigned sm) {
  fat_reader r;
  uint32_t newest = 0;
  text_of_gpu found = {.bytes = NULL};
  for (fat_start(&r, fat, 0); fat_read(&r); r.at += fat_whole(&r.entry))
    if (r.entry.kind == FAT_PTX && r.entry.architecture <= sm && r.entry.architecture > newest) {
      newest = r.entry.architecture;
      found = (text_of_gpu){.bytes = r.data + r.at, .size = fat_whole(&r.entry), .is_entry = true};
    }
  return found;
}

bool texts_find(const void *handle, unsigned sm, text_of_gpu *found) {
  pthread_mutex_lock(&lock);
  loaded *l = find(handle);
  if (l != NULL && l->sm != sm) {
    l->sm = sm;
    l->found =
        l->size > 0 ? (text_of_gpu){.bytes = l->bytes, .size = l->size} : find_entry(l->bytes, sm);
    if (l->found.bytes != NULL)
      l->found.digest = lin_fnv_bytes(LIN_FNV_START, l->found.bytes, l->found.size);
  }
  const bool is_found = l != NULL && l->found.bytes != NULL;
  if (is_found)
    *found = l->found;
  pthread_mutex_unlock(&lock);
  return is_found;
}

void texts_write(FILE *file, const text_of_gpu *t) {
  const fat_header h = {FAT_MAGIC, 1, sizeof h, t->size};
  if (t->is_entry)
    fwrite(&h, 1, sizeof h, file);
  fwrite(t->bytes, 1, t->size, file);
}

// ---- what loads images -------------------------------------------------------------------------

static int loaded_as(int status, void *const *handle, const void *image) {
  const int error = errno;
  if (status == DRIVER_SUCCESS && image != NULL && settings_get()->make != NULL)
    texts_add(*handle, image);
  errno = error;
  return status;
}

typedef int driver_load(void **module, const void *image);
typedef int driver_load_with(void **module, const void *image, unsigned count, int *options,
                             void **values);
typedef int driver_load_file(void **module, const char *file);
typedef int driver_library_file(void **library, const char *file, int *options, void **values,
                                unsigned count, int *library_options, void **library_values,
                                unsigned library_count);
typedef int driver_library(void **library, const void *image, int *options, void **values,
                           unsigned count, int *library_options, void **library_values,
                           unsigned library_count);

int stand_in_load(void *function, void **module, const void *image) {
  return loaded_as(AS(driver_load, function)(module, image), module, image);
}

int stand_in_load_with(void *function, void **module, const void *image, unsigned count,
                       int *options, void **values) {
  return loaded_as(AS(driver_load_with, function)(module, image, count, options, values), module,
                   image);
}

int stand_in_library(void *function, void **library, const void *image, int *options, void **values,
                     unsigned count, int *library_options, void **library_values,
                     unsigned library_count) {
  return loaded_as(AS(driver_library, function)(library, image, options, values, count,
                                                library_options, library_values, library_count),
                   library, image);
}

// The same of a file, which the driver has read.
static int loaded_from(int status, void *const *handle, const char *name) {
  const int error = errno;
  FILE *file = status == DRIVER_SUCCESS && name != NULL && settings_get()->make != NULL
                   ? fopen(name, "rbe")
                   : NULL;
  struct stat is;
  if (file != NULL && fstat(fileno(file), &is) == 0 && is.st_size > 0 && is.st_size < MOST_COPIES) {
    char *image = calloc(1, (size_t)is.st_size + 1);
    if (image != NULL && fread(image, 1, (size_t)is.st_size, file) == (size_t)is.st_size)
      texts_add(*handle, image);
    free(image);
  }
  if (file != NULL)
    fclose(file);
  errno = error;
  return status;
}

int stand_in_load_file(void *function, void **module, const char *file) {
  return loaded_from(AS(driver_load_file, function)(module, file), module, file);
}

int stand_in_library_file(void *function, void **library, const char *file, int *options,
                          void **values, unsigned count, int *library_options,
                          void **library_values, unsigned library_count) {
  return loaded_from(AS(driver_library_file, function)(library, file, options, values, count,
                                                       library_options, library_values,
                                                       library_count),
                     library, file);
}

typedef int driver_function(void **function, void *kernel);

int stand_in_function(void *called, void **function, void *kernel) {
  const int status = AS(driver_function, called)(function, kernel), error = errno;
  const gpu *g = status == DRIVER_SUCCESS && settings_get()->make != NULL ? gpu_of(called) : NULL;
  void *library, *module;
  if (g != NULL && g->cuKernelGetLibrary != NULL &&
      gpu_is_ok(g->cuKernelGetLibrary(&library, kernel)) &&
      gpu_is_ok(g->cuFuncGetModule(&module, *function)))
    texts_add_module(library, module);
  errno = error;
  return status;
}
