#define _POSIX_C_SOURCE 200809L

#include "leftovers.h"

#include "command_line.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 16 };

static const char *volatile leftover[MOST];
static volatile sig_atomic_t count;

// Only what may be called by a signal's handler.
void tool_remove_leftovers(void) {
  while (count > 0) {
    count = count - 1;
    if (unlink(leftover[count]) != 0)
      rmdir(leftover[count]);
  }
}

static void on_signal(int number) {
  while (wait(NULL) > 0)
    continue;
  tool_remove_leftovers();
  signal(number, SIG_DFL);
  raise(number);
}

// What is ignored, as by nohup, stays so.
static void catch_signals(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction former, action = {.sa_handler = on_signal};
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigaction(numbers[i], NULL, &former) == 0 && former.sa_handler == SIG_DFL)
      sigaction(numbers[i], &action, NULL);
}

void tool_leftover(const char *path) {
  if (count == 0)
    catch_signals();
  assert(count < MOST);
  leftover[count] = path;
  count = count + 1;
}

// /dev/full, or what a link to it names, stays.
static bool is_regular(FILE *file) {
  struct stat about;
  return fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode);
}

char *tool_make_folder(const char *name) {
  const char *top = getenv("TMPDIR");
  top = top == NULL || *top == '\0' ? "/tmp" : top;
  size_t size = strlen(top) + strlen(name) + sizeof "/.XXXXXX";
  char *folder = malloc(size);
  if (folder == NULL)
    tool_die(1, "out of memory");
  snprintf(folder, size, "%s/%s.XXXXXX", top, name);
  if (mkdtemp(folder) == NULL)
    tool_die(1, "no folder for temporary files in %s: %s: set TMPDIR to one that can be written",
             top, strerror(errno));
  return folder;
}

FILE *tool_create(const char *name) {
  if (name == NULL)
    return stdout;
  FILE *file = fopen(name, "wb");
  if (file == NULL)
    tool_die(1, "%s: %s", name, strerror(errno));
  if (is_regular(file))
    tool_leftover(name);
  return file;
}

void tool_close(FILE *file, const char *name) {
  bool failed = ferror(file) != 0, is_leftover = name != NULL && is_regular(file);
  failed |= (name == NULL ? fflush(file) : fclose(file)) != 0;
  int error = errno;
  if (is_leftover) {
    assert(count > 0 && leftover[count - 1] == name);
    count = count - 1;
  }
  if (!failed)
    return;
  if (is_leftover)
    unlink(name);
  tool_die(1, "%s: %s", name == NULL ? "<stdout>" : name, strerror(error));
}
