// Unit tests of answers that are kept: what is found again, what isn't believed, how much stays.
// The argument is a folder for them. A failure prints its line; the last line is
// `N passed, M failed`.
#define _POSIX_C_SOURCE 200809L
#include "common/cache.h"
#include "common/command_line.h"
#include "expect.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

_Noreturn void tool_die(int status, const char *format, ...) {
  (void)format;
  exit(status);
}

static tool_cache cache = {.most_bytes = 4000, .most_files = 4};
static char text[] = "some text";
static tool_cache_key key = {"asked", "name", text, sizeof text - 1};
static tool_cache_value nothing = {.made = NULL, .said = "said\n", .said_length = 5};

// Removes what is there, and returns how many files that were.
static int empty_folder(void) {
  int count = 0;
  DIR *listed = opendir(cache.folder);
  const struct dirent *entry;
  while (listed != NULL && (entry = readdir(listed)) != NULL)
    count += entry->d_name[0] != '.' && unlinkat(dirfd(listed), entry->d_name, 0) == 0;
  closedir(listed);
  return count;
}

// Whether the answer is found; it is what `wanted` is then.
static bool finds(const tool_cache_key *question, const tool_cache_value *wanted) {
  tool_cache_value found;
  if (!tool_cache_find(&cache, question, &found))
    return false;
  EXPECT((found.made == NULL) == (wanted->made == NULL));
  if (found.made != NULL && wanted->made != NULL) {
    EXPECT(found.made_length == wanted->made_length);
    EXPECT_TEXT(found.made, wanted->made);
  }
  EXPECT(found.said_length == wanted->said_length);
  EXPECT_TEXT(found.said, wanted->said);
  free(found.made);
  free(found.said);
  return true;
}

static void test_answers(void) {
  tool_cache_value changed = {.made = "made", .said = "", .made_length = 4},
                   empty = {.made = "", .said = ""};
  EXPECT(!finds(&key, &nothing));
  tool_cache_keep(&cache, &key, &nothing);
  EXPECT(finds(&key, &nothing));
  tool_cache_keep(&cache, &key, &changed);
  EXPECT(finds(&key, &changed));
  tool_cache_keep(&cache, &key, &empty);
  EXPECT(finds(&key, &changed));
  EXPECT(empty_folder() == 1);
  tool_cache_keep(&cache, &key, &empty);
  EXPECT(!finds(&key, &empty));
  EXPECT(empty_folder() == 0);
}

static void test_questions(void) {
  tool_cache_key asked = key, shorter = key, other = key, named = key;
  char same_length[] = "Some text";
  asked.asked = "asked differently";
  shorter.length--;
  other.text = same_length;
  named.name = "another name";
  tool_cache_keep(&cache, &key, &nothing);
  EXPECT(!finds(&asked, &nothing) && !finds(&shorter, &nothing) && !finds(&other, &nothing));
  EXPECT(finds(&named, &nothing));
  tool_cache_value mentions = nothing;
  mentions.is_named = true;
  tool_cache_keep(&cache, &key, &mentions);
  EXPECT(finds(&key, &mentions) && !finds(&named, &mentions));
  EXPECT(empty_folder() == 1);
}

// The one file's name, which stays until the next call.
static const char *only_file(void) {
  static char path[2 * PATH_MAX];
  DIR *listed = opendir(cache.folder);
  const struct dirent *entry;
  while (listed != NULL && (entry = readdir(listed)) != NULL)
    if (entry->d_name[0] != '.')
      snprintf(path, sizeof path, "%s/%s", cache.folder, entry->d_name);
  closedir(listed);
  return path;
}

// A question whose hash is that of another one: the file is there by its name, and is another's.
static void test_collision(void) {
  tool_cache_key other = key;
  other.asked = "asked differently";
  char path[2 * PATH_MAX];
  tool_cache_keep(&cache, &other, &nothing);
  snprintf(path, sizeof path, "%s", only_file());
  unlink(path);
  tool_cache_keep(&cache, &key, &nothing);
  EXPECT(rename(only_file(), path) == 0);
  EXPECT(!finds(&other, &nothing));
  EXPECT(empty_folder() == 1);
}

