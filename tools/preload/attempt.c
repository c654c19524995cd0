#define _POSIX_C_SOURCE 200809L

#include "attempt.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

typedef struct block block;
struct block {
  block *next, *previous;
  size_t size;
  _Alignas(16) unsigned char data[];
};

typedef struct attempt {
  jmp_buf end;
  block *blocks;
  size_t memory; // that is left
  time_t deadline;
} attempt;

static _Thread_local attempt current;
static _Thread_local const char *failure;

static time_t seconds(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

static void release(void) {
  while (current.blocks != NULL) {
    block *next = current.blocks->next;
    free(current.blocks);
    current.blocks = next;
  }
}

bool attempt_run(void (*body)(void *context), void *context, size_t most_memory,
                 unsigned most_seconds) {
  current.memory = most_memory;
  current.deadline = seconds() + (time_t)most_seconds;
  failure = NULL;
  if (setjmp(current.end) != 0) {
    release();
    return false;
  }
  body(context);
  release();
  return true;
}

const char *attempt_failure(void) { return failure; }

_Noreturn void attempt_fail_because(const char *reason) {
  failure = reason;
  longjmp(current.end, 1);
}

_Noreturn void attempt_fail(void) { attempt_fail_because("it was given up"); }

_Noreturn void attempt_fail_assertion(const char *assertion, const char *file, unsigned line,
                                      const char *function) {
  (void)file;
  (void)line;
  (void)function;
  attempt_fail_because(assertion);
}

void *attempt_calloc(size_t count, size_t size) {
  if (size > 0 && count > (SIZE_MAX - sizeof(block)) / size)
    attempt_fail_because("it takes too much memory");
  size_t bytes = count * size;
  if (bytes > current.memory)
    attempt_fail_because("it takes too much memory");
  if (seconds() > current.deadline)
    attempt_fail_because("it takes too long");
  block *b = calloc(1, sizeof *b + bytes);
  if (b == NULL)
    attempt_fail_because("out of memory");
  current.memory -= bytes;
  b->size = bytes;
  b->next = current.blocks;
  if (b->next != NULL)
    b->next->previous = b;
  current.blocks = b;
  return b->data;
}

void attempt_free(void *memory) {
  if (memory == NULL)
    return;
  block *b = (block *)((unsigned char *)memory - offsetof(block, data));
  current.memory += b->size;
  if (b->next != NULL)
    b->next->previous = b->previous;
  if (b->previous != NULL)
    b->previous->next = b->next;
  else
    current.blocks = b->next;
  free(b);
}
