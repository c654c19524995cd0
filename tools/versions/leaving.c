// Programs that end without their destructors: what was found is written before.
//
// A signal's handler may end the program so, and then memory and the driver may be in use. Its
// signal is blocked meanwhile, so nothing is done where any is. A child between vfork and exec has
// another process number (found.c).
#define _GNU_SOURCE // _exit's declaration, quick_exit

#include "choose.h"
#include "found.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool may_be_handler(void) {
  sigset_t blocked;
  return pthread_sigmask(SIG_BLOCK, NULL, &blocked) != 0 || !sigisemptyset(&blocked);
}

static void leave(void) {
  if (may_be_handler() || !found_is_owner())
    return;
  choose_collect();
  found_at_end();
}

static _Noreturn void end(int status) {
  leave();
  for (;;)
    syscall(SYS_exit_group, status);
}

__attribute__((visibility("default"))) void _exit(int status) { end(status); }
__attribute__((visibility("default"))) void _Exit(int status) { end(status); }

__attribute__((constructor)) static void begin(void) { at_quick_exit(leave); }
