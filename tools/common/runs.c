#define _POSIX_C_SOURCE 200809L // scandir, setenv

#include "runs.h"

#include "child.h"
#include "command_line.h"
#include "leftovers.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CANT_RUN = 126, NOT_FOUND = 127 }; // as shells have them

#define ENDING ".found" // what is only a part of one is of a process that crashed

static int is_file(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static char *join(const char *folder, const char *name) {
  size_t size = strlen(folder) + strlen(name) + sizeof "/";
  char *path = malloc(size);
  if (path == NULL)
    tool_die(1, "out of memory");
  snprintf(path, size, "%s/%s", folder, name);
  return path;
}

// Takes the files of a folder, which goes.
static void take_files(const char *folder, tool_take *take, void *context) {
  struct dirent **entry;
  int count = scandir(folder, &entry, is_file, alphasort);
  for (int i = 0; i < count; i++) {
    char *name = join(folder, entry[i]->d_name);
    if (tool_ends_with(name, ENDING))
      take(context, name);
    unlink(name);
    free(name);
    free(entry[i]);
  }
  if (count >= 0)
    free(entry);
  rmdir(folder);
}

// ---- while it runs

static volatile sig_atomic_t running; // the process, or 0
static volatile sig_atomic_t was_passed_on;

static void pass_on(int signal) {
  was_passed_on = 1;
  if (running > 0)
    kill((pid_t)running, signal);
}

static void do_nothing(int signal) { (void)signal; }

// What interrupts the program at a terminal interrupts it alone: what it leaves is taken then.
// What is ignored, as by nohup, stays so, and what was passed on is caught for good: it may come
// once more, for it is often sent to all of a group.
static void catch_signals(bool catches) {
  static const struct {
    int number;
    void (*handler)(int);
  } caught[] = {{SIGINT, do_nothing}, {SIGQUIT, do_nothing}, {SIGTERM, pass_on}, {SIGHUP, pass_on}};
  for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
    if (!catches && was_passed_on && caught[i].handler == pass_on)
      continue;
    struct sigaction former, action = {.sa_handler = catches ? caught[i].handler : SIG_DFL};
    sigemptyset(&action.sa_mask);
    if (sigaction(caught[i].number, NULL, &former) == 0 && former.sa_handler != SIG_IGN)
      sigaction(caught[i].number, &action, NULL);
  }
}

int tool_run_for_files(char *const *program, FILE *output, const char *variable, tool_take *take,
                       void *context) {
  char *folder = tool_make_folder("linearize"), *pattern = join(folder, "%p" ENDING);
  if (setenv(variable, pattern, 1) != 0)
    tool_die(1, "out of memory");
  free(pattern);
  catch_signals(true);
  pid_t child = tool_start((const char *const *)program, NULL, output, NULL);
  if (child < 0) {
    int error = errno;
    rmdir(folder);
    tool_die(error == ENOENT ? NOT_FOUND : CANT_RUN, "%s: %s", program[0], strerror(error));
  }
  running = (sig_atomic_t)child;
  int status = tool_wait(child);
  running = 0;
  catch_signals(false);
  take_files(folder, take, context);
  free(folder);
  return status;
}

void tool_require_driver(const char *program, const char *missed, int status) {
  int (*start)(unsigned flags) = NULL;
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY), *found;
  if (driver == NULL)
    tool_die(status, "%s: %s: this machine has no NVIDIA driver (libcuda.so.1)", program, missed);
  found = dlsym(driver, "cuInit");
  memcpy(&start, &found, sizeof start);
  int error = start == NULL ? 0 : start(0);
  if (error != 0)
    tool_die(status, "%s: %s: there is no GPU, or none that you may use (cuInit says %d)", program,
             missed, error);
}
