#define _POSIX_C_SOURCE 200809L // getdelim
#include "winners.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 320 };

struct lin_winners_file {
  char *text;
  lin_tuned tuned;
};

// ---- the file

static lin_winners_file *fail(lin_winners_file *file, char *message, const char *path,
                              const char *reason) {
  snprintf(message, MESSAGE, "%.*s: %s", 160, path, reason);
  lin_winners_release(file);
  return NULL;
}

// All of a file, with room for one character more. Returns what is wrong, or NULL.
static const char *read_all(const char *path, char **text, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return strerror(errno);
  size_t room = 0;
  const ssize_t got = getdelim(text, &room, '\0', file);
  const char *wrong = got < 0 && ferror(file) ? strerror(errno) : NULL;
  if (got > 0 && (*text)[got - 1] == '\0')
    wrong = "it has a NUL, which no such file has";
  fclose(file);
  *length = got < 0 ? 0 : (size_t)got;
  return wrong == NULL && *text == NULL ? "out of memory" : wrong;
}

lin_winners_file *lin_winners_read(const char *path, char message[MESSAGE]) {
  lin_winners_file *file = calloc(1, sizeof *file);
  size_t length = 0;
  if (file == NULL)
    return fail(file, message, path, "out of memory");
  const char *wrong = read_all(path, &file->text, &length);
  if (wrong != NULL)
    return fail(file, message, path, wrong);
  lin_versions_error error;
  if (lin_tuned_read(&file->tuned, file->text, length, &error))
    return file;
  snprintf(message, MESSAGE, "%.*s:%zu: %s", 120, path, error.line, error.text);
  lin_winners_release(file);
  return NULL;
}

void lin_winners_release(lin_winners_file *file) {
  if (file == NULL)
    return;
  lin_tuned_release(&file->tuned);
  free(file->text);
  free(file);
}

// ---- what is in it

static void add(lin_winners *winners, const lin_tuned_line *line) {
  uint32_t i = 0;
  if (strcmp(line->winner, LIN_TUNED_NONE) == 0)
    return;
  winners->lines++;
  while (i < winners->count && strcmp(winners->name[i], line->winner) != 0)
    i++;
  if (i == winners->count && i < LIN_VERSIONS_MOST)
    winners->name[winners->count++] = line->winner;
}

lin_winners lin_winners_of(const lin_winners_file *file, const char *kernel, uint64_t hash) {
  lin_winners winners = {0};
  const lin_tuned_line *first;
  const uint32_t count = lin_tuned_of(&file->tuned, kernel, hash, &first);
  for (uint32_t i = 0; i < count; i++)
    add(&winners, &first[i]);
  winners.is_of_other_code = count == 0 && lin_winners_of_any(file, kernel).count > 0;
  return winners;
}

lin_winners lin_winners_of_any(const lin_winners_file *file, const char *kernel) {
  lin_winners winners = {0};
  for (uint32_t i = 0; i < file->tuned.count; i++)
    if (strcmp(file->tuned.line[i].kernel, kernel) == 0)
      add(&winners, &file->tuned.line[i]);
  return winners;
}

size_t lin_winners_list(char *text, size_t size, const lin_winners *winners) {
  size_t used = 0;
  for (uint32_t i = 0; i < winners->count; i++) {
    const char *before = i == 0 ? "" : i + 1 == winners->count ? " or " : ", ";
    const size_t at = used < size ? used : size;
    used +=
        (size_t)snprintf(size == 0 ? NULL : text + at, size - at, "%s%s", before, winners->name[i]);
  }
  return used;
}
