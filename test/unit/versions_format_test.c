// The text that a module has of a kernel's versions: written, read, refused.
#define _POSIX_C_SOURCE 200809L // open_memstream

#include "expect.h"
#include "versions/format.h"

#include <stdlib.h>

static const char example[] = "linearize-versions 1 5d3c1b0a49e7f268 LLVM 22.1.8\n"
                              "needed\twalk__linearize_needed\n"
                              "merge-loops\twalk__linearize_merge_loops\n"
                              "redirected\twalk__linearize_redirected\torder\n"
                              "all.redirected\tall\torder of a line\tahead\n"
                              "refilled\trefill\tcounter\n"
                              "refilled.refill-at.8\tline\tcounter of a line\n";

static void test_names(void) {
  char symbol[64], small[8];
  EXPECT(lin_versions_symbol(symbol, sizeof symbol, "a-b", "merge-loops") == 26);
  EXPECT_TEXT(symbol, "a-b__linearize_merge_loops");
  EXPECT(lin_versions_symbol(small, sizeof small, "walk", "v1.2") == 20);
  EXPECT_TEXT(small, "walk__l");
  EXPECT(lin_versions_variable(symbol, sizeof symbol, "walk") == 25);
  EXPECT_TEXT(symbol, "__linearize_versions_walk");
  EXPECT(lin_versions_is_name("needed") && lin_versions_is_name("a-Z_0.9"));
  EXPECT(!lin_versions_is_name("") && !lin_versions_is_name("plain") &&
         !lin_versions_is_name("a b"));
  char longest[65] = {0};
  memset(longest, 'x', 63);
  EXPECT(lin_versions_is_name(longest));
  longest[63] = 'x';
  EXPECT(!lin_versions_is_name(longest));
}

static void test_write(void) {
  lin_versions v = {
      .hash = 0x5d3c1b0a49e7f268,
      .compiler = "LLVM 22.1.8",
      .count = 6,
      .version = {{"needed", "walk__linearize_needed", LIN_TAKES_NOTHING, NULL},
                  {"merge-loops", "walk__linearize_merge_loops", LIN_TAKES_NOTHING, NULL},
                  {"redirected", "walk__linearize_redirected", LIN_TAKES_ORDER, NULL},
                  {"all.redirected", "all", LIN_TAKES_ORDER_OF_LINE, "ahead"},
                  {"refilled", "refill", LIN_TAKES_COUNTER, NULL},
                  {"refilled.refill-at.8", "line", LIN_TAKES_COUNTER_OF_LINE, NULL}}};
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  lin_versions_write(file, &v);
  fclose(file);
  EXPECT_TEXT(text, example);
  free(text);
  v = (lin_versions){
      .hash = 1, .count = 1, .version = {{"needed", "a\tb\nc", LIN_TAKES_NOTHING, NULL}}};
  file = open_memstream(&text, &size);
  lin_versions_write(file, &v);
  fclose(file);
  EXPECT_TEXT(text, "linearize-versions 1 0000000000000001\nneeded\ta_b_c\n");
  free(text);
}

// Of a compiler that is known, or not.
static void test_ends(void) {
  static const char *const compilers[] = {"LLVM 22", ""};
  for (int i = 0; i < 2; i++) {
    lin_versions v = {.hash = 1,
                      .compiler = compilers[i],
                      .ends = true,
                      .count = 1,
                      .version = {{.name = "needed", .function = "f"}}};
    lin_versions_error error;
    char text[128] = "";
    FILE *file = fmemopen(text, sizeof text, "w");
    lin_versions_write(file, &v);
    fclose(file);
    v.ends = false;
    EXPECT(lin_versions_read(text, strlen(text), &v, &error) && v.ends);
    EXPECT_TEXT(v.compiler, compilers[i]);
  }
}

