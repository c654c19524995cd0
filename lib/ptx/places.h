// Where in a function's text changes go, and names for what they bring.
#ifndef LIN_PTX_PLACES_H
#define LIN_PTX_PLACES_H

#include "patch.h"
#include "read.h"

// The beginning of the line of `place`, if nothing but blanks is between them; else `place`.
uint32_t lin_ptx_begin_line(const lin_ptx_body *body, uint32_t place);

// The beginning of the next line, if nothing but blanks and a comment is before it; else `place`.
uint32_t lin_ptx_end_line(const lin_ptx_body *body, uint32_t place);

// Where new lines come that stand in front of a block, its label included; of a block without text:
// behind the last one.
uint32_t lin_ptx_place_before(const lin_ptx_function *f, lin_block block);

// Where lines go that come in front of an instruction.
uint32_t lin_ptx_place_of(const lin_ptx_body *body, uint32_t at);

// The characters that go with an instruction that is taken away: its line, if it has one for
// itself.
void lin_ptx_span_of(const lin_ptx_body *body, uint32_t at, uint32_t *start, uint32_t *end);

// A prefix that no name of the function begins with, so that new names are new. Lives in the arena.
// O(text) for each time that it has been changed.
const char *lin_ptx_fresh_prefix(lin_arena *arena, const lin_ptx_body *body);

// Lines to be put in. All zero but the arena: none.
typedef struct lin_ptx_lines {
  lin_arena *arena;
  char *text; // ended by a NUL, if there is any
  uint32_t length, capacity;
} lin_ptx_lines;

// Adds words, as printf does. O(their length).
__attribute__((format(printf, 2, 3))) void lin_ptx_say(lin_ptx_lines *lines, const char *format,
                                                       ...);

// Puts the lines in at `place`, on lines of their own, and forgets them.
void lin_ptx_insert(lin_ptx_patch *patch, const lin_ptx_body *body, uint32_t place,
                    lin_ptx_lines *lines);

#endif
