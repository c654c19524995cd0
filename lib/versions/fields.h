// Lines of text and fields between tabs, taken apart where they stand.
#ifndef LIN_VERSIONS_FIELDS_H
#define LIN_VERSIONS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The line at *text, of which the end becomes a NUL (a carriage return before it, too), and *text
// what is behind it. NULL, with *text where it was, if there is no end of a line any more.
// O(length).
char *lin_field_line(char **text);

// The field at *line, up to a tab, which becomes a NUL; *line is what is behind it, NULL behind the
// last one. NULL if *line is. O(length).
char *lin_field_next(char **line);

// Goes on behind `word`, if it stands at *at. O(length).
bool lin_field_skip(char **at, const char *word);

// Goes on behind 16 hexadecimal digits, of lower case. O(1).
bool lin_field_hash(char **at, uint64_t *hash);

// Goes on behind a decimal number that is at most `most`. O(digits).
bool lin_field_number(char **at, uint64_t most, uint64_t *number);

// Writes a field, with `_` for tabs and ends of lines. O(length).
void lin_field_write(FILE *file, const char *text);

#endif
