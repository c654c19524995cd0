#include "lto.h"

#include "common/jit_library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 256 };

bool lto_is(const char *bytes, size_t size) {
  return size > sizeof LTO_BEGIN && memcmp(bytes, LTO_BEGIN, sizeof LTO_BEGIN - 1) == 0;
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
    if (size >= (size_t)(end - at) || lib->add_data(handle, type, at, size, "linearize") != 0)
      return false;
    at += size + 1;
  }
  return at == end;
}

char *lto_link(char *bytes, size_t size, size_t *length, const char **failure) {
  const char *options[MOST_OPTIONS + 1], *path;
  char *at = bytes + sizeof LTO_BEGIN - 1, *end = bytes + size, *text, *option;
  unsigned count = 0;
  jit_library lib;
  void *handle = NULL, *opened;
  *failure = "nvJitLink isn't there, or is another one";
  path = take_line(&at, end, "library ");
  opened = path == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (opened == NULL || !jit_library_find(&lib, dlsym, opened))
    return NULL;
  while (count < MOST_OPTIONS && (option = take_line(&at, end, "option ")) != NULL)
    options[count++] = option;
  options[count++] = "-ptx";
  *failure = "nvJitLink makes no PTX of it";
  if (lib.create(&handle, count, options) != 0)
    return NULL;
  if (!add_inputs(&lib, handle, at, end)) {
    lib.destroy(&handle);
    return NULL;
  }
  text = jit_library_finish(&lib, handle);
  *length = text == NULL ? 0 : strlen(text);
  return text;
}
