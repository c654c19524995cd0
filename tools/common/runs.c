#define _POSIX_C_SOURCE 200809L // mkdtemp

#include "runs.h"

#include "child.h"
#include "command_line.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CANT_RUN = 126, NOT_FOUND = 127 }; // as shells have them

static const char ending[] = ".found"; // what is only a part of one is of a process that crashed

char *tool_read_file(const char *name, size_t *length) {
  FILE *file = fopen(name, "rb");
  if (file == NULL)
    tool_die(1, "%s: %s", name, strerror(errno));
  errno = 0;
  char *text = tool_read_all(file, length);
  if (ferror(file))
    tool_die(1, "%s: %s", name, strerror(errno));
  fclose(file);
  return text;
}

// Takes the files of a folder, which goes.
static void take_files(const char *folder, tool_take *take, void *context) {
  char pattern[64];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/*", folder);
  if (glob(pattern, 0, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++) {
      if (tool_ends_with(found.gl_pathv[i], ending))
        take(context, found.gl_pathv[i]);
      unlink(found.gl_pathv[i]);
    }
    globfree(&found);
  }
  rmdir(folder);
}

int tool_run_for_files(char *const *program, FILE *output, const char *variable, tool_take *take,
                       void *context) {
  char folder[] = "/tmp/linearize-XXXXXX", pattern[64];
  if (mkdtemp(folder) == NULL)
    tool_die(1, "%s: %s", folder, strerror(errno));
  snprintf(pattern, sizeof pattern, "%s/%%p%s", folder, ending);
  if (setenv(variable, pattern, 1) != 0)
    tool_die(1, "out of memory");
  pid_t child = tool_start((const char *const *)program, NULL, output, NULL);
  if (child < 0) {
    int error = errno;
    rmdir(folder);
    tool_die(error == ENOENT ? NOT_FOUND : CANT_RUN, "%s: %s", program[0], strerror(error));
  }
  int status = tool_wait(child);
  take_files(folder, take, context);
  return status;
}
