// The file of what was found of a program's kernels: read, merged, written, refused; who wins.
#define _POSIX_C_SOURCE 200809L // open_memstream

#include "expect.h"
#include "versions/tuned.h"

#include <stdlib.h>

#define FIRST                                                                                      \
  "linearize tuned 1\n"                                                                            \
  "# kernel\thash\tgrid\tblock\tshared\tsizes\tgpu\tdriver\tcompiler\twinner\t"                    \
  "version ns noise launches\n"
#define BY "\tNVIDIA H200\t580.159.04\tLLVM 22.1.8\t"
#define SHAPE "\t64 1 1\t128 1 1\t0\t-"
#define WALK "walk\t5d3c1b0a49e7f268" SHAPE BY

static const char example[] =
    FIRST "stir\t00000000000000ff\t1 2 3\t4 5 6\t7\t0123456789abcdef" BY
          "plain\tplain 10 0 1\n" WALK "needed\tplain 5184 40 16\tneeded 2592 35 61\n";

// Texts that were read live until all is freed.
static char *texts[128];
static unsigned num_texts;

static bool read(lin_tuned *t, const char *text, lin_versions_error *error) {
  char *copy = malloc(strlen(text) + 1);
  memcpy(copy, text, strlen(text));
  texts[num_texts++] = copy;
  return lin_tuned_read(t, copy, strlen(text), error);
}

static void free_texts(void) {
  while (num_texts > 0)
    free(texts[--num_texts]);
}

static void expect_written(const lin_tuned *t, const char *wanted) {
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  lin_tuned_write(file, t);
  fclose(file);
  EXPECT_TEXT(text, wanted);
  free(text);
}

static void test_round(void) {
  lin_tuned t = {0};
  lin_versions_error error;
  EXPECT(read(&t, example, &error));
  expect_written(&t, example);
  const lin_tuned_line *first, *line;
  EXPECT(lin_tuned_of(&t, "walk", 0x5d3c1b0a49e7f268, &first) == 1 && first == &t.line[1]);
  EXPECT(lin_tuned_of(&t, "walk", 1, &first) == 0);
  EXPECT(lin_tuned_of(&t, "zzz", 1, &first) == 0);
  line = lin_tuned_find(&t, &t.line[1]);
  EXPECT(line == &t.line[1] && strcmp(line->winner, "needed") == 0 && line->count == 2);
  lin_tuned_line key = t.line[1];
  key.grid[2] = 2;
  EXPECT(lin_tuned_find(&t, &key) == NULL);
  key = t.line[1];
  key.gpu = "NVIDIA H100";
  EXPECT(lin_tuned_find(&t, &key) == NULL);
  lin_tuned_release(&t);
}

// Two inputs: the second one's times count as often as its launches.
static void test_merge(void) {
  lin_tuned t = {0};
  lin_versions_error error;
  EXPECT(read(&t, FIRST WALK "needed\tplain 1000 10 10\tneeded 900 9 10\n", &error));
  EXPECT(read(&t, FIRST WALK "plain\tplain 1300 12 30\tneeded 1900 5 10\tpaper 99 1 5\n", &error));
  expect_written(&t, FIRST WALK "paper\tplain 1225 113 40\tneeded 1400 500 20\tpaper 99 1 5\n");
  // Another compiler's are newer, and alone.
  EXPECT(read(&t,
              FIRST "walk\t5d3c1b0a49e7f268" SHAPE "\tNVIDIA H200\t580.159.04\tLLVM 23\tplain\t"
                    "plain 7 1 1\n",
              &error));
  EXPECT(t.count == 1 && t.line[0].count == 1 && strcmp(t.line[0].compiler, "LLVM 23") == 0);
  lin_tuned_release(&t);
}

