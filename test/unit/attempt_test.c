// Unit tests of work that may fail, in liblinearize-run.so. Under the address sanitizer they look
// for what isn't given back, too. A failure prints its line; the last line is `N passed, M failed`.
#include "expect.h"
#include "preload/attempt.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static size_t at_once;
static int ends;

static void take(void *context) {
  size_t *times = context;
  void *former = NULL;
  for (size_t i = 0; i < *times; i++) {
    unsigned char *memory = attempt_calloc(1, at_once);
    EXPECT(memory[0] == 0 && memory[at_once - 1] == 0 && (uintptr_t)memory % 16 == 0);
    memset(memory, 1, at_once);
    if (i % 3 == 1)
      attempt_free(former);
    former = memory;
  }
  ends++;
}

static void take_backwards(void *context) {
  (void)context;
  void *memory[4];
  attempt_free(NULL);
  for (int round = 0; round < 100; round++) {
    for (int i = 0; i < 4; i++)
      memory[i] = attempt_calloc(10, 20);
    for (int i = 0; i < 4; i++)
      attempt_free(memory[(i + round) % 4]);
  }
  ends++;
}

static void test_memory(void) {
  size_t times = 9;
  at_once = 100;
  EXPECT(attempt_run(take, &times, 900, 100) && ends == 1 && attempt_failure() == NULL);
  EXPECT(!attempt_run(take, &times, 500, 100) && ends == 1);
  EXPECT_TEXT(attempt_failure(), "it takes too much memory");
  // What was given back may be taken again.
  EXPECT(attempt_run(take, &times, 600, 100) && ends == 2);
  EXPECT(attempt_run(take_backwards, NULL, 800, 100) && ends == 3);
  EXPECT(!attempt_run(take_backwards, NULL, 799, 100) && ends == 3);
}

static void take_all(void *context) {
  (void)context;
  attempt_calloc(SIZE_MAX / 2, 3);
  ends++;
}

static void take_the_machines(void *context) {
  (void)context;
  attempt_calloc(1, SIZE_MAX / 4);
  ends++;
}

static void test_no_memory(void) {
  ends = 0;
  EXPECT(!attempt_run(take_all, NULL, SIZE_MAX, 100) && ends == 0);
  EXPECT_TEXT(attempt_failure(), "it takes too much memory");
#ifndef __SANITIZE_ADDRESS__ // which ends the program then
  EXPECT(!attempt_run(take_the_machines, NULL, SIZE_MAX, 100) && ends == 0);
  EXPECT_TEXT(attempt_failure(), "out of memory");
#else
  (void)take_the_machines;
#endif
}

static void take_for_ever(void *context) {
  (void)context;
  while (true)
    attempt_free(attempt_calloc(1, 1));
}

static void fail_assertion(void *context) {
  (void)context;
  attempt_calloc(1, 1);
  attempt_fail_assertion("a < b", "file.c", 1, "f");
}

static void test_ends(void) {
  EXPECT(!attempt_run(take_for_ever, NULL, 100, 0));
  EXPECT_TEXT(attempt_failure(), "it takes too long");
  EXPECT(!attempt_run(fail_assertion, NULL, 100, 100));
  EXPECT_TEXT(attempt_failure(), "a < b");
}

static void *fail_often(void *context) {
  for (int i = 0; i < 1000; i++)
    if (attempt_run(fail_assertion, NULL, 100, 100) || strcmp(attempt_failure(), "a < b") != 0)
      return NULL;
  return context;
}

static void test_threads(void) {
  pthread_t thread[4];
  for (int i = 0; i < 4; i++)
    EXPECT(pthread_create(&thread[i], NULL, fail_often, &ends) == 0);
  for (int i = 0; i < 4; i++) {
    void *result;
    EXPECT(pthread_join(thread[i], &result) == 0 && result == &ends);
  }
}

int main(void) {
  test_memory();
  test_no_memory();
  test_ends();
  test_threads();
  return expect_end();
}
