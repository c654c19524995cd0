#include "scan.h"

#include <string.h>

// A bit for each of the characters 0 to 63, and 64 to 127: whether words have it. (Reading asks
// this more often than anything else.)
#define BIT(c) (UINT64_C(1) << ((c) % 64))
static const uint64_t of_words[] = {
    BIT('$') | BIT('%') | BIT('.') | 0x3ff * BIT('0'),
    0x3ffffff * BIT('A') | BIT('_') | 0x3ffffff * BIT('a'),
};

static bool is_of_word(char c) { return c >= 0 && (of_words[c / 64] & BIT(c)) != 0; }

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

// Moves behind blanks and comments. False at a comment that doesn't end.
static bool skip_blanks(lin_ptx_scan *scan) {
  const char *text = scan->text;
  while (scan->at < scan->length) {
    uint32_t at = scan->at;
    char next = at + 1 < scan->length ? text[at + 1] : '\0';
    if (is_blank(text[at])) {
      scan->at++;
    } else if (text[at] == '/' && next == '/') {
      const char *end = memchr(text + at, '\n', scan->length - at);
      scan->at = end == NULL ? scan->length : (uint32_t)(end - text);
    } else if (text[at] == '/' && next == '*') {
      for (at += 2; at + 1 < scan->length && (text[at] != '*' || text[at + 1] != '/'); at++)
        continue;
      if (at + 1 >= scan->length)
        return false;
      scan->at = at + 2;
    } else {
      break;
    }
  }
  return true;
}

// The place behind the string that begins at `at`, or 0 if it doesn't end on its line.
static uint32_t end_of_string(const lin_ptx_scan *scan, uint32_t at) {
  for (at++; at < scan->length && scan->text[at] != '\n'; at++) {
    if (scan->text[at] == '"')
      return at + 1;
    if (scan->text[at] == '\\' && at + 1 < scan->length)
      at++;
  }
  return 0;
}

// `::` within an opcode; a label ends in one colon.
static bool joins_words(const lin_ptx_scan *scan, uint32_t at) {
  return at + 2 < scan->length && scan->text[at] == ':' && scan->text[at + 1] == ':' &&
         is_of_word(scan->text[at + 2]);
}

lin_ptx_token lin_ptx_next(lin_ptx_scan *scan) {
  bool ends = skip_blanks(scan);
  lin_ptx_token token = {LIN_PTX_END, scan->at, scan->at, '\0'};
  if (scan->at == scan->length)
    return token;
  token.first = scan->text[scan->at];
  token.end = scan->at + 1;
  if (!ends) {
    token.kind = LIN_PTX_BAD;
  } else if (is_of_word(token.first)) {
    token.kind = LIN_PTX_WORD;
    for (;; token.end += 2) {
      while (token.end < scan->length && is_of_word(scan->text[token.end]) &&
             !(token.first == '.' && scan->text[token.end] == '.'))
        token.end++;
      if (!joins_words(scan, token.end))
        break;
    }
  } else if (token.first == '"') {
    uint32_t end = end_of_string(scan, token.start);
    token.kind = end == 0 ? LIN_PTX_BAD : LIN_PTX_STRING;
    token.end = end == 0 ? token.end : end;
  } else {
    bool is_text = token.first > ' ' && token.first <= '~';
    token.kind = is_text ? LIN_PTX_PUNCTUATION : LIN_PTX_BAD;
  }
  scan->at = token.end;
  return token;
}

lin_ptx_token lin_ptx_peek(const lin_ptx_scan *scan) {
  lin_ptx_scan copy = *scan;
  return lin_ptx_next(&copy);
}

bool lin_ptx_is(const char *text, lin_ptx_token token, const char *word) {
  size_t length = token.end - token.start;
  return token.first == word[0] && strlen(word) == length &&
         memcmp(text + token.start, word, length) == 0;
}

bool lin_ptx_has_sign(const char *text, uint32_t start, uint32_t end) {
  return memchr(text + start + 1, '%', end - start - 1) != NULL;
}

uint32_t lin_ptx_line(const char *text, uint32_t place) {
  uint32_t line = 1;
  const char *at = text, *end = text + place;
  while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
    line++;
    at++;
  }
  return line;
}

uint32_t lin_ptx_number(const char *text, lin_ptx_token token) {
  uint64_t number = 0;
  if (token.kind != LIN_PTX_WORD)
    return UINT32_MAX;
  for (uint32_t at = token.start; at < token.end; at++) {
    if (text[at] < '0' || text[at] > '9')
      return UINT32_MAX;
    number = 10 * number + (uint64_t)(text[at] - '0');
    if (number >= UINT32_MAX)
      return UINT32_MAX;
  }
  return (uint32_t)number;
}
