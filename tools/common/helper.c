#define _GNU_SOURCE // dladdr
#include "helper.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// This program's file, or the library's that is preloaded into it.
static bool find_self(char path[PATH_MAX]) {
  static const char here[] = "";
  Dl_info about;
  if (dladdr(here, &about) != 0 && strstr(about.dli_fname, ".so") != NULL)
    return realpath(about.dli_fname, path) != NULL;
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = '\0';
  return length > 0;
}

const char *tool_find_helper(const char *variable, const char *name) {
  static _Thread_local char path[PATH_MAX + 64];
  const char *named = variable == NULL ? NULL : getenv(variable);
  if (named != NULL)
    return named;
  if (!find_self(path))
    return name;
  char *last = strrchr(path, '/') + 1;
  const bool is_library = strstr(last, ".so") != NULL;
  snprintf(last, sizeof path - (size_t)(last - path), "%s%s", is_library ? "../bin/" : "", name);
  return path;
}
