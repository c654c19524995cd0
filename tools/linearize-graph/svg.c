// Graphviz as a child process, with files for its ends so that neither side waits for the other.
#define _POSIX_C_SOURCE 200809L
#include "steps.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static FILE *scratch_file(void) {
  FILE *file = tmpfile();
  if (file == NULL)
    tool_die(1, "no temporary file: %s", strerror(errno));
  return file;
}

static void run_dot(FILE *input, FILE *output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
  char program[] = "dot", argument[] = "-Tsvg";
  char *arguments[] = {program, argument, NULL};
  pid_t child;
  int error = posix_spawnp(&child, program, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    tool_die(1, "Graphviz's dot doesn't start: %s (Debian's package is graphviz)", strerror(error));
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      tool_die(1, "Graphviz's dot is lost: %s", strerror(errno));
  if (!WIFEXITED(status) || WEXITSTATUS(status) == 127)
    tool_die(1, "Graphviz's dot doesn't start (Debian's package is graphviz)");
  if (WEXITSTATUS(status) != 0)
    tool_die(1, "Graphviz's dot failed with status %d", WEXITSTATUS(status));
}

// Draws the `length` characters at `dot` and copies the SVG text to `file`.
void tool_draw(FILE *file, const char *dot, size_t length) {
  FILE *input = scratch_file(), *output = scratch_file();
  if (fwrite(dot, 1, length, input) != length || fflush(input) != 0)
    tool_die(1, "no room for a temporary file: %s", strerror(errno));
  rewind(input);
  run_dot(input, output);
  rewind(output);
  char buffer[4096];
  for (size_t got; (got = fread(buffer, 1, sizeof buffer, output)) > 0;)
    fwrite(buffer, 1, got, file);
  fclose(input);
  fclose(output);
}
