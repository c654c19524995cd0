#define _POSIX_C_SOURCE 200809L

#include "child.h"

#include "command_line.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

pid_t tool_start(const char *const *argument, FILE *input, FILE *output, FILE *errors) {
  FILE *const file[] = {input, output, errors};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int stream = 0; stream < 3; stream++)
    if (file[stream] != NULL)
      posix_spawn_file_actions_adddup2(&actions, fileno(file[stream]), stream);
  pid_t child;
  int error = posix_spawnp(&child, argument[0], &actions, NULL, (char *const *)(uintptr_t)argument,
                           environ);
  posix_spawn_file_actions_destroy(&actions);
  errno = error;
  return error == 0 ? child : -1;
}

int tool_wait(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      tool_die(1, "a program that was started is lost: %s", strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

FILE *tool_scratch_file(void) {
  FILE *file = tmpfile();
  if (file == NULL)
    tool_die(1, "no temporary file: %s", strerror(errno));
  return file;
}

void tool_rewind(FILE *file) {
  if (ferror(file) || fflush(file) != 0 || fseek(file, 0, SEEK_SET) != 0)
    tool_die(1, "no room for a temporary file: %s", strerror(errno));
}

char *tool_read_all(FILE *file, size_t *length) {
  char *bytes = NULL;
  size_t used = 0, capacity = 0;
  do {
    if (capacity - used < 2) {
      capacity = capacity == 0 ? 1 << 12 : 2 * capacity;
      bytes = realloc(bytes, capacity);
      if (bytes == NULL)
        tool_die(1, "out of memory");
    }
    used += fread(bytes + used, 1, capacity - used - 1, file);
  } while (!feof(file) && !ferror(file));
  // NOLINTNEXTLINE(clang-analyzer-security.ArrayBound): fread gives no more than it was asked for
  bytes[used] = '\0';
  if (length != NULL)
    *length = used;
  return bytes;
}

static char *read_open(FILE *file, const char *name, size_t *length) {
  if (file == NULL)
    tool_die(1, "%s: %s", name, strerror(errno));
  errno = 0;
  char *text = tool_read_all(file, length);
  if (ferror(file))
    tool_die(1, "%s: %s", name, strerror(errno));
  return text;
}

char *tool_take_all(FILE *file, size_t *length) {
  tool_rewind(file);
  char *text = tool_read_all(file, length);
  fclose(file);
  return text;
}

char *tool_read_file(const char *name, size_t *length) {
  FILE *file = fopen(name, "rb");
  char *text = read_open(file, name, length);
  fclose(file);
  return text;
}

char *tool_read_input(const char *name, size_t *length) {
  return strcmp(name, "-") == 0 ? read_open(stdin, "<stdin>", length)
                                : tool_read_file(name, length);
}
