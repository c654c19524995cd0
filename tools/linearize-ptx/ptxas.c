// linearize-ptxas: ptxas, of which the inputs are linearized first.
//
//   linearize-ptxas OPTIONS OF PTXAS... a.ptx b.ptx
//
// The real one is $LINEARIZE_PTXAS, or the first ptxas on PATH that isn't this program. Arguments
// are handed on as they are, but for those that name a file of PTX: one that begins with .version
// behind blanks and comments. What it was is written, linearized, to a file of the same name in a
// folder of its own, which is removed in the end. What can't be read goes to ptxas as it is, after
// a warning. $LINEARIZE_MODE and $LINEARIZE_LEVEL choose the mode and the level.
#define _POSIX_C_SOURCE 200809L
#include "common/child.h"
#include "common/command_line.h"
#include "common/leftovers.h"
#include "ptx/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char tool_name[] = "linearize-ptxas";

static const char *const modes[] = {"needed", "irreducible", "paper", "all", NULL};
static const char *const levels[] = {"O0", "O1", "O2", "O3", "O4", NULL};

static bool is_this_program(const char *path) {
  struct stat here, there;
  return stat("/proc/self/exe", &here) == 0 && stat(path, &there) == 0 &&
         here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

// The real ptxas; ends the program if there is none.
static const char *find_ptxas(void) {
  static char file[4096];
  const char *given = getenv("LINEARIZE_PTXAS"), *path = getenv("PATH");
  if (given != NULL && given[0] != '\0')
    return given;
  char *folders = strdup(path == NULL ? "" : path), *rest = NULL;
  if (folders == NULL)
    abort();
  bool is_found = false;
  for (char *folder = strtok_r(folders, ":", &rest); folder != NULL && !is_found;
       folder = strtok_r(NULL, ":", &rest)) {
    int length = snprintf(file, sizeof file, "%s/ptxas", folder);
    is_found = length < (int)sizeof file && access(file, X_OK) == 0 && !is_this_program(file);
  }
  free(folders);
  if (!is_found)
    tool_die(1, "no ptxas on PATH but this one: set LINEARIZE_PTXAS to the real one");
  return file;
}

static void hear(void *context, const lin_ptx_remark *remark) {
  if (remark->kind == LIN_PTX_WARNING)
    fprintf(stderr, "%s: warning: %s:%" PRIu32 ": function '%s': %s\n", tool_name,
            (const char *)context, remark->line, remark->function, remark->message);
}

static bool looks_like_ptx(const char *text, size_t length) {
  lin_ptx_scan scan = {text, length < UINT32_MAX ? (uint32_t)length : UINT32_MAX - 1, 0};
  return lin_ptx_is(text, lin_ptx_next(&scan), ".version");
}

// Writes `name`, linearized, to `output`. False if it is no PTX, or comes out as it is.
static bool linearize_file(char *name, const char *output, const lin_ptx_options *options) {
  struct stat about;
  FILE *file = stat(name, &about) == 0 && S_ISREG(about.st_mode) ? fopen(name, "rb") : NULL;
  if (file == NULL)
    return false;
  size_t length;
  char *text = tool_read_all(file, &length);
  bool is_read = !ferror(file);
  fclose(file);
  bool changes = false;
  if (is_read && looks_like_ptx(text, length)) {
    lin_arena arena = {0};
    lin_ptx_error error;
    const lin_ptx_module *module = lin_ptx_module_read(&arena, text, length, &error);
    if (module == NULL) {
      fprintf(stderr, "%s: warning: %s:%" PRIu32 ": %s; it goes to ptxas as it is\n", tool_name,
              name, error.line, error.message);
    } else {
      lin_ptx_patch patch = {.arena = &arena};
      lin_ptx_linearize(module, options, &patch, hear, name);
      changes = patch.count > 0;
      if (changes) {
        FILE *result = tool_create(output);
        lin_ptx_patch_write(result, text, (uint32_t)length, &patch);
        tool_close(result, output);
      }
    }
    lin_arena_release(&arena);
  }
  free(text);
  return changes;
}

static lin_ptx_options read_environment(void) {
  lin_ptx_options options = {.core = {.policy = {.mode = LIN_MODE_NEEDED}, .level = 4}};
  const char *mode = getenv("LINEARIZE_MODE"), *level = getenv("LINEARIZE_LEVEL");
  if (mode != NULL && strcmp(mode, "none") == 0)
    options.is_off = true;
  else if (mode != NULL && mode[0] != '\0')
    options.core.policy.mode = (lin_mode)tool_choose("LINEARIZE_MODE", mode, modes);
  if (level != NULL && level[0] != '\0')
    options.core.level = (int)tool_choose("LINEARIZE_LEVEL", level, levels);
  return options;
}

int main(int argc, char **argv) {
  lin_ptx_options options = read_environment();
  const char *ptxas = find_ptxas();
  char folder[] = "/tmp/linearize-ptxas-XXXXXX";
  if (mkdtemp(folder) == NULL)
    tool_die(1, "%s: %s", folder, strerror(errno));
  tool_leftover(folder);
  const char **arguments = calloc((size_t)argc + 1, sizeof *arguments);
  char **made = calloc((size_t)argc + 1, sizeof *made);
  if (arguments == NULL || made == NULL)
    abort();
  arguments[0] = ptxas;
  for (int i = 1; i < argc; i++) {
    arguments[i] = argv[i];
    // What an option's value names is written, not read.
    bool is_value =
        i > 1 && (strcmp(argv[i - 1], "-o") == 0 || strcmp(argv[i - 1], "--output-file") == 0);
    if (argv[i][0] == '-' || is_value)
      continue;
    const char *base = strrchr(argv[i], '/');
    base = base == NULL ? argv[i] : base + 1;
    size_t size = sizeof folder + 16 + strlen(base);
    char *output = malloc(size);
    if (output == NULL)
      abort();
    snprintf(output, size, "%s/%d.%s", folder, i, base);
    if (linearize_file(argv[i], output, &options))
      arguments[i] = made[i] = output;
    else
      free(output);
  }
  pid_t child = tool_start(arguments, NULL, NULL, NULL);
  int status = child < 0 ? 1 : tool_wait(child);
  if (child < 0)
    fprintf(stderr, "%s: %s: %s\n", tool_name, ptxas, strerror(errno));
  for (int i = 1; i < argc; i++) {
    if (made[i] != NULL)
      unlink(made[i]);
    free(made[i]);
  }
  rmdir(folder);
  free(made);
  free(arguments);
  return status;
}
