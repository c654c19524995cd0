// linearize-tune: how long each version of a program's kernels takes, and which is best.
#define _POSIX_C_SOURCE 200809L

#include "checked.h"
#include "common/child.h"
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

// Launches of all versions that are missing.
static uint64_t count_missing(const lin_tuned *tuned, uint32_t wanted) {
  uint64_t missing = tuned->count == 0;
  for (uint32_t i = 0; i < tuned->count; i++)
    for (uint32_t v = 0; v < tuned->line[i].count; v++)
      missing += lin_tuned_missing(&tuned->line[i], &tuned->line[i].version[v], wanted);
  return missing;
}

static void set_versions(uint32_t run) {
  char text[32];
  snprintf(text, sizeof text, "each:%u", run); // a short program's launches begin with each in turn
  if (setenv("LINEARIZE_VERSIONS", text, 1) != 0)
    tool_die(1, "out of memory");
}

// False: it isn't worth another run.
static bool run_once(const tool_options *o, uint32_t number, FILE *output, lin_tuned *tuned) {
  set_versions(number);
  int status = tool_run_for_files(o->program, output, "LINEARIZE_VERSIONS_WRITE", add_file, tuned);
  if (status != 0)
    fprintf(stderr, "%s: warning: %s ended with status %d\n", tool_name, o->program[0], status);
  if (tuned->count == 0)
    tool_require_driver(o->program[0], "nothing was timed", status != 0 ? status : 1);
  if (status != 0 && tuned->count == 0)
    exit(status);
  if (tuned->count == 0)
    tool_die(1,
             "%s: nothing was found: it launched no kernel that has versions, or PTX of which they "
             "can be made; nvcc -arch=sm_90 leaves PTX in a program, clang makes versions with "
             "-mllvm -linearize-versions=plain,needed",
             o->program[0]);
  return status <= 128; // else by a signal: somebody has had enough of it
}

// First as many times as are asked for; then, for a winner, those that it takes.
static void run(const tool_options *o, lin_tuned *tuned, tool_checks *checks) {
  enum { RUNS_FOR_ALL = 5 };
  FILE *nowhere = NULL;
  char options[1024];
  if (snprintf(options, sizeof options, "versions=%s", o->versions) >= (int)sizeof options)
    tool_die(2, "--versions: more than 1000 characters");
  if (setenv("LINEARIZE_VERSIONS_MAKE", o->versions, 1) != 0)
    tool_die(1, "out of memory");
  tool_append_environment("LINEARIZE_OPTIONS", ";", options);
  tool_name_helper();
  tool_preload("liblinearize-versions.so");
  uint64_t missing = UINT64_MAX;
  for (uint32_t i = 0; i < o->runs; i++) {
    bool is_for_winner = i >= RUNS_FOR_ALL && o->launches > LIN_TUNED_LEAST;
    uint64_t before = missing;
    missing = count_missing(tuned, is_for_winner ? LIN_TUNED_LEAST : o->launches);
    if (missing == 0 || (i > RUNS_FOR_ALL && missing >= before))
      break;
    if (i == 1) // what the program says is said once
      nowhere = fopen("/dev/null", "w");
    const bool is_checked = o->check && i == 0;
    if (is_checked)
      checked_begin(checks);
    const bool goes_on = run_once(o, i, nowhere, tuned);
    if (is_checked)
      checked_end(checks);
    if (!goes_on)
      break;
  }
  if (nowhere != NULL)
    fclose(nowhere);
}

// What is typed next. Where a version is wrong, only those that won may run.
static void print_next(const tool_options *o, const lin_tuned *found, uint32_t wrong) {
  const char *program = o->program[0];
  if (table_print_verdict(stdout, found) == 0)
    printf("; next: linearize profile %s\n", program);
  else if (wrong > 0)
    printf("; next: linearize run --jit --tuned %s %s\n", o->output, program);
  else if (o->is_own_output)
    printf("; next: LINEARIZE_TUNED=%s linearize %s\n", o->output, program);
  else
    printf("; next: linearize %s\n", program);
}

static uint32_t print(const tool_options *o, const lin_tuned *found, const tool_checks *checks) {
  uint32_t wrong = 0;
  if (o->all)
    table_print_all(stdout, found);
  else
    table_print(stdout, found);
  if (o->check)
    wrong = checked_print(stdout, checks);
  print_next(o, found, wrong);
  return wrong;
}

int main(int argc, char **argv) {
  enum { DIFFERS = 3 };
  tool_options options;
  lin_tuned found = {0}, all = {0};
  tool_checks checks = {0};
  tool_options_parse(argc, argv, &options);
  // A file that can't be read is found out before the program is run.
  if (!options.anew && access(options.output, F_OK) == 0)
    add_file(&all, options.output);
  run(&options, &found, &checks);
  checked_drop(&checks, &found);
  for (uint32_t i = 0; i < found.count; i++)
    if (!lin_tuned_add(&all, &found.line[i]))
      tool_die(1, "out of memory");
  checked_drop(&checks, &all);
  write_file(options.output, &all);
  const uint32_t wrong = print(&options, &found, &checks);
  if (fflush(stdout) != 0)
    tool_die(1, "<stdout>: %s", strerror(errno));
  free(checks.check);
  lin_tuned_release(&found);
  lin_tuned_release(&all);
  return wrong > 0 ? DIFFERS : 0;
}
