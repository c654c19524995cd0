// What the unit tests count and print: a failure prints its line; the last line is
// `N passed, M failed`.
#ifndef LIN_TEST_EXPECT_H
#define LIN_TEST_EXPECT_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static unsigned passed, failed;

// `file` and `line` are those of the expectation; returns `condition`.
static inline bool expect_at(bool condition, const char *file, int line, const char *expected) {
  passed += condition;
  failed += !condition;
  if (!condition)
    printf("%s:%d: expected %s\n", file, line, expected);
  return condition;
}

// `got` may be NULL, which is no text.
static inline void expect_text_at(const char *got, const char *wanted, const char *file, int line) {
  if (!expect_at(got != NULL && strcmp(got, wanted) == 0, file, line, "another text"))
    printf("expected\n%s\ngot\n%s\n", wanted, got == NULL ? "NULL" : got);
}

#define EXPECT(condition) expect_at((condition), __FILE__, __LINE__, #condition)
#define EXPECT_TEXT(got, wanted) expect_text_at((got), (wanted), __FILE__, __LINE__)

// The exit status of the test.
static inline int expect_end(void) {
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}

#endif
