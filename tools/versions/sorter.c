#define _GNU_SOURCE // dladdr, secure_getenv

#include "sorter.h"

#include "settings.h"

#include "preload/symbols.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char name[] = "liblinearize-sort.so";

// Beside the file that this is in. False: there is no room for its name.
static bool find_path(char *path, size_t size) {
  Dl_info here;
  const char *given = secure_getenv("LINEARIZE_SORT");
  if (given != NULL)
    return (size_t)snprintf(path, size, "%s", given) < size;
  if (dladdr(name, &here) == 0 || here.dli_fname == NULL)
    return false;
  const char *slash = strrchr(here.dli_fname, '/');
  int folder = slash == NULL ? 0 : (int)(slash - here.dli_fname + 1);
  return (size_t)snprintf(path, size, "%.*s%s", folder, here.dli_fname, name) < size;
}

static bool find_function(void *library, const char *function, void *at) {
  void *found = symbols_in(library, function);
  memcpy(at, &found, sizeof found);
  return found != NULL;
}

// It stays loaded.
static bool load(sorter *s) {
  char path[4096];
  if (!find_path(path, sizeof path) || path[0] == '\0')
    return false;
  // NOLINTNEXTLINE(clang-analyzer-optin.taint.GenericTaint): whoever runs the program chooses it
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const bool is_whole = library != NULL &&
                        find_function(library, "linearize_sort_scratch", &s->scratch) &&
                        find_function(library, "linearize_sort_order", &s->sort);
  dlerror(); // nobody is to find that
  return is_whole;
}

const sorter *sorter_find(void) {
  static sorter found;
  static bool was_looked_for, is_there;
  if (!was_looked_for && !(is_there = load(&found)))
    settings_log("there is no %s that can be loaded: redirected versions are left alone", name);
  was_looked_for = true;
  return is_there ? &found : NULL;
}
