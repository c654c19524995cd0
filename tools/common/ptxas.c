#define _POSIX_C_SOURCE 200809L
#include "ptxas.h"

#include "child.h"
#include "command_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_this_program(const char *path) {
  struct stat here, there;
  return stat("/proc/self/exe", &here) == 0 && stat(path, &there) == 0 &&
         here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

// `name` itself if it has a slash; else the first program of that name on PATH that isn't this one,
// or NULL.
static const char *find_program(const char *name) {
  static char file[4096];
  if (strchr(name, '/') != NULL)
    return name;
  const char *path = getenv("PATH");
  char *folders = strdup(path == NULL ? "" : path), *rest = NULL;
  if (folders == NULL)
    abort();
  bool is_found = false;
  for (char *folder = strtok_r(folders, ":", &rest); folder != NULL && !is_found;
       folder = strtok_r(NULL, ":", &rest)) {
    int length = snprintf(file, sizeof file, "%s/%s", folder, name);
    is_found = length < (int)sizeof file && access(file, X_OK) == 0 && !is_this_program(file);
  }
  free(folders);
  return is_found ? file : NULL;
}

static const char *name_ptxas(const char *given) {
  if (given == NULL || given[0] == '\0')
    given = getenv("LINEARIZE_PTXAS");
  return given == NULL || given[0] == '\0' ? "ptxas" : given;
}

const char *tool_seek_ptxas(const char *given) { return find_program(name_ptxas(given)); }

const char *tool_find_ptxas(const char *given) {
  const char *found = tool_seek_ptxas(given);
  if (found == NULL)
    tool_die(1, "no %s on PATH but this one: set LINEARIZE_PTXAS to the real one",
             name_ptxas(given));
  return found;
}

const char *tool_path_of(FILE *file, char path[64]) {
  snprintf(path, 64, "/proc/%ld/fd/%d", (long)getpid(), fileno(file));
  return path;
}

const char *tool_ptxas_error(char *said) {
  static const char *const kinds[] = {"error   : ", "fatal   : "};
  char *found = said;
  for (size_t i = sizeof kinds / sizeof *kinds; i-- > 0;) {
    char *at = strstr(said, kinds[i]);
    found = at == NULL ? found : at + strlen(kinds[i]);
  }
  found[strcspn(found, "\n")] = '\0';
  return found[0] == '\0' ? "it fails without a word" : found;
}

bool tool_ptxas_takes(const char *ptxas, const char *target, const char *text, size_t length,
                      char **said) {
  FILE *input = tool_scratch_file(), *output = tool_scratch_file();
  fwrite(text, 1, length, input);
  tool_rewind(input);
  char path[64];
  tool_path_of(input, path);
  // Relocatable, so that functions of other modules may be missing.
  const char *arguments[] = {
      ptxas, "-v", "-c", path, "-o", "/dev/null", target == NULL ? NULL : "-arch", target, NULL};
  const pid_t child = tool_start(arguments, NULL, output, output);
  if (child < 0)
    tool_die(1, "%s: %s", ptxas, strerror(errno));
  const bool is_taken = tool_wait(child) == 0;
  *said = tool_take_all(output, NULL);
  fclose(input);
  return is_taken;
}
