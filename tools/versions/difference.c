#include "difference.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WORD = DIFFERENCE_WORD, PAIR = 8 };

void difference_add(difference *d, const unsigned char *is, const unsigned char *was, size_t from,
                    size_t size) {
  if (memcmp(is, was, size) == 0)
    return;
  for (size_t at = 0; at < size; at += WORD) {
    const size_t length = size - at < WORD ? size - at : WORD;
    if (memcmp(is + at, was + at, length) == 0 || d->words++ > 0)
      continue;
    const size_t pair = at - at % PAIR, rest = size - pair < PAIR ? size - pair : PAIR;
    d->first = from + at;
    memcpy(d->is, is + pair, rest);
    memcpy(d->was, was + pair, rest);
  }
}

// Numbers that programs compute with; other bits are one of these by chance.
static bool is_usual(double value) {
  return value == 0 || (isfinite(value) && fabs(value) > 1e-20 && fabs(value) < 1e20);
}

// False: they are none.
static bool find_numbers(const difference *d, double *is, double *was) {
  float is_short, was_short;
  memcpy(&is_short, d->is + d->first % PAIR, WORD);
  memcpy(&was_short, d->was + d->first % PAIR, WORD);
  *is = (double)is_short;
  *was = (double)was_short;
  if (is_usual(*is) && is_usual(*was))
    return true;
  memcpy(is, d->is, sizeof *is);
  memcpy(was, d->was, sizeof *was);
  return is_usual(*is) && is_usual(*was) && *is != *was;
}

int difference_write(char *text, size_t size, const difference *d) {
  uint32_t is, was;
  double number, other;
  memcpy(&is, d->is + d->first % PAIR, WORD);
  memcpy(&was, d->was + d->first % PAIR, WORD);
  if (!find_numbers(d, &number, &other))
    return snprintf(text, size, "0x%08" PRIx32 ", plain 0x%08" PRIx32, is, was);
  return snprintf(text, size,
                  "0x%08" PRIx32 ", plain 0x%08" PRIx32 " (floats %.9g, %.9g: %.1e apart)", is, was,
                  number, other, fabs(number - other));
}
