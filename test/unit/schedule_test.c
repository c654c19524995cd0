// Unit tests of where the arms of a branch take turns. A failure prints its line; the last line is
// `N passed, M failed`.
#include "choose/schedule.h"

#include "expect.h"

#include <stdio.h>

static const lin_setting free_setting = {.hidden = 0, .registers = 255, .parting = 52};

// An arm of `count` pieces, each as long as its wait is.
static lin_row row_of(uint32_t count, const uint64_t *work, const uint64_t *wait,
                      const uint32_t *live, uint32_t registers) {
  lin_row row = {.count = count, .registers = registers};
  for (uint32_t i = 0; i < count; i++)
    row.piece[i] = (lin_piece){work[i], i + 1 < count ? wait[i] : 0, live[i]};
  return row;
}

#define ROW(count, registers, work, wait, live)                                                    \
  row_of(count, (const uint64_t[])work, (const uint64_t[])wait, (const uint32_t[])live, registers)
#define LIST(...) {__VA_ARGS__}

// `after` of each arm and the gain, or "none".
static const char *turns_of(const lin_row *row, const lin_setting *setting) {
  static char text[100];
  lin_cuts turns;
  if (!lin_schedule(row, setting, &turns))
    return "none";
  int used = 0;
  for (uint32_t arm = 0; arm < 2; arm++) {
    for (uint32_t i = 0; i < turns.num_cuts; i++)
      used += snprintf(text + used, sizeof text - (size_t)used, "%u ", turns.after[arm][i]);
    used += snprintf(text + used, sizeof text - (size_t)used, "| ");
  }
  snprintf(text + used, sizeof text - (size_t)used, "%lld", (long long)turns.gain);
  return text;
}

// a1 (10), 300, a2 (10) and b1 (20), 300, b2 (10) take 650 in a row. In turns, at worst: a1 and b1
// by 30, b2 from 330 to 340, a2 to 350; and a guard, 52.
static void test_two_pieces(void) {
  lin_row row[2] = {ROW(2, 4, LIST(10, 10), LIST(300, 0), LIST(2, 0)),
                    ROW(2, 4, LIST(20, 10), LIST(300, 0), LIST(2, 0))};
  EXPECT_TEXT(turns_of(row, &free_setting), "0 | 0 | 248");
}

// An arm that waits for nothing can't be cut.
static void test_one_piece(void) {
  lin_row row[2] = {ROW(1, 4, LIST(10), LIST(0), LIST(0)),
                    ROW(2, 4, LIST(20, 10), LIST(300, 0), LIST(2, 0))};
  EXPECT_TEXT(turns_of(row, &free_setting), "none");
}

// What other warps hide is no gain, and a guard costs more than a short wait.
static void test_short_waits(void) {
  lin_row row[2] = {ROW(2, 4, LIST(10, 10), LIST(300, 0), LIST(2, 0)),
                    ROW(2, 4, LIST(20, 10), LIST(300, 0), LIST(2, 0))};
  EXPECT_TEXT(turns_of(row, &(lin_setting){.hidden = 200, .registers = 255, .parting = 52}),
              "0 | 0 | 48");
  EXPECT_TEXT(turns_of(row, &(lin_setting){.hidden = 400, .registers = 255, .parting = 52}),
              "0 | 0 | -52");
  EXPECT_TEXT(turns_of(row, &(lin_setting){.hidden = UINT64_MAX, .registers = 255, .parting = 52}),
              "0 | 0 | -52");
}

// The waits for shared memory are not the place, that for global memory behind them is.
static void test_longest_waits(void) {
  lin_row row[2] = {
      ROW(4, 8, LIST(9, 9, 9, 9), LIST(25, 286, 25, 0), LIST(1, 1, 1, 0)),
      ROW(5, 8, LIST(9, 9, 9, 9, 9), LIST(25, 25, 25, 286, 0), LIST(1, 1, 1, 1, 0)),
  };
  EXPECT_TEXT(turns_of(row, &free_setting), "1 | 3 | 234");
}

// At worst b1 a1 by 20, a2 from 320, b2 from 330, b3 from 640 to 650, a3 to 660, and two guards; in
// a row 1260. One cut of each, a behind a1 and b behind b2, would be better yet if a were always
// first.
static void test_two_cuts(void) {
  lin_row row[2] = {
      ROW(3, 8, LIST(10, 10, 10), LIST(300, 300, 0), LIST(1, 1, 0)),
      ROW(3, 8, LIST(10, 10, 10), LIST(300, 300, 0), LIST(1, 1, 0)),
  };
  EXPECT_TEXT(turns_of(row, &free_setting), "0 1 | 0 1 | 496");
}

// What is live at a cut keeps its registers while the other arm runs: the second cut is as good,
// and cheaper; then there is none.
static void test_registers(void) {
  lin_row row[2] = {
      ROW(3, 30, LIST(10, 10, 10), LIST(300, 290, 0), LIST(20, 5, 0)),
      ROW(2, 30, LIST(10, 10), LIST(300, 0), LIST(5, 0)),
  };
  EXPECT_TEXT(turns_of(row, &(lin_setting){.hidden = 0, .registers = 50, .parting = 52}),
              "0 | 0 | 248");
  EXPECT_TEXT(turns_of(row, &(lin_setting){.hidden = 0, .registers = 49, .parting = 52}),
              "1 | 0 | 238");
  EXPECT_TEXT(turns_of(row, &(lin_setting){.hidden = 0, .registers = 35, .parting = 52}),
              "1 | 0 | 238");
  EXPECT_TEXT(turns_of(row, &(lin_setting){.hidden = 0, .registers = 34, .parting = 52}), "none");
}

int main(void) {
  test_two_pieces();
  test_one_piece();
  test_short_waits();
  test_longest_waits();
  test_two_cuts();
  test_registers();
  return expect_end();
}