// Any byte that is another one, and any end that is too early.
static void test_damage(void) {
  tool_cache_value changed = {
      .made = "made", .said = "said\n", .made_length = 4, .said_length = 5, .is_named = true};
  unsigned char bytes[400];
  tool_cache_keep(&cache, &key, &changed);
  int file = open(only_file(), O_RDWR);
  ssize_t length = read(file, bytes, sizeof bytes);
  EXPECT(length > 60 && length < (ssize_t)sizeof bytes);
  int found = 0;
  for (ssize_t i = 0; i < length; i++) {
    unsigned char wrong = bytes[i] ^ 1;
    EXPECT(pwrite(file, &wrong, 1, i) == 1);
    found += finds(&key, &changed);
    EXPECT(pwrite(file, &bytes[i], 1, i) == 1);
  }
  EXPECT(found == 0 && finds(&key, &changed));
  for (ssize_t i = length - 1; i >= 0; i--) {
    EXPECT(ftruncate(file, i) == 0);
    found += finds(&key, &changed);
  }
  EXPECT(found == 0);
  EXPECT(pwrite(file, bytes, (size_t)length, 0) == length && finds(&key, &changed));
  EXPECT(write(file, "more", 4) == 4);
  EXPECT(pwrite(file, "more", 4, length) == 4 && !finds(&key, &changed));
  close(file);
  tool_cache_keep(&cache, &key, &changed);
  EXPECT(finds(&key, &changed));
  EXPECT(empty_folder() == 1);
}

static tool_cache_key numbered(int number, char asked[16]) {
  tool_cache_key question = key;
  snprintf(asked, 16, "question %d", number);
  question.asked = asked;
  return question;
}

// Keeps the answers to questions up to `last`, a while ago and each later than the one before.
static void keep_until(int last, const tool_cache_value *value) {
  for (int i = 0; i <= last; i++) {
    char asked[16];
    const tool_cache_key question = numbered(i, asked);
    tool_cache_keep(&cache, &question, value);
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL); // time in file systems has steps
  }
}

static bool finds_number(int number) {
  char asked[16];
  const tool_cache_key question = numbered(number, asked);
  return finds(&question, &nothing);
}

static void test_bounds(void) {
  keep_until(3, &nothing);
  EXPECT(finds_number(0)); // used last now
  char asked[16];
  const tool_cache_key question = numbered(4, asked);
  tool_cache_keep(&cache, &question, &nothing);
  EXPECT(finds_number(0) && !finds_number(1) && finds_number(2) && finds_number(4));
  EXPECT(empty_folder() == 4);
  cache.most_files = 100;
  static char long_text[800];
  memset(long_text, 'x', sizeof long_text - 1);
  tool_cache_value large = {.made = NULL, .said = long_text, .said_length = 799};
  keep_until(9, &large);
  EXPECT(empty_folder() == 4);
  cache.most_bytes = 3000; // more than a quarter
  keep_until(0, &large);
  EXPECT(empty_folder() == 0);
  cache.most_bytes = 4000;
}

static void make_file(const char *name, time_t age) {
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", cache.folder, name);
  const struct timespec times[2] = {{.tv_sec = time(NULL) - age}, {.tv_sec = time(NULL) - age}};
  int file = open(path, O_WRONLY | O_CREAT, 0600);
  EXPECT(file >= 0 && write(file, path, 40) == 40 && futimens(file, times) == 0);
  close(file);
}

