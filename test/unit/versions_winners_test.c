// What a compiler reads of a file of what was found.
#define _POSIX_C_SOURCE 200809L
#include "expect.h"
#include "versions/winners.h"

#include <stdlib.h>
#include <unistd.h>

#define LINE(kernel, hash, grid, winner)                                                           \
  kernel "\t" hash "\t" grid " 1 1\t128 1 1\t0\t-\tNVIDIA H200\t580.159.04\tLLVM 22.1.8\t" winner  \
         "\tplain 5000 10 30\tneeded 4000 10 30\tpaper 4500 10 30\n"

static char path[64];

static lin_winners_file *read_text(const char *text, size_t length, char message[320]) {
  snprintf(path, sizeof path, "/tmp/winners_test.%ld", (long)getpid());
  FILE *file = fopen(path, "wb");
  EXPECT(file != NULL && fwrite(text, 1, length, file) == length);
  fclose(file);
  lin_winners_file *found = lin_winners_read(path, message);
  unlink(path);
  return found;
}

static void test_winners(void) {
  static const char text[] = "linearize tuned 1\n" LINE("a", "00000000000000aa", "1", "needed")
      LINE("a", "00000000000000aa", "2", "plain") LINE("a", "00000000000000aa", "3", "needed")
          LINE("a", "00000000000000bb", "1", "paper") LINE("b", "00000000000000aa", "1", "paper");
  char message[320];
  lin_winners_file *file = read_text(text, sizeof text - 1, message);
  EXPECT(file != NULL);
  lin_winners w = lin_winners_of(file, "a", 0xaa);
  EXPECT(w.count == 2 && w.lines == 3 && !w.is_of_other_code);
  EXPECT_TEXT(w.name[0], "needed");
  EXPECT_TEXT(w.name[1], "plain");
  w = lin_winners_of(file, "b", 0xaa);
  EXPECT(w.count == 1 && w.lines == 1);
  EXPECT_TEXT(w.name[0], "paper");
  w = lin_winners_of(file, "a", 0xcc);
  EXPECT(w.count == 0 && w.is_of_other_code);
  w = lin_winners_of(file, "c", 0xaa);
  EXPECT(w.count == 0 && !w.is_of_other_code);
  w = lin_winners_of_any(file, "a");
  EXPECT(w.count == 3 && w.lines == 4);
  lin_winners_release(file);
}

static void test_refused(void) {
  char message[320], *large;
  EXPECT(lin_winners_read("/nowhere/app.linearize", message) == NULL);
  EXPECT_TEXT(message, "/nowhere/app.linearize: No such file or directory");
  EXPECT(lin_winners_read("/tmp", message) == NULL);
  EXPECT_TEXT(message, "/tmp: Is a directory");
  EXPECT(read_text("", 0, message) == NULL && strstr(message, path) == message);
  EXPECT(read_text("something\n", 10, message) == NULL && strstr(message, ":1: ") != NULL);
  EXPECT(read_text("linearize tuned 1\n\0a\n", 21, message) == NULL &&
         strstr(message, "it has a NUL") != NULL);
  lin_winners_release(NULL);

  // Larger than what is read at once.
  const size_t length = 100000;
  large = malloc(length);
  memset(large, '#', length);
  memcpy(large, "linearize tuned 1\n", 18);
  large[length - 1] = '\n';
  lin_winners_file *file = read_text(large, length, message);
  EXPECT(file != NULL && lin_winners_of_any(file, "a").count == 0);
  lin_winners_release(file);
  free(large);
}

int main(void) {
  test_winners();
  test_refused();
  return expect_end();
}
