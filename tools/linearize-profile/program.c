#define _POSIX_C_SOURCE 200809L // mkdtemp

#include "program.h"

#include "common/child.h"
#include "common/command_line.h"
#include "common/preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <signal.h>
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

// ---- while it runs

static volatile sig_atomic_t running; // the process, or 0
static volatile sig_atomic_t was_passed_on;

static void pass_on(int signal) {
  was_passed_on = 1;
  if (running > 0)
    kill((pid_t)running, signal);
}

static void do_nothing(int signal) { (void)signal; }

// What interrupts the program at a terminal interrupts it alone: what it counted is printed then.
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

static void set(const char *name, const char *text) {
  if (setenv(name, text, 1) != 0)
    tool_die(1, "out of memory");
}

lin_counts *profile_run(lin_memory *memory, char *const *program, int *status) {
  char folder[] = "/tmp/linearize-profile-XXXXXX", pattern[64];
  tool_preload("liblinearize-count.so");
  if (mkdtemp(folder) == NULL)
    tool_die(1, "%s: %s", folder, strerror(errno));
  snprintf(pattern, sizeof pattern, "%s/%%p.counts", folder);
  set("LINEARIZE_COUNTS", pattern);
  catch_signals(true);
  pid_t child = tool_start((const char *const *)program, NULL, NULL, NULL);
  if (child < 0) {
    rmdir(folder);
    tool_die(errno == ENOENT ? NOT_FOUND : CANT_RUN, "%s: %s", program[0], strerror(errno));
  }
  running = (sig_atomic_t)child;
  *status = tool_wait(child);
  running = 0;
  catch_signals(false);
  return take_files(memory, folder);
}

void profile_require_driver(const char *program, int status) {
  int (*start)(unsigned flags) = NULL;
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY), *found;
  if (driver == NULL)
    tool_die(status, "%s: nothing was counted: this machine has no NVIDIA driver (libcuda.so.1)",
             program);
  found = dlsym(driver, "cuInit");
  memcpy(&start, &found, sizeof start);
  int error = start == NULL ? 0 : start(0);
  if (error != 0)
    tool_die(status,
             "%s: nothing was counted: there is no GPU, or none that you may use (cuInit says %d)",
             program, error);
}

// ---- files

void profile_require_writable(const char *name) {
  bool is_new = access(name, F_OK) != 0;
  FILE *file = fopen(name, "ab");
  if (file == NULL)
    tool_die(1, "%s: %s", name, strerror(errno));
  fclose(file);
  if (is_new)
    unlink(name);
}
