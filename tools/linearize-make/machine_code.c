#define _POSIX_C_SOURCE 200809L
#include "machine_code.h"

#include "common/child.h"
#include "common/command_line.h"
#include "common/ptxas.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char clause[320];

static char *fail(const char **failure, const char *said) {
  snprintf(clause, sizeof clause, "%.300s", said);
  *failure = clause;
  return NULL;
}

// ---- ptxas -------------------------------------------------------------------------------------

// NULL: there is none, or the driver is asked for.
static const char *find_ptxas(void) {
  static const char usual[] = "/usr/local/cuda/bin/ptxas";
  const char *named = getenv("LINEARIZE_PTXAS");
  if (named != NULL && strcmp(named, "driver") == 0)
    return NULL;
  const char *found = tool_seek_ptxas(NULL);
  return found == NULL && access(usual, X_OK) == 0 ? usual : found;
}

static char *by_ptxas(const char *ptxas, const char *text, size_t length, const char *target,
                      size_t *size, const char **failure) {
  FILE *input = tool_scratch_file(), *output = tool_scratch_file(), *said = tool_scratch_file();
  char from[64], to[64];
  fwrite(text, 1, length, input);
  tool_rewind(input);
  const char *arguments[] = {
      ptxas, tool_path_of(input, from), "-o", tool_path_of(output, to), "-arch", target, NULL};
  const pid_t child = tool_start(arguments, NULL, said, said);
  const int status = child < 0 ? 127 : tool_wait(child);
  tool_rewind(output);
  tool_rewind(said);
  char *code = status == 0 ? tool_read_all(output, size) : NULL;
  if (status != 0) {
    char *words = tool_read_all(said, NULL);
    fail(failure, tool_ptxas_error(words));
    free(words);
  }
  fclose(input);
  fclose(output);
  fclose(said);
  if (code == NULL || *size > 0)
    return code;
  free(code);
  return fail(failure, "ptxas wrote nothing");
}

// ---- the driver --------------------------------------------------------------------------------

enum { MAJOR = 75, MINOR = 76, IS_PTX = 1 }; // of cuda.h

typedef struct driver {
  int (*cuInit)(unsigned flags);
  int (*cuDeviceGetCount)(int *count);
  int (*cuDeviceGetAttribute)(int *value, int attribute, int device);
  int (*cuCtxCreate_v2)(void **context, unsigned flags, int device);
  int (*cuLinkCreate_v2)(unsigned count, int *options, void **values, void **state);
  int (*cuLinkAddData_v2)(void *state, int type, void *data, size_t size, const char *name,
                          unsigned count, int *options, void **values);
  int (*cuLinkComplete)(void *state, void **code, size_t *size);
} driver;

static bool find_driver(driver *d) {
  const struct {
    const char *name;
    void *at;
  } wanted[] = {{"cuInit", &d->cuInit},
                {"cuDeviceGetCount", &d->cuDeviceGetCount},
                {"cuDeviceGetAttribute", &d->cuDeviceGetAttribute},
                {"cuCtxCreate_v2", &d->cuCtxCreate_v2},
                {"cuLinkCreate_v2", &d->cuLinkCreate_v2},
                {"cuLinkAddData_v2", &d->cuLinkAddData_v2},
                {"cuLinkComplete", &d->cuLinkComplete}};
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  for (size_t i = 0; library != NULL && i < sizeof wanted / sizeof *wanted; i++) {
    void *found = dlsym(library, wanted[i].name);
    if (found == NULL)
      return false;
    memcpy(wanted[i].at, &found, sizeof found);
  }
  return library != NULL;
}

static bool is_of(const driver *d, int device, unsigned sm) {
  int major = 0, minor = 0;
  return d->cuDeviceGetAttribute(&major, MAJOR, device) == 0 &&
         d->cuDeviceGetAttribute(&minor, MINOR, device) == 0 &&
         (unsigned)(10 * major + minor) == sm;
}

// The link is for the GPU of the context.
static bool begin_link(const driver *d, unsigned sm, void **state) {
  int count = 0;
  void *context;
  if (d->cuInit(0) != 0 || d->cuDeviceGetCount(&count) != 0)
    return false;
  for (int device = 0; device < count; device++)
    if (is_of(d, device, sm))
      return d->cuCtxCreate_v2(&context, 0, device) == 0 &&
             d->cuLinkCreate_v2(0, NULL, NULL, state) == 0;
  return false;
}

static char *by_driver(char *text, size_t length, unsigned sm, size_t *size, const char **failure) {
  driver d;
  void *state, *code;
  if (!find_driver(&d) || !begin_link(&d, sm, &state))
    return fail(failure, "there is no ptxas, and no driver that compiles");
  if (d.cuLinkAddData_v2(state, IS_PTX, text, length + 1, "linearize", 0, NULL, NULL) != 0 ||
      d.cuLinkComplete(state, &code, size) != 0)
    return fail(failure, "the driver refuses it");
  char *copy = malloc(*size + 1);
  return copy == NULL ? fail(failure, "out of memory") : memcpy(copy, code, *size);
}

// ---- either ------------------------------------------------------------------------------------

char *machine_code(const char *text, size_t length, const char *target, unsigned sm, size_t *size,
                   const char **failure) {
  const char *ptxas = find_ptxas();
  char machine[32];
  // What is compiled for sm_90a runs there alone.
  const bool is_special = target != NULL && strspn(target + 3, "0123456789") < strlen(target + 3);
  snprintf(machine, sizeof machine, "sm_%u", sm);
  if (ptxas != NULL)
    return by_ptxas(ptxas, text, length, is_special ? target : machine, size, failure);
  char *copy = strndup(text, length);
  char *code = copy == NULL ? NULL : by_driver(copy, length, sm, size, failure);
  free(copy);
  return code;
}
