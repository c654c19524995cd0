// Tokens of PTX text. Nothing is copied: a token is a place in the text, and what no token covers
// (blanks, comments) stays where it is.
//
//     @%p1 bra  $L__BB0_3;   // back
//     ^^   ^    ^        ^
//     │word│    word     punctuation
//     punctuation
//     └ `@`
//
// A word is whatever is made of letters, digits, _ $ % and dots: names, registers, numbers,
// directives, and opcodes with all their parts (ld.global.u32, st.shared::cta.b32). A directive
// ends at the next dot: `.reg.pred` is two words, as `.reg .pred` is.
#ifndef LIN_PTX_SCAN_H
#define LIN_PTX_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum lin_ptx_kind {
  LIN_PTX_WORD,
  LIN_PTX_STRING,
  LIN_PTX_PUNCTUATION, // one character
  LIN_PTX_END,         // of the text
  LIN_PTX_BAD,         // a string or comment without its end, or a character that no PTX has
} lin_ptx_kind;

typedef struct lin_ptx_token {
  lin_ptx_kind kind;
  uint32_t start, end;
  char first; // its first character; 0 at the end
} lin_ptx_token;

// A text and a place in it. Texts have less than 4 GB.
typedef struct lin_ptx_scan {
  const char *text;
  uint32_t length;
  uint32_t at;
} lin_ptx_scan;

// The next token, and moves behind it. After the end it is the end again. O(its length and that of
// what is skipped).
lin_ptx_token lin_ptx_next(lin_ptx_scan *scan);

// The next token without moving.
lin_ptx_token lin_ptx_peek(const lin_ptx_scan *scan);

// Whether the token is this word, or this one character.
bool lin_ptx_is(const char *text, lin_ptx_token token, const char *word);

// Whether a name has a % behind its beginning, as no compiler writes it.
bool lin_ptx_has_sign(const char *text, uint32_t start, uint32_t end);

// The number of the line, from 1, on which the character at `place` stands. O(place).
uint32_t lin_ptx_line(const char *text, uint32_t place);

// The word as a decimal number, or UINT32_MAX if it is none, or too large.
uint32_t lin_ptx_number(const char *text, lin_ptx_token token);

#endif
