// linearize-tune: how long each version of a program's kernels takes, and which is best.
#define _POSIX_C_SOURCE 200809L

#include "common/command_line.h"
#include "common/leftovers.h"
#include "common/preload.h"
#include "common/runs.h"
#include "options.h"
#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- files -------------------------------------------------------------------------------------

// Lines point into the text, which stays.
static void add_file(void *context, const char *name) {
  lin_tuned *tuned = context;
  size_t length;
  char *text = tool_read_file(name, &length);
  lin_versions_error error;
  if (!lin_tuned_read(tuned, text, length, &error))
    tool_die(1, "%s:%zu: %s", name, error.line, error.text);
}

// Beside it, and then in its place: who reads it has a whole one.
static void write_file(const char *name, const lin_tuned *tuned) {
  size_t size = strlen(name) + sizeof ".part";
  char *part = malloc(size);
  if (part == NULL)
    tool_die(1, "out of memory");
  snprintf(part, size, "%s.part", name);
  FILE *file = tool_create(part);
  lin_tuned_write(file, tuned);
  tool_close(file, part);
  if (rename(part, name) != 0) {
    int error = errno;
    unlink(part);
    tool_die(1, "%s: %s", name, strerror(error));
  }
  free(part);
}

// ---- runs --------------------------------------------------------------------------------------

// Whether every version has been timed as often as is asked for, or is too slow to be.
static bool is_enough(const lin_tuned *tuned, uint32_t launches) {
  for (uint32_t i = 0; i < tuned->count; i++) {
    const lin_tuned_line *line = &tuned->line[i];
    const lin_tuned_version *plain = lin_tuned_version_of(line, LIN_VERSIONS_PLAIN);
    for (uint32_t v = 0; v < line->count; v++)
      if (line->version[v].launches < launches && 2 * line->version[v].time < 5 * plain->time)
        return false;
  }
  return tuned->count > 0;
}

static void run(const tool_options *o, lin_tuned *tuned) {
  FILE *nowhere = NULL;
  tool_preload("liblinearize-versions.so");
  if (setenv("LINEARIZE_VERSIONS", "each", 1) != 0)
    tool_die(1, "out of memory");
  bool was_ended = false; // by a signal: somebody has had enough of it
  for (uint32_t i = 0; i < o->runs && !was_ended && !is_enough(tuned, o->launches); i++) {
    if (i == 1) // what the program says is said once
      nowhere = fopen("/dev/null", "w");
    int status =
        tool_run_for_files(o->program, nowhere, "LINEARIZE_VERSIONS_WRITE", add_file, tuned);
    was_ended = status > 128;
    if (status != 0)
      fprintf(stderr, "%s: warning: %s ended with status %d\n", tool_name, o->program[0], status);
    if (status != 0 && tuned->count == 0)
      exit(status);
    if (tuned->count == 0)
      tool_die(1,
               "%s: nothing was found: it launched no kernel that has versions; compile it with "
               "-mllvm -linearize-versions=plain,needed",
               o->program[0]);
  }
  if (nowhere != NULL)
    fclose(nowhere);
}

int main(int argc, char **argv) {
  tool_options options;
  lin_tuned found = {0}, all = {0};
  tool_options_parse(argc, argv, &options);
  // A file that can't be read is found out before the program is run.
  if (!options.anew && access(options.output, F_OK) == 0)
    add_file(&all, options.output);
  run(&options, &found);
  table_print(stdout, &found);
  for (uint32_t i = 0; i < found.count; i++)
    if (!lin_tuned_add(&all, &found.line[i]))
      tool_die(1, "out of memory");
  write_file(options.output, &all);
  if (fflush(stdout) != 0)
    tool_die(1, "<stdout>: %s", strerror(errno));
  lin_tuned_release(&found);
  lin_tuned_release(&all);
  return 0;
}
