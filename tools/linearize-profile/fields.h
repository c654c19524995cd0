// Fields of comma-separated values.
#ifndef LIN_TOOLS_PROFILE_FIELDS_H
#define LIN_TOOLS_PROFILE_FIELDS_H

#include <stddef.h>

// Finds the fields of a line, which becomes their text, without quotes. Returns how many there are,
// at most `most`. O(length).
size_t profile_fields(char *line, char **field, size_t most);

// How many lines a text has, or one more. O(length).
size_t profile_count_lines(const char *text);

#endif
