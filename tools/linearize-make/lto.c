#include "lto.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 256 };

// nvJitLink's functions, whose status is 0 where all went well.
typedef struct jit_library {
  int (*create)(void **handle, unsigned count, const char **options);
  int (*add)(void *handle, int type, const void *data, size_t size, const char *name);
  int (*complete)(void *handle);
  int (*get_size)(void *handle, size_t *size);
  int (*get_text)(void *handle, char *text);
  int (*destroy)(void **handle);
} jit_library;

bool lto_is(const char *bytes, size_t size) {
  return size > sizeof LTO_BEGIN && memcmp(bytes, LTO_BEGIN, sizeof LTO_BEGIN - 1) == 0;
}

static bool find_library(const char *path, jit_library *lib) {
  void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const struct {
    const char *name;
    void *at;
  } needed[] = {
      {"nvJitLinkCreate", &lib->create},         {"nvJitLinkAddData", &lib->add},
      {"nvJitLinkComplete", &lib->complete},     {"nvJitLinkGetLinkedPtxSize", &lib->get_size},
      {"nvJitLinkGetLinkedPtx", &lib->get_text}, {"nvJitLinkDestroy", &lib->destroy},
  };
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    void *found = opened == NULL ? NULL : dlsym(opened, needed[i].name);
    if (found == NULL)
      return false;
    memcpy(needed[i].at, &found, sizeof found);
  }
  return true;
}

// The value of a line that begins with `word`, whose end becomes a zero. NULL: it is another line.
static char *take_line(char **at, const char *end, const char *word) {
  const size_t length = strlen(word);
  char *stop = *at < end ? memchr(*at, '\n', (size_t)(end - *at)) : NULL;
  if (stop == NULL || (size_t)(stop - *at) <= length || memcmp(*at, word, length) != 0)
    return NULL;
  char *value = *at + length;
  *stop = '\0';
  *at = stop + 1;
  return value;
}

static bool add_inputs(const jit_library *lib, void *handle, char *at, const char *end) {
  char *line;
  while ((line = take_line(&at, end, "input ")) != NULL) {
    const int type = (int)strtol(line, &line, 10);
    const size_t size = strtoul(line, NULL, 10);
    if (size >= (size_t)(end - at) || lib->add(handle, type, at, size, "linearize") != 0)
      return false;
    at += size + 1;
  }
  return at == end;
}

char *lto_link(char *bytes, size_t size, size_t *length, const char **failure) {
  const char *options[MOST_OPTIONS + 1], *path;
  char *at = bytes + sizeof LTO_BEGIN - 1, *end = bytes + size, *text = NULL, *option;
  unsigned count = 0;
  jit_library lib;
  void *handle = NULL;
  *failure = "nvJitLink isn't there, or is another one";
  path = take_line(&at, end, "library ");
  if (path == NULL || !find_library(path, &lib))
    return NULL;
  while (count < MOST_OPTIONS && (option = take_line(&at, end, "option ")) != NULL)
    options[count++] = option;
  options[count++] = "-ptx";
  *failure = "nvJitLink makes no PTX of it";
  if (lib.create(&handle, count, options) != 0)
    return NULL;
  if (add_inputs(&lib, handle, at, end) && lib.complete(handle) == 0 &&
      lib.get_size(handle, &size) == 0)
    text = calloc(1, size + 1);
  if (text != NULL && lib.get_text(handle, text) != 0) {
    free(text);
    text = NULL;
  }
  lib.destroy(&handle);
  *length = text == NULL ? 0 : strlen(text);
  return text;
}
