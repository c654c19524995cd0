// Runs the functions of a test module on many pseudo-random inputs and prints, for each
// input, how it ended and a hash of everything that can be seen from outside: the return
// value, the memory, and the sequence of effects with their values. Two modules mean the same
// if they print the same. Loaded into lli with -load; same.py adds the @main that calls drive.
//
// What a test may call:
//   zeroext i1 @bit()            the next branch outcome
//   i32 @pick(i32 n)             a number in [0, n), for switches
//   i64 @value(i32 id)           a fresh value, and an effect
//   void @effect(i32 id, i64 v)  something that must happen in this order with this value
//   void @die(i32 id) noreturn   ends this input, as a trap does
//   ptr @memory()                64 words, filled anew for each input
// Each of them but @memory costs one unit of the budget; an input that has none left ends
// there ("budget"), so a test may loop for ever as long as the loop calls one of them.
//
// Program arguments: [inputs] [trace TEST INPUT]; the second form prints each effect.

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD_FUNCTION static
#include "world.h"

enum { IDS = 1024 };

static world here;
static int tracing;
static unsigned char hit[IDS];
static sigjmp_buf out;

static void world_leave(world *w, enum world_end end) {
  (void)w;
  siglongjmp(out, (int)end);
}

_Bool bit(void) { return world_bit(&here); }

int32_t pick(int32_t n) { return world_pick(&here, n); }

void effect(int32_t id, int64_t v) {
  if (tracing && here.budget > 0)
    printf("  effect %d %lld\n", id, (long long)v);
  if (id >= 0 && id < IDS && here.budget > 0)
    hit[id] = 1;
  world_effect(&here, id, v);
}

int64_t value(int32_t id) {
  int64_t v = world_value(&here);
  effect(id, v);
  return v;
}

_Noreturn void die(int32_t id) {
  effect(id, 0);
  siglongjmp(out, DIED);
}

void *memory(void) { return here.words; }

static void on_signal(int sig) {
  siglongjmp(out, sig == SIGILL || sig == SIGTRAP ? TRAPPED : CRASHED);
}

static void run(int64_t (*test)(int64_t), int t, int input) {
  static const char *const ends[] = {"return", "budget", "die", "trap", "crash"};
  int64_t arg = (int64_t)world_start(&here, input);
  int end = sigsetjmp(out, 0);
  if (end == RETURNED) {
    int64_t v = test(arg);
    if (tracing)
      printf("  returns %lld\n", (long long)v);
    world_note(&here, (uint64_t)v);
  }
  printf("%d %d %s %016llx\n", t, input, ends[end], (unsigned long long)world_finish(&here));
}

int drive(int64_t (**tests)(int64_t), int count, int argc, char **argv) {
  int inputs = argc > 1 ? atoi(argv[1]) : 1000;
  struct sigaction act;
  memset(&act, 0, sizeof act);
  act.sa_handler = on_signal;
  act.sa_flags = SA_NODEFER;
  int caught[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE};
  for (unsigned i = 0; i < sizeof caught / sizeof *caught; i++)
    sigaction(caught[i], &act, NULL);
  if (argc > 4 && !strcmp(argv[2], "trace")) {
    tracing = 1;
    run(tests[atoi(argv[3])], atoi(argv[3]), atoi(argv[4]));
    return 0;
  }
  for (int t = 0; t < count; t++)
    for (int i = 0; i < inputs; i++)
      run(tests[t], t, i);
  printf("hit");
  for (int i = 0; i < IDS; i++)
    if (hit[i])
      printf(" %d", i);
  printf("\n");
  return 0;
}
