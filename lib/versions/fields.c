#include "fields.h"

#include <string.h>

char *lin_field_line(char **text) {
  char *line = *text, *end = strchr(line, '\n');
  if (end == NULL)
    return NULL;
  *text = end + 1;
  *end = '\0';
  if (end > line && end[-1] == '\r')
    end[-1] = '\0';
  return line;
}

char *lin_field_next(char **line) {
  char *field = *line;
  if (field == NULL)
    return NULL;
  char *tab = strchr(field, '\t');
  *line = tab == NULL ? NULL : tab + 1;
  if (tab != NULL)
    *tab = '\0';
  return field;
}

bool lin_field_skip(char **at, const char *word) {
  size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0)
    return false;
  *at += length;
  return true;
}

bool lin_field_hash(char **at, uint64_t *hash) {
  static const char digits[] = "0123456789abcdef";
  *hash = 0;
  for (int i = 0; i < 16; i++) {
    const char *digit = (*at)[i] == '\0' ? NULL : strchr(digits, (*at)[i]);
    if (digit == NULL)
      return false;
    *hash = 16 * *hash + (uint64_t)(digit - digits);
  }
  *at += 16;
  return true;
}

bool lin_field_number(char **at, uint64_t most, uint64_t *number) {
  const char *start = *at;
  *number = 0;
  for (; **at >= '0' && **at <= '9'; ++*at) {
    uint64_t digit = (uint64_t)(**at - '0');
    if (*number > (most - digit) / 10 || digit > most)
      return false;
    *number = 10 * *number + digit;
  }
  return *at > start && *number <= most;
}

void lin_field_write(FILE *file, const char *text) {
  for (; *text != '\0'; text++)
    fputc(strchr("\t\r\n", *text) == NULL ? *text : '_', file);
}
