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
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUDGET = 2000, WORDS = 64, IDS = 1024 };

static uint64_t stream;
static uint64_t hash;
static uint64_t bias;
static int budget;
static int tracing;
static unsigned char hit[IDS];
static uint64_t words[WORDS];
static sigjmp_buf out;

static uint64_t mix(uint64_t x) {
  x ^= x >> 30, x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27, x *= 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

static uint64_t draw(void) { return mix(stream += 0x9e3779b97f4a7c15u); }

static void note(uint64_t x) { hash = mix(hash ^ x) + 0x632be59bd9b4e019u; }

static void spend(void) {
  if (--budget < 0)
    siglongjmp(out, 1);
}

// The odds of a 1 differ from input to input: some leave loops soon, some late.
_Bool bit(void) {
  spend();
  return (draw() >> 32) % 8 < bias;
}

int32_t pick(int32_t n) {
  spend();
  return (int32_t)((draw() >> 32) % (uint32_t)n);
}

void effect(int32_t id, int64_t v) {
  spend();
  if (tracing)
    printf("  effect %d %lld\n", id, (long long)v);
  if (id >= 0 && id < IDS)
    hit[id] = 1;
  note((uint64_t)id);
  note((uint64_t)v);
}

int64_t value(int32_t id) {
  int64_t v = (int64_t)draw();
  if (v & 1) // small ones too, so that comparisons go both ways
    v = (v >> 1) % 16;
  effect(id, v);
  return v;
}

_Noreturn void die(int32_t id) {
  effect(id, 0);
  siglongjmp(out, 2);
}

void *memory(void) { return words; }

static void on_signal(int sig) { siglongjmp(out, sig == SIGILL || sig == SIGTRAP ? 3 : 4); }

static void run(int64_t (*test)(int64_t), int t, int input) {
  static const char *const ends[] = {"return", "budget", "die", "trap", "crash"};
  stream = mix((uint64_t)input + 1);
  bias = 1 + draw() % 7;
  hash = 0;
  budget = BUDGET;
  for (int i = 0; i < WORDS; i++)
    words[i] = draw();
  int64_t arg = (int64_t)draw();
  int end = sigsetjmp(out, 0);
  if (end == 0) {
    int64_t v = test(arg);
    if (tracing)
      printf("  returns %lld\n", (long long)v);
    note((uint64_t)v);
  }
  for (int i = 0; i < WORDS; i++)
    note(words[i]);
  printf("%d %d %s %016llx\n", t, input, ends[end], (unsigned long long)hash);
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
