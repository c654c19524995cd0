#include "fields.h"

#include <stdbool.h>

// Moves what stands at `at` up to the next comma to `to`, without quotes: "a, ""b""" is a, "b".
// Returns what is behind it, and sets *end to where it ends.
static char *move_field(char *at, char *to, char **end) {
  bool quoted = *at == '"';
  at += quoted;
  for (; *at != '\0' && (quoted || *at != ','); at++) {
    if (quoted && *at == '"' && at[1] != '"') {
      at++;
      break;
    }
    at += quoted && *at == '"';
    *to++ = *at;
  }
  *end = to;
  return at;
}

size_t profile_count_lines(const char *text) {
  size_t count = 1;
  for (; *text != '\0'; text++)
    count += *text == '\n';
  return count;
}

size_t profile_fields(char *line, char **field, size_t most) {
  char *at = line, *end;
  for (size_t count = 0; count < most; at++) {
    field[count++] = at;
    at = move_field(at, at, &end);
    bool is_last = *at != ',';
    *end = '\0';
    if (is_last)
      return count;
  }
  return most;
}