// Reads it from memory of exactly its length and one more, for sanitizers.
static bool read(const char *text, size_t length, lin_versions *v, lin_versions_error *error) {
  static char *copy;
  free(copy);
  copy = malloc(length + 1);
  memcpy(copy, text, length);
  return lin_versions_read(copy, length, v, error);
}

static void test_read(void) {
  lin_versions v;
  lin_versions_error error;
  EXPECT(read(example, sizeof example, &v, &error)); // with its NUL
  EXPECT(read(example, sizeof example - 1, &v, &error));
  EXPECT(v.hash == 0x5d3c1b0a49e7f268 && v.count == 6);
  EXPECT_TEXT(v.compiler, "LLVM 22.1.8");
  EXPECT_TEXT(v.version[0].name, "needed");
  EXPECT_TEXT(v.version[1].name, "merge-loops");
  EXPECT_TEXT(v.version[1].function, "walk__linearize_merge_loops");
  EXPECT(v.version[1].takes == LIN_TAKES_NOTHING && v.version[2].takes == LIN_TAKES_ORDER &&
         v.version[3].takes == LIN_TAKES_ORDER_OF_LINE && v.version[2].inspector == NULL);
  EXPECT_TEXT(v.version[3].inspector, "ahead");
  static const char windows[] = "linearize-versions 1 00000000000000ff\r\nneeded\tf\r\n";
  EXPECT(read(windows, sizeof windows, &v, &error) && v.hash == 255);
  EXPECT_TEXT(v.compiler, "");
  EXPECT_TEXT(v.version[0].function, "f");
}

static void expect_error(const char *text, size_t line, const char *said) {
  lin_versions v;
  lin_versions_error error = {0};
  EXPECT(!read(text, strlen(text), &v, &error));
  if (!EXPECT(error.line == line && strstr(error.text, said) != NULL))
    printf("line %zu: %s: of\n%s", error.line, error.text, text);
}

#define FIRST "linearize-versions 1 5d3c1b0a49e7f268\n"

static void test_refuse(void) {
  expect_error("", 1, "names no version");
  expect_error("linearize blocks 1\n", 1, "nothing of versions");
  expect_error("linearize-versions 2 5d3c1b0a49e7f268\n", 1, "another version of linearize");
  expect_error("linearize-versions 1 5d3c1b0a49e7f26\n", 1, "16 hexadecimal digits");
  expect_error("linearize-versions 1 5D3c1b0a49e7f268\n", 1, "16 hexadecimal digits");
  expect_error("linearize-versions 1 5d3c1b0a49e7f2680\n", 1, "16 hexadecimal digits");
  expect_error("linearize-versions 1 5d3c1b0a49e7f268\tspins\n", 1, "is not known here");
  expect_error(FIRST, 2, "names no version");
  expect_error("linearize-versions 1 5d3c1b0a49e7f268", 1, "cut off");
  expect_error(FIRST "needed\tf\nother\tg", 3, "cut off");
  expect_error(FIRST "needed\n", 2, "a tab");
  expect_error(FIRST "needed\t\n", 2, "a tab");
  expect_error(FIRST "needed\tf\tg\n", 2, "what the version takes");
  expect_error(FIRST "needed\tf\torder of\n", 2, "what the version takes");
  expect_error(FIRST "needed\tf\torder\tg\th\n", 2, "a tab");
  expect_error(FIRST "\n", 2, "a tab");
  expect_error(FIRST "plain\tf\n", 2, "can't have that name");
  expect_error(FIRST "a b\tf\n", 2, "can't have that name");
  expect_error(FIRST "needed\tf\nneeded\tg\n", 3, "named before");
  char many[1024] = FIRST;
  for (int i = 0; i < LIN_VERSIONS_MOST; i++)
    snprintf(many + strlen(many), sizeof many - strlen(many), "v%d\tf\n", i);
  expect_error(many, LIN_VERSIONS_MOST + 1, "too many");
}

int main(void) {
  test_names();
  test_write();
  test_ends();
  test_read();
  test_refuse();
  return expect_end();
}
