#define _GNU_SOURCE // clone, __WALL
#include "apart.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { STACK = 256 << 10 }; // bytes, of what posix_spawn needs

typedef struct run {
  const char *const *argument;
  char **environment;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t signals; // none blocked, and all do what they do at first
  unsigned most_seconds;     // 0: nobody waits for it
  int status, error;
} run;

static struct timespec now(void) {
  struct timespec time = {0};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time;
}

// Waits for the program, of which SIGCHLD, blocked, tells. False, and errno says why: it is lost.
static bool wait_for(pid_t child, run *r) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  const struct timespec start = now();
  for (;;) {
    const pid_t ended = waitpid(child, &r->status, WNOHANG);
    if (ended != 0)
      return ended > 0;
    const struct timespec at = now();
    const long long left = 1000000000LL * (r->most_seconds - (at.tv_sec - start.tv_sec)) -
                           (at.tv_nsec - start.tv_nsec);
    if (left <= 0)
      break;
    sigtimedwait(&ends, NULL, &(struct timespec){left / 1000000000, left % 1000000000});
  }
  // It is our child, and nobody has waited for it: its number is no other's. Not by kill, which
  // test/ptx/run.test forbids, for a number there may be any program's.
  sigqueue(child, SIGKILL, (union sigval){.sival_int = 0});
  while (waitpid(child, &r->status, 0) < 0)
    if (errno != EINTR)
      return false;
  r->status = SIGALRM; // as if it had ended itself
  return true;
}

// In the process between, which has our memory, and whose caller is suspended. All signals are
// blocked, for our handlers would run here, too. Our SIGCHLD may be ignored, which loses statuses.
static int start_and_wait(void *context) {
  run *r = context;
  pid_t child;
  signal(SIGCHLD, SIG_DFL);
  r->error = posix_spawn(&child, r->argument[0], &r->actions, &r->signals,
                         (char *const *)(uintptr_t)r->argument, r->environment);
  if (r->error != 0 || r->most_seconds == 0)
    return 0;
  if (!wait_for(child, r))
    r->error = errno;
  return 0;
}

// The environment without LD_PRELOAD: the program is none of those that are looked into.
static char **copy_environment(void) {
  size_t count = 0, kept = 0;
  while (environ[count] != NULL)
    count++;
  char **copy = calloc(count + 1, sizeof *copy);
  for (size_t i = 0; copy != NULL && i < count; i++)
    if (strncmp(environ[i], "LD_PRELOAD=", sizeof "LD_PRELOAD=" - 1) != 0)
      copy[kept++] = environ[i];
  return copy;
}

static int run_between(run *r) {
  char *stack =
      mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED)
    return errno;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // No signal at its end: a wait for any child doesn't get it.
  pid_t between = clone(start_and_wait, stack + STACK, CLONE_VM | CLONE_VFORK, r);
  int error = between < 0 ? errno : 0;
  while (between > 0 && waitpid(between, NULL, __WALL) < 0 && errno == EINTR)
    ;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  munmap(stack, STACK);
  return error != 0 ? error : r->error;
}

static void reset_signals(posix_spawnattr_t *signals, short more) {
  sigset_t set;
  posix_spawnattr_init(signals);
  sigemptyset(&set);
  posix_spawnattr_setsigmask(signals, &set);
  sigfillset(&set);
  posix_spawnattr_setsigdefault(signals, &set);
  posix_spawnattr_setflags(signals, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | more);
}

int tool_run_apart(const char *const *argument, FILE *input, FILE *output, FILE *errors,
                   unsigned most_seconds) {
  FILE *const file[] = {input, output, errors};
  run r = {.argument = argument, .environment = copy_environment(), .most_seconds = most_seconds};
  if (r.environment == NULL)
    return -1;
  reset_signals(&r.signals, 0);
  posix_spawn_file_actions_init(&r.actions);
  for (int stream = 0; stream < 3; stream++)
    posix_spawn_file_actions_adddup2(&r.actions, fileno(file[stream]), stream);
  int error = run_between(&r);
  posix_spawn_file_actions_destroy(&r.actions);
  posix_spawnattr_destroy(&r.signals);
  free(r.environment);
  errno = error;
  if (error != 0)
    return -1;
  return WIFEXITED(r.status) ? WEXITSTATUS(r.status) : 128 + WTERMSIG(r.status);
}

bool tool_leave_apart(const char *const *argument, FILE *input) {
  run r = {.argument = argument, .environment = copy_environment()};
  if (r.environment == NULL)
    return false;
  reset_signals(&r.signals, POSIX_SPAWN_SETSID);
  posix_spawn_file_actions_init(&r.actions);
  posix_spawn_file_actions_adddup2(&r.actions, fileno(input), STDIN_FILENO);
  for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++)
    posix_spawn_file_actions_addopen(&r.actions, stream, "/dev/null", O_WRONLY, 0);
  // A pipe that it keeps open would have its reader wait for it.
  posix_spawn_file_actions_addclosefrom_np(&r.actions, STDERR_FILENO + 1);
  const int error = run_between(&r);
  posix_spawn_file_actions_destroy(&r.actions);
  posix_spawnattr_destroy(&r.signals);
  free(r.environment);
  errno = error;
  return error == 0;
}