// Lines in any order, some of the same: the newer ones are those further down.
static void test_order(void) {
  lin_tuned t = {0};
  lin_versions_error error;
  EXPECT(read(&t,
              FIRST "b\t00000000000000ff" SHAPE BY "plain\tplain 1 0 1\n"
                    "a\t00000000000000ff" SHAPE BY "plain\tplain 2 0 1\n\n"
                    "b\t00000000000000ff" SHAPE "\tNVIDIA H200\t\t\tplain\tplain 3 0 1\n"
                    "a\t00000000000000fe" SHAPE BY "plain\tplain 4 0 1\n",
              &error));
  EXPECT(t.count == 3 && t.line[0].version[0].time == 4 && t.line[1].version[0].time == 2 &&
         t.line[2].version[0].time == 3);
  lin_tuned_line line = t.line[1];
  line.grid[0] = 3; // of the text `a`, which lives
  EXPECT(lin_tuned_add(&t, &line) && t.count == 4 && t.line[1].grid[0] == 3);
  line.version[0].time = 4;
  EXPECT(lin_tuned_add(&t, &line) && t.count == 4 && t.line[1].version[0].time == 3);
  for (uint32_t i = 0; i < 1000; i++) {
    line.shared = i * 7919 % 1000;
    EXPECT(lin_tuned_add(&t, &line));
  }
  EXPECT(t.count == 1003);
  for (uint32_t i = 1; i < 1000; i++)
    EXPECT(t.line[i].shared + 1 == t.line[i + 1].shared ||
           t.line[i].grid[0] != t.line[i + 1].grid[0]);
  lin_tuned_release(&t);
}

static void expect_best(const char *versions, const char *wanted) {
  lin_tuned t = {0};
  lin_versions_error error;
  char text[1024];
  snprintf(text, sizeof text, FIRST WALK "plain\t%s\n", versions);
  EXPECT(read(&t, text, &error));
  EXPECT_TEXT(lin_tuned_winner(&t.line[0]), wanted);
  lin_tuned_release(&t);
}

static void test_best(void) {
  expect_best("plain 1000 10 10\tneeded 900 10 10", "needed");
  expect_best("plain 1000 10 10\tneeded 990 10 10", "-"); // within chance
  expect_best("plain 1000 10 1000\tneeded 990 10 1000", "needed");
  expect_best("plain 1000 10 10\tneeded 1001 10 10", "-");
  expect_best("plain 1000 10 10\tneeded 1100 10 10", "plain");
  expect_best("plain 1000 100 3\tneeded 800 100 3", "-");
  expect_best("needed 900 10 10\tpaper 800 10 10\tplain 1000 10 10", "paper");
  expect_best("plain 1000 0 2\tneeded 500 0 2", "-");                      // too few launches
  expect_best("plain 1000 9 9\tneeded 500 9 9\tpaper 0 0 0", "-");         // not timed
  expect_best("plain 1000 9 9\tneeded 500 9 9\tpaper 2500 0 1", "needed"); // far slower
}

// By the first launches of runs, where there are few: most pairs have to agree, and the sum.
static void expect_begins(const char *winner, const char *versions, const char *wanted) {
  lin_tuned t = {0};
  lin_versions_error error;
  char text[1024];
  snprintf(text, sizeof text, FIRST WALK "%s\t%s\n", winner, versions);
  EXPECT(read(&t, text, &error));
  EXPECT_TEXT(t.line[0].version[lin_tuned_best(&t.line[0])].name, wanted);
  expect_written(&t, text);
  lin_tuned_release(&t);
}

static void test_begins(void) {
  expect_begins("-", "plain 1000 10 10\tneeded 900 10 10\tpaper 0 0 0", "needed");
  expect_begins("-", "plain 1000 10 10\tneeded 990 10 10", "plain");
  expect_begins("-", "plain 0 0 0\tneeded 990 10 10", "plain");
  expect_begins("paper", "plain 1000 10 10\tpaper 990 10 10", "paper");
  // Uneven launches, of which a median says nothing:
  expect_begins("-", "needed 9 8 2 3 90 8 40\tplain 60 50 3 3 100 9 58", "needed");
  expect_begins("-", "needed 9 8 2 3 90 10 40\tplain 60 50 3 3 100 9 38", "plain");
  expect_begins("-", "needed 9 8 2 3 98 8 58\tplain 60 50 3 3 100 9 58", "plain"); // within 2%
  expect_begins("-", "needed 9 8 2 3 0 8\tplain 60 50 3 3 100", "plain");          // no pair
  // What linearize-tune measured has no first launches:
  expect_begins("needed", "needed 60 1 5 3 50\tplain 90 1 5", "needed");
  expect_begins("needed", "needed 90 1 5\tplain 60 50 3 3 100", "plain");
  expect_begins("-", "plain 9 0 1 1 9\tneeded 7 0 1 1 7\tpaper 3 0 1 1 3", "paper");
  // Over 32 launches are enough to be tried in one run.
  expect_begins("-", "needed 60 50 3 33 90 8 40\tplain 60 50 3 33 100 9 58", "plain");
}

