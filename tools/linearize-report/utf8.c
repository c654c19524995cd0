// Text as UTF-8: what is none is replaced.
#include "report.h"

#include <string.h>

// The length of the character at `at`, 0 if it is none. Table 3-7 of the Unicode standard.
static size_t character(const unsigned char *at, size_t left) {
  unsigned char first = at[0];
  if (first < 0x80)
    return 1;
  size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || length > left)
    return 0;
  unsigned char low = 0x80, high = 0xbf;
  low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : low;
  high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : high;
  if (at[1] < low || at[1] > high)
    return 0;
  for (size_t i = 2; i < length; i++)
    if (at[i] < 0x80 || at[i] > 0xbf)
      return 0;
  return length;
}

const char *report_utf8(lin_arena *arena, const char *text, size_t length) {
  char *copy = lin_arena_text(arena, text, length);
  for (size_t at = 0; at < length;) {
    size_t step = character((unsigned char *)copy + at, length - at);
    if (step == 0 || copy[at] == '\0')
      copy[at] = '?';
    at += step == 0 ? 1 : step;
  }
  return copy;
}
