// linearize/layout.h on an example, what it refuses, and the lines that it says then.
#define _POSIX_C_SOURCE 200809L

#include "expect.h"
#include "linearize/layout.h"
#include "linearize/threads.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

// ---- memory that runs out (-Wl,--wrap=calloc)

static unsigned long calls_left = ULONG_MAX;

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size) {
  return calls_left-- > 0 ? __real_calloc(count, size) : NULL;
}

// ---- the header's example

static void test_example(void) {
  const uint32_t destination[4] = {0, 2, 1, 3};
  char own[] = "aBcD", moved[] = "....";
  linearize_array array = {own, moved, 1, LINEARIZE_CHANGED};
  EXPECT(linearize_layout(&array, 1, destination, 4) == 0);
  EXPECT_TEXT(moved, "acBD");
  memcpy(moved, "rsTU", 4);
  EXPECT(linearize_layout_back(&array, 1, destination, 4) == 0);
  EXPECT_TEXT(own, "rTsU");
}

// The same with LAM's destination: two segments of one class each.
static void test_lam(void) {
  const uint32_t class_of[8] = {0, 1, 0, 1, 0, 1, 0, 1};
  uint32_t destination[8];
  char data[] = "aBaBaBaB";
  linearize_array array = {data, data, 1, LINEARIZE_READ};
  EXPECT(linearize_lam(class_of, 8, 2, 4, destination) == 0);
  EXPECT(linearize_layout(&array, 1, destination, 8) == 0);
  EXPECT(strcmp(data, "aaaaBBBB") == 0 || strcmp(data, "BBBBaaaa") == 0);
  EXPECT(linearize_layout_back(&array, 1, destination, 8) == 0);
  EXPECT_TEXT(data, "aBaBaBaB");
}

static void test_nothing(void) {
  EXPECT(linearize_layout(NULL, 0, NULL, 0) == 0);
  EXPECT(linearize_inverse(NULL, 0, NULL) == 0);
  linearize_array array = {NULL, NULL, 4, LINEARIZE_READ};
  EXPECT(linearize_layout(&array, 1, NULL, 0) == 0);
}

// ---- what is refused

// What was said on standard error since the last call.
static const char *said(void) {
  static char text[1024];
  fflush(stderr);
  rewind(stderr);
  text[fread(text, 1, sizeof text - 1, stderr)] = '\0';
  EXPECT(freopen("layout_test.said", "w+", stderr) != NULL);
  return text;
}

static void expect_refused(const linearize_array *array, size_t arrays, const uint32_t *destination,
                           const char *line) {
  errno = 0;
  setenv("LINEARIZE_CHECK", "1", 1);
  EXPECT(linearize_layout(array, arrays, destination, 4) == -1 && errno == EINVAL);
  EXPECT_TEXT(said(), line);
  unsetenv("LINEARIZE_CHECK");
  EXPECT(linearize_layout(array, arrays, destination, 4) == -1);
  EXPECT_TEXT(said(), "");
}

static void test_refused(void) {
  const uint32_t good[4] = {0, 2, 1, 3}, twice[4] = {0, 2, 1, 2}, outside[4] = {0, 2, 4, 3};
  uint32_t own[4] = {0}, moved[8] = {0};
  linearize_array a[2] = {{own, moved, 4, LINEARIZE_READ}, {own, moved + 4, 4, LINEARIZE_READ}};
  expect_refused(
      a, 1, twice,
      "linearize: linearize_layout: no permutation: elements 1 and 3 both go to place 2\n");
  expect_refused(
      a, 1, outside,
      "linearize: linearize_layout: no permutation: place 4 of element 2 is none of 4\n");
  EXPECT(linearize_layout(a, 2, good, 4) == 0); // both only read `own`
  a[1].use = LINEARIZE_CHANGED;
  expect_refused(
      a, 2, good,
      "linearize: linearize_layout: memory overlaps: own of array 1 and own of array 0\n");
  a[1].use = LINEARIZE_READ;
  a[1].moved = moved + 3;
  expect_refused(
      a, 2, good,
      "linearize: linearize_layout: memory overlaps: moved of array 1 and moved of array 0\n");
  a[0].moved = own + 1;
  expect_refused(
      a, 1, good,
      "linearize: linearize_layout: memory overlaps: own of array 0 and moved of array 0\n");
  a[0] = (linearize_array){own, own, 0, LINEARIZE_READ};
  expect_refused(a, 1, good,
                 "linearize: linearize_layout: array 0 has no memory, or elements of 0 bytes\n");
  a[0] = (linearize_array){own, moved, 4, (linearize_use)0};
  expect_refused(a, 1, good, "linearize: linearize_layout: array 0 is neither read nor written\n");
}

static void test_no_memory(void) {
  const uint32_t good[4] = {0, 2, 1, 3};
  uint32_t own[4] = {0, 1, 2, 3}, inverse[4];
  linearize_array array = {own, own, 4, LINEARIZE_READ};
  calls_left = 0;
  EXPECT(linearize_layout(&array, 1, good, 4) == -1 && errno == ENOMEM);
  calls_left = 0;
  EXPECT(linearize_inverse(good, 4, inverse) == -1 && errno == ENOMEM);
  calls_left = ULONG_MAX;
  EXPECT(own[1] == 1 && own[2] == 2);
}

int main(void) {
  if (freopen("layout_test.said", "w+", stderr) == NULL)
    return 2;
  test_example();
  test_lam();
  test_nothing();
  test_refused();
  test_no_memory();
  remove("layout_test.said");
  return expect_end();
}
