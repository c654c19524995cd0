#define _POSIX_C_SOURCE 200809L // mkdtemp

#include "program.h"

#include "common/child.h"
#include "common/command_line.h"
#include "common/preload.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CANT_RUN = 126, NOT_FOUND = 127 }; // as shells have them

char *profile_read_text(const char *name, size_t *length) {
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

lin_counts *profile_read_counts(lin_memory *memory, const char *name) {
  size_t length;
  char *text = profile_read_text(name, &length);
  lin_counts_error error;
  lin_counts *counts = lin_counts_read(memory, text, length, &error);
  if (counts == NULL)
    tool_die(1, "%s:%zu: %s", name, error.line, error.text);
  free(text);
  return counts;
}

// Adds what a process counted to what others have.
static void add(lin_memory *memory, lin_counts *all, const lin_counts *more) {
  uint32_t count = all->num_launches + more->num_launches;
  lin_counts_launch *launch = LIN_HAVE(memory, lin_counts_launch, count);
  if (launch == NULL)
    tool_die(1, "out of memory");
  if (all->num_launches > 0)
    memcpy(launch, all->launch, all->num_launches * sizeof *launch);
  memcpy(launch + all->num_launches, more->launch, more->num_launches * sizeof *launch);
  *all = (lin_counts){launch, count};
}

// Takes the files of a folder, which goes.
static lin_counts *take_files(lin_memory *memory, const char *folder) {
  char pattern[64];
  glob_t found;
  lin_counts *all = LIN_HAVE(memory, lin_counts, 1);
  if (all == NULL)
    tool_die(1, "out of memory");
  snprintf(pattern, sizeof pattern, "%s/*", folder);
  if (glob(pattern, 0, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++) {
      const char *name = found.gl_pathv[i], *end = strrchr(name, '.');
      if (strcmp(end, ".counts") == 0) // what is only a part of one is of a process that crashed
        add(memory, all, profile_read_counts(memory, name));
      unlink(name);
    }
    globfree(&found);
  }
  rmdir(folder);
  return all;
}

lin_counts *profile_run(lin_memory *memory, char *const *program, int *status) {
  char folder[] = "/tmp/linearize-profile-XXXXXX", pattern[64];
  tool_preload("liblinearize-count.so");
  if (mkdtemp(folder) == NULL)
    tool_die(1, "%s: %s", folder, strerror(errno));
  snprintf(pattern, sizeof pattern, "%s/%%p.counts", folder);
  if (setenv("LINEARIZE_COUNTS", pattern, 1) != 0)
    tool_die(1, "out of memory");
  pid_t child = tool_start((const char *const *)program, NULL, NULL, NULL);
  if (child < 0) {
    rmdir(folder);
    tool_die(errno == ENOENT ? NOT_FOUND : CANT_RUN, "%s: %s", program[0], strerror(errno));
  }
  *status = tool_wait(child);
  return take_files(memory, folder);
}
