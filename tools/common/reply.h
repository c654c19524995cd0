// What the helper that lifts PTX answers, on its standard output: taken whole, or not at all.
//
//     linearize-lift 5312 80 0123456789abcdef    bytes of the text, and of the remarks; their sum
//     .version 9.0 ...                           the text
//     0 TAB Linearized TAB ...                   the remarks (records.h)
#ifndef LIN_TOOLS_REPLY_H
#define LIN_TOOLS_REPLY_H

#include "cache.h"

#include <stdio.h>

// O(length + said_length).
void tool_reply_write(FILE *file, const char *text, size_t length, const char *said,
                      size_t said_length);

// Whether `reply` is all of an answer. Then `answer` has it, its texts with a NUL behind them and
// to be freed. A zero ends `reply`. O(length).
bool tool_reply_read(const char *reply, size_t length, tool_cache_value *answer);

#endif