// What a newer run found takes the place of what is there, launch by launch.
static void test_first(void) {
  lin_tuned t = {0};
  lin_versions_error error;
  EXPECT(read(&t, FIRST WALK "-\tplain 9 0 1 5 9 8\tneeded 0 0 0\n", &error));
  EXPECT(read(&t, FIRST WALK "-\tplain 9 0 1 3 0 7 6\tneeded 4 0 1 3 4\n", &error));
  expect_written(&t, FIRST WALK "-\tplain 9 0 2 5 9 7 6\tneeded 4 0 1 3 4\n");
  lin_tuned_release(&t);
}

static void expect_error(const char *text, size_t line, const char *said) {
  lin_tuned t = {0};
  lin_versions_error error = {0};
  EXPECT(read(&t, example, &error));
  EXPECT(!read(&t, text, &error));
  if (!EXPECT(error.line == line && strstr(error.text, said) != NULL))
    printf("line %zu: %s: of\n%s", error.line, error.text, text);
  expect_written(&t, example);
  lin_tuned_release(&t);
}

static void test_refuse(void) {
  expect_error("", 1, "no file of linearize-tune");
  expect_error("linearize counts 1\n", 1, "no file of linearize-tune");
  expect_error("linearize tuned 2\n", 1, "another version");
  expect_error("linearize tuned 1", 1, "no file of linearize-tune");
  expect_error(FIRST WALK, 3, "cut off in this line");
  expect_error(FIRST WALK "\n", 3, "plain version's time");
  expect_error(FIRST "walk\t5d3c\n", 3, "too few fields");
  expect_error(FIRST "walk\t5d3c" SHAPE BY "plain\tplain 1 0 1\n", 3, "16 hexadecimal");
  expect_error(FIRST "walk\t5d3c1b0a49e7f268\t0 1 1\t1 1 1\t0\t-" BY "plain\tplain 1 0 1\n", 3,
               "grid");
  expect_error(FIRST "walk\t5d3c1b0a49e7f268\t1 1 1\t1 1\t0\t-" BY "plain\tplain 1 0 1\n", 3,
               "grid");
  expect_error(FIRST "walk\t5d3c1b0a49e7f268\t1 1 1\t1 1 1\tx\t-" BY "plain\tplain 1 0 1\n", 3,
               "shared");
  expect_error(FIRST "walk\t5d3c1b0a49e7f268\t1 1 1\t1 1 1\t4294967296\t-" BY
                     "plain\tplain 1 0 1\n",
               3, "shared");
  expect_error(FIRST "walk\t5d3c1b0a49e7f268\t1 1 1\t1 1 1\t0\t7" BY "plain\tplain 1 0 1\n", 3,
               "sizes");
  expect_error(FIRST WALK "needed\tplain 1 0 1\n", 3, "none of the versions");
  expect_error(FIRST WALK "needed\tneeded 1 0 1\n", 3, "plain version's time");
  expect_error(FIRST WALK "plain\tplain 1 0 1\tplain 1 0 1\n", 3, "named before");
  expect_error(FIRST WALK "plain\tplain 1 0\n", 3, "launches are expected");
  expect_error(FIRST WALK "plain\tplain\n", 3, "launches are expected");
  expect_error(FIRST WALK "plain\tplain 99999999999999999999 0 1\n", 3, "launches are expected");
  expect_error(FIRST WALK "plain\tplain 1 0 1\ta/b 1 0 1\n", 3, "can't have that name");
  expect_error(FIRST WALK "plain\tplain 1 0 1 \n", 3, "launches are expected");
  expect_error(FIRST WALK "plain\tplain 1 0 1 0\n", 3, "launches are expected");
  expect_error(FIRST WALK "plain\tplain 1 0 1 5 7 x\n", 3, "launches are expected");
  char long_text[512] = FIRST WALK "plain\tplain 1 0 1 5";
  for (int i = 0; i <= LIN_FIRST; i++)
    strcat(long_text, " 1");
  expect_error(strcat(long_text, "\n"), 3, "launches are expected");
  char many[2048] = FIRST WALK "plain\tplain 1 0 1";
  for (int i = 0; i < LIN_VERSIONS_MOST; i++)
    snprintf(many + strlen(many), sizeof many - strlen(many), "\tv%d 1 0 1", i);
  snprintf(many + strlen(many), sizeof many - strlen(many), "\n");
  expect_error(many, 3, "too many");
}

int main(void) {
  test_round();
  test_merge();
  test_order();
  test_best();
  test_begins();
  test_first();
  test_refuse();
  free_texts();
  return expect_end();
}