// What was being written by a process that was killed goes, after a while; what others have there
// stays.
static void test_leftovers(void) {
  make_file("0123456789abcdef.1.2.new", 4000);
  make_file("0123456789abcdef.3.4.new", 10);
  make_file("0123456789abcdef.txt", 4000);
  make_file("mine.kept", 4000);
  cache.most_files = 1;
  tool_cache_keep(&cache, &key, &nothing);
  cache.most_files = 4;
  EXPECT(finds(&key, &nothing));
  EXPECT(empty_folder() == 3);
}

static void test_folder(void) {
  tool_cache_keep(&cache, &key, &nothing);
  EXPECT(chmod(cache.folder, 0720) == 0 && !finds(&key, &nothing));
  EXPECT(chmod(cache.folder, 0702) == 0 && !finds(&key, &nothing));
  EXPECT(chmod(cache.folder, 0700) == 0 && finds(&key, &nothing));
  EXPECT(chmod(only_file(), 0620) == 0 && !finds(&key, &nothing));
  EXPECT(chmod(only_file(), 0600) == 0 && finds(&key, &nothing));
  char elsewhere[2 * PATH_MAX];
  snprintf(elsewhere, sizeof elsewhere, "%s.link", cache.folder);
  unlink(elsewhere);
  EXPECT(symlink(cache.folder, elsewhere) == 0);
  tool_cache linked = cache;
  snprintf(linked.folder, sizeof linked.folder, "%.4000s.link", cache.folder);
  tool_cache_value found;
  EXPECT(!tool_cache_find(&linked, &key, &found));
  if (geteuid() == 0) { // who else can give files away
    EXPECT(chown(only_file(), 65534, 65534) == 0 && !finds(&key, &nothing));
    EXPECT(chown(only_file(), 0, 0) == 0 && finds(&key, &nothing));
    EXPECT(chown(cache.folder, 65534, 65534) == 0 && !finds(&key, &nothing));
    EXPECT(chown(cache.folder, 0, 0) == 0);
  }
  unlink(elsewhere);
  EXPECT(empty_folder() == 1);
}

// A process that has taken another user's rights makes nothing for either.
static void test_rights(void) {
  tool_cache found;
  EXPECT(setenv("LINEARIZE_CACHE", cache.folder, 1) == 0 && tool_cache_default(&found));
  EXPECT_TEXT(found.folder, cache.folder);
  if (geteuid() == 0) {
    EXPECT(seteuid(65534) == 0 && !tool_cache_default(&found));
    EXPECT(seteuid(0) == 0);
  }
  EXPECT(setenv("LINEARIZE_CACHE", "off", 1) == 0 && !tool_cache_default(&found));
  EXPECT(setenv("LINEARIZE_CACHE", "", 1) == 0 && !tool_cache_default(&found));
}

static void remove_below(const char *name) {
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", cache.folder, name);
  rmdir(path);
}

// In a home that is another user's, as after sudo, nothing is made.
static void test_home(void) {
  tool_cache found;
  char wanted[2 * PATH_MAX];
  snprintf(wanted, sizeof wanted, "%s/.cache/linearize", cache.folder);
  unsetenv("LINEARIZE_CACHE");
  EXPECT(setenv("XDG_CACHE_HOME", "relative", 1) == 0 && setenv("HOME", cache.folder, 1) == 0);
  EXPECT(tool_cache_default(&found) && access(wanted, W_OK) == 0);
  EXPECT_TEXT(found.folder, wanted);
  remove_below(".cache/linearize");
  remove_below(".cache");
  if (geteuid() == 0) {
    EXPECT(chown(cache.folder, 65534, 65534) == 0 && !tool_cache_default(&found));
    EXPECT(chown(cache.folder, 0, 0) == 0 && access(wanted, F_OK) != 0);
  }
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  snprintf(cache.folder, sizeof cache.folder, "%s", argv[1]);
  mkdir(cache.folder, 0700);
  empty_folder();
  test_answers();
  test_questions();
  test_collision();
  test_damage();
  test_bounds();
  test_leftovers();
  test_folder();
  test_rights();
  test_home();
  rmdir(cache.folder);
  return expect_end();
}
