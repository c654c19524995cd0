#define _POSIX_C_SOURCE 200809L

#include "preload.h"

#include "command_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void tool_append_environment(const char *name, const char *separator, const char *text) {
  const char *given = getenv(name);
  if (given == NULL || given[0] == '\0')
    given = separator = "";
  size_t size = strlen(given) + strlen(separator) + strlen(text) + 1;
  char *all = malloc(size);
  if (all == NULL)
    tool_die(1, "out of memory");
  snprintf(all, size, "%s%s%s", given, separator, text);
  if (setenv(name, all, 1) != 0)
    tool_die(1, "out of memory");
  free(all);
}

// The folder that is `levels` above this program.
static void find_folder(int levels, char *path, size_t size) {
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  if (length < 0)
    tool_die(1, "/proc/self/exe: %s", strerror(errno));
  path[length] = '\0';
  for (int i = 0; i < levels; i++) {
    char *slash = strrchr(path, '/');
    if (slash != NULL)
      *slash = '\0';
  }
}

static void find_library(const char *library, char *path, size_t size) {
  char program[4096];
  find_folder(2, program, sizeof program);
  snprintf(path, size, "%s/lib/%s", program, library);
  if (access(path, R_OK) != 0)
    tool_die(1, "%s: %s: install linearize again", path, strerror(errno));
  if (strpbrk(path, ": ") != NULL)
    tool_die(1, "%s: the loader takes no path with a colon or a blank", path);
}

void tool_name_helper(void) {
  char folder[4096], path[4200];
  find_folder(1, folder, sizeof folder);
  snprintf(path, sizeof path, "%s/linearize-lift", folder);
  if (setenv("LINEARIZE_LIFT", path, 0) != 0)
    tool_die(1, "out of memory");
}

void tool_preload(const char *library) {
  char path[4200];
  find_library(library, path, sizeof path);
  tool_append_environment("LD_PRELOAD", ":", path);
}

void tool_preload_ptx(const char *options) {
  tool_append_environment("LINEARIZE_OPTIONS", ";", options);
  tool_name_helper();
  tool_preload("liblinearize-run.so");
}
